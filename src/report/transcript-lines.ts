import type { Entry } from '../agent/question.js';
import { forTerminal } from '../platform/safe-text.js';

const MAX_SHOWN = 160;

/** What the model asked for, in one line. */
export const callLine = (call: Extract<Entry, { type: 'call' }>): string =>
  `→ ${forTerminal(call.name)} ${short(JSON.stringify(call.input) ?? '')}`;

/** `--verbose`: the transcript as it grows, one line per entry. */
export function entryLine(entry: Entry): string {
  switch (entry.type) {
    case 'request': {
      const how = entry.compaction === 'none' ? '' : `, ${entry.compaction}`;
      return `request ${entry.number}: ${entry.protocol}, about ${entry.estimatedTokens} tokens${how}`;
    }
    case 'reply': {
      const { reply } = entry;
      const text = 'text' in reply ? reply.text : 'message' in reply ? reply.message : '';
      return `reply ${entry.number} after ${entry.durationMs} ms: ${reply.kind} ${short(text)}`;
    }
    case 'call': {
      const repaired = entry.repairs.length === 0 ? '' : ` (repaired: ${entry.repairs.join(', ')})`;
      return `${callLine(entry)}${repaired}`;
    }
    case 'result':
      return `← ${short(entry.message.content.map(block => block.text).join(' '))}`;
    case 'recovery':
      return `${entry.problem}: ${entry.action} ${short(entry.message)}`;
    case 'end':
      return `end: ${entry.reason} ${short(entry.message)}`;
  }
}

const short = (text: string): string => {
  const line = forTerminal(text);
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line;
};
