import { type Conversation, type ConversationSetup, converse } from '../../src/agent/converse.js';
import type { Entry, Limits } from '../../src/agent/question.js';
import { finish } from '../../src/agent/reading.js';
import {
  parameters,
  registry,
  succeeded,
  type Tool,
  type ToolOutcome,
} from '../../src/agent/tool.js';
import type { Message, Model } from '../../src/model/model.js';
import { DEFAULT_LIMITS } from './default-limits.js';

export interface RecordedTool extends Tool {
  /** What it was run with, in order. */
  readonly inputs: readonly unknown[];
}

/** A tool with string parameters, all required unless told, that says the same each time. */
export function recordedTool(
  name: string,
  names: readonly string[],
  {
    required = names,
    result = `the result of ${name}`,
    integers = [],
  }: {
    required?: readonly string[];
    result?: string | ToolOutcome | (() => never);
    integers?: readonly string[];
  } = {},
): RecordedTool {
  const inputs: unknown[] = [];
  const properties = names.map(
    parameter =>
      [
        parameter,
        {
          type: integers.includes(parameter) ? ('integer' as const) : ('string' as const),
          description: `the ${parameter}`,
        },
      ] as const,
  );
  return {
    name,
    description: `What ${name} is for.`,
    parameters: parameters(Object.fromEntries(properties), required),
    example: Object.fromEntries(names.map(parameter => [parameter, 'x'])),
    inputs,
    run: async input => {
      inputs.push(input);
      if (typeof result === 'function') return result();
      return typeof result === 'string' ? succeeded(result) : result;
    },
  };
}

type ConversationOptions = Partial<
  Omit<ConversationSetup, 'tools' | 'limits' | 'model' | 'onEntry'>
> & {
  readonly limits?: Partial<Limits>;
  readonly opening?: string;
};

/** A conversation, with its transcript and what was done about replies that could not be used. */
interface RecordedConversation extends Conversation {
  readonly transcript: readonly Entry[];
  readonly steps: readonly string[];
}

/** A conversation with everything that the test does not care about filled in. */
export async function runConversation(
  model: Model,
  tools: readonly Tool[],
  { limits, opening = 'Do the task.', ...rest }: ConversationOptions = {},
): Promise<RecordedConversation> {
  const transcript: Entry[] = [];
  const conversation = await converse({
    task: { system: 'You work on a repository.', opening },
    tools: registry(tools.some(tool => tool.name === 'finish') ? tools : [...tools, finish]),
    model,
    protocol: 'auto',
    limits: { ...DEFAULT_LIMITS, ...limits },
    clock: { now: () => 0 },
    signal: new AbortController().signal,
    onEntry: entry => transcript.push(entry),
    ...rest,
  });
  const steps = transcript.flatMap(entry =>
    entry.type === 'recovery' ? [`${entry.action} ${entry.problem}`] : [],
  );
  return { ...conversation, transcript, steps };
}

/** The words of the results in a list of messages. */
export const resultTexts = (messages: readonly Message[]): string[] =>
  messages.flatMap(message =>
    message.role === 'toolResult' ? message.content.map(block => block.text) : [],
  );
