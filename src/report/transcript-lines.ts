import { forTerminal } from '../platform/safe-text.js';

/** A transcript entry, as far as it is printed while it happens. */
type PrintedEntry =
  | {
      readonly type: 'request';
      readonly number: number;
      readonly protocol: string;
      readonly estimatedTokens: number;
      readonly compaction: string;
    }
  | {
      readonly type: 'reply';
      readonly number: number;
      readonly durationMs: number;
      readonly reply: { readonly kind: string; readonly text?: string; readonly message?: string };
    }
  | {
      readonly type: 'call';
      readonly name: string;
      readonly input: unknown;
      readonly repairs: readonly string[];
    }
  | {
      readonly type: 'result';
      readonly durationMs: number;
      readonly message: {
        readonly isError: boolean;
        readonly content: ReadonlyArray<{ readonly text: string }>;
      };
    }
  | {
      readonly type: 'rung';
      readonly rung: string;
      readonly trouble: string;
      readonly message: string;
    }
  | { readonly type: 'end'; readonly reason: string; readonly message: string };

const MOST_SHOWN = 160;

/** What the model asked for, in one line. */
export const callLine = (call: Extract<PrintedEntry, { type: 'call' }>): string =>
  `→ ${forTerminal(call.name)} ${short(JSON.stringify(call.input) ?? '')}`;

/** `--verbose`: the transcript as it grows, one line an entry. */
export function entryLine(entry: PrintedEntry): string {
  switch (entry.type) {
    case 'request': {
      const how = entry.compaction === 'none' ? '' : `, ${entry.compaction}`;
      return `request ${entry.number}: ${entry.protocol}, about ${entry.estimatedTokens} tokens${how}`;
    }
    case 'reply': {
      const said = entry.reply.text ?? entry.reply.message ?? '';
      return `reply ${entry.number} after ${entry.durationMs} ms: ${entry.reply.kind} ${short(said)}`;
    }
    case 'call': {
      const repaired = entry.repairs.length === 0 ? '' : ` (repaired: ${entry.repairs.join(', ')})`;
      return `${callLine(entry)}${repaired}`;
    }
    case 'result':
      return `← ${short(entry.message.content.map(block => block.text).join(' '))}`;
    case 'rung':
      return `${entry.trouble}: ${entry.rung} ${short(entry.message)}`;
    case 'end':
      return `end: ${entry.reason} ${short(entry.message)}`;
    default: {
      const never: never = entry;
      return never;
    }
  }
}

const short = (text: string): string => {
  const line = forTerminal(text);
  return line.length > MOST_SHOWN ? `${line.slice(0, MOST_SHOWN)}…` : line;
};
