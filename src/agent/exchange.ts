import type { ToolCallBlock, ToolResultMessage, Usage } from '../core/message.js';
import type { Exchange } from './conversation.js';
import { cutLine } from './cut-text.js';
import type { ToolOutcome } from './tool.js';

/** A call and what came of it. */
export interface Answered {
  readonly call: ToolCallBlock;
  readonly outcome: ToolOutcome;
}

/** The messages of one turn: what the model asked for, and an answer to each of its calls. */
export function exchangeOf(
  answered: readonly Answered[],
  { model, usage }: { model: string; usage: Usage },
): Exchange {
  return {
    assistant: {
      role: 'assistant',
      content: answered.map(({ call }) => call),
      stopReason: 'toolUse',
      model,
      usage,
    },
    results: answered.map(resultOf),
    brief: answered.map(briefOf).join('; '),
  };
}

const resultOf = ({ call, outcome }: Answered): ToolResultMessage => ({
  role: 'toolResult',
  toolCallId: call.id,
  toolName: call.name,
  isError: outcome.isError,
  content: [{ type: 'text', text: outcome.text }],
  details: outcome.details,
});

/** `read_file src/a.ts: src/a.ts, lines 1-80 of 300` */
function briefOf({ call, outcome }: Answered): string {
  const [first = ''] = outcome.text.split('\n', 1);
  const about = Object.values(Object(call.input)).find(value => typeof value === 'string');
  return cutLine(`${call.name} ${String(about ?? '').slice(0, 60)}: ${first}`, 40);
}
