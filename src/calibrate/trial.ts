import { turnShape } from '../agent/converse.js';
import { isRefusal } from '../agent/grounding.js';
import { FIRST_ATTEMPT } from '../agent/question.js';
import { callsIn } from '../agent/read-reply.js';
import { failed, registry } from '../agent/tool.js';
import { isTimeUp } from '../core/deadline.js';
import {
  CLOSED,
  isClosed,
  type Trial,
  type TrialVerdict,
  type Variant,
} from '../model/calibration.js';
import {
  type Model,
  type ModelFacts,
  type ModelReply,
  type ModelRequest,
  mayRunTools,
} from '../model/model.js';
import { askClosed } from './closed.js';
import type { Judgement } from './measure.js';

interface Question {
  readonly tool: (typeof QUESTION_TOOLS)[number];
  readonly arguments: Readonly<Record<string, string | number>>;
  /** Asks for it without naming the tool. */
  readonly neutral: string;
  /** The same, and names it. */
  readonly directive: string;
}

const GET_TIME = {
  name: 'get_time',
  description: 'Get the current date and time. Takes no arguments.',
  parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
  example: {},
} as const;

const READ_FILE = {
  name: 'read_file',
  description: 'Read a text file from a line on.',
  parameters: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'the file, from the top of the repository' },
      startLine: { type: 'integer', description: 'the first line to read, from 1' },
    },
    required: ['path', 'startLine'],
    additionalProperties: false,
  },
  example: { path: 'docs/guide.md', startLine: 1 },
} as const;

/** Both are offered each time, so that the model has to choose. */
const QUESTION_TOOLS = [GET_TIME, READ_FILE];

const PATHS = ['src/app.ts', 'lib/parse.py', 'README.md', 'test/run.sh', 'Sources/main.swift'];

/**
 * The question for a seed: the time for odd ones, a file for even ones. Files and lines vary too,
 * because not every server uses the seed.
 */
export function questionFor(seed: number): Question {
  return seed % 2 === 1 ? timeQuestion() : fileQuestion(seed / 2);
}

function timeQuestion(): Question {
  const neutral = 'What time is it right now?';
  return {
    tool: GET_TIME,
    arguments: {},
    neutral,
    directive: `${neutral} Use the ${GET_TIME.name} tool.`,
  };
}

function fileQuestion(number: number): Question {
  const path = PATHS[number % PATHS.length] ?? 'README.md';
  const startLine = 10 + 3 * number;
  const neutral = `What does the file ${path} say from line ${startLine} on?`;
  return {
    tool: READ_FILE,
    arguments: { path, startLine },
    neutral,
    directive: `${neutral} Use the ${READ_FILE.name} tool.`,
  };
}

/** Every protocol that a review would use, and the values of `tool_choice` worth trying with it. */
export const variantsFor = (facts: ModelFacts): Variant[] =>
  (['guided', 'native', 'text'] as const)
    .filter(protocol => protocol !== 'text' || !mayRunTools(facts))
    .flatMap(protocol => [
      ...(['directive', 'neutral'] as const).flatMap(prompt =>
        ([null, ...(protocol === 'native' ? TOOL_CHOICES : [])] as const).map(toolChoice => ({
          protocol,
          toolChoice,
          prompt,
        })),
      ),
      ...CLOSED.map(prompt => ({ protocol, toolChoice: null, prompt })),
    ]);

const TOOL_CHOICES = ['auto', 'required', 'named'] as const;

/** A timeout this close to the deadline is due to the deadline, not the model. */
const NEARLY_OVER_MS = 50;

interface TrialSetup {
  readonly model: Pick<Model, 'ask' | 'facts'>;
  remainingMs(): number;
  /** Aborted when the time is up. */
  readonly signal: AbortSignal;
}

/** Asks one question, once, and judges the reply without the repairs that the agent would make. */
export async function askTrial(trial: Trial, setup: TrialSetup): Promise<Judgement> {
  const { model, signal } = setup;
  let reply: ModelReply | undefined;
  const ask: Model['ask'] = async (request, until) => {
    reply = await model.ask(request, until);
    return reply;
  };
  try {
    signal.throwIfAborted();
    const { prompt } = trial;
    const verdict = isClosed(prompt)
      ? await askClosed({ ...trial, prompt }, { facts: model.facts, ask, signal })
      : judgeCall(await ask(toolRequest(trial), signal), trial.seed);
    return (reply && withoutTrial(reply, setup)) ?? { kind: 'measured', verdict };
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
    return isTimeUp(signal) ? TIME_IS_UP : { kind: 'ended', message: 'it was interrupted' };
  }
}

const TIME_IS_UP: Judgement = { kind: 'ended', message: 'the time was up' };

/** Failures, which say nothing about the model. */
function withoutTrial(reply: ModelReply, { remainingMs }: TrialSetup): Judgement | undefined {
  switch (reply.kind) {
    case 'rate-limited':
    case 'busy':
    case 'loading':
      return { kind: 'missed', message: reply.message };
    case 'unreachable':
      return { kind: 'ended', message: `the server is gone (${reply.message})` };
    case 'timed-out':
      return remainingMs() < NEARLY_OVER_MS
        ? TIME_IS_UP
        : { kind: 'failed', message: reply.message };
    case 'answer':
    case 'tool-calls':
    case 'refused':
    case 'blocked':
      return undefined;
    default:
      return { kind: 'failed', message: reply.message };
  }
}

const TOOLS = registry(
  QUESTION_TOOLS.map(tool => ({
    ...tool,
    run: () => Promise.resolve(failed('a calibration runs no tools')),
  })),
);

/** A call of these tools takes some 60 tokens. */
const MAX_TOKENS = 200;

export function toolRequest({ protocol, prompt, toolChoice, seed }: Trial): ModelRequest {
  const question = questionFor(seed);
  const isNeutral = prompt === 'neutral';
  const task = { system: '', opening: isNeutral ? question.neutral : question.directive };
  const turn = { task, tools: TOOLS, history: [], attempt: FIRST_ATTEMPT, isLast: false };
  const request = turnShape(turn, protocol);
  return {
    ...request,
    maxTokens: MAX_TOKENS,
    seed,
    // The neutral prompt never names the tool, as in the published experiment. The text protocol can
    // only list the tools in the prompt.
    system: isNeutral && protocol !== 'text' ? '' : request.system.trim(),
    ...(toolChoice && {
      toolChoice: toolChoice === 'named' ? { name: question.tool.name } : toolChoice,
    }),
  };
}

/** Whatever the cause, replies without a call are what is measured. */
export function judgeCall(reply: ModelReply, seed: number): TrialVerdict {
  if (reply.kind === 'refused' || reply.kind === 'blocked') return 'refused';
  if (reply.kind !== 'answer' && reply.kind !== 'tool-calls') return 'no-call';
  if (reply.kind === 'answer' && isRefusal(reply.text)) return 'refused';
  const found = callsIn(reply, TOOLS);
  const all = found.kind === 'calls' ? found.calls : [];
  const [call] = all;
  if (call === undefined) return 'no-call';
  const { tool, arguments: wanted } = questionFor(seed);
  if (all.some(({ name }) => name !== tool.name)) return 'wrong-name';
  return all.length === 1 && isExactly(argumentsOf(call.arguments), wanted)
    ? 'faithful'
    : 'other-arguments';
}

function argumentsOf(given: unknown): unknown {
  if (given === undefined || given === null || given === '') return {};
  if (typeof given !== 'string') return given;
  try {
    return JSON.parse(given);
  } catch {
    // Not JSON: no arguments at all, which is wrong.
    return undefined;
  }
}

function isExactly(given: unknown, wanted: Question['arguments']): boolean {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return false;
  const entries: ReadonlyArray<readonly [string, unknown]> = Object.entries(given);
  return (
    entries.length === Object.keys(wanted).length &&
    entries.every(([key, value]) => Object.hasOwn(wanted, key) && wanted[key] === value)
  );
}
