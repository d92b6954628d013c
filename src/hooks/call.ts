import { isBotError } from '../core/bot-error.js';
import { isTimeUp } from '../core/deadline.js';
import type { ParsedArguments } from '../core/task.js';
import type { CommandEnd, Session } from '../session.js';

/** One run of a hook. */
export interface HookCall {
  readonly parsed: ParsedArguments;
  readonly session: Session;
  readonly startedAt: number;
  /** Known once the configuration has been read. */
  failsClosed: boolean;
}

export const NOTHING: CommandEnd = { text: '', ending: 'done' };

/** The lines of standard input. */
export async function inputLines(session: Session): Promise<string[]> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of session.stdin) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_INPUT_BYTES) break;
  }
  return Buffer.concat(chunks)
    .subarray(0, MAX_INPUT_BYTES)
    .toString('utf8')
    .split('\n')
    .filter(line => line !== '');
}

/** Enough for ten thousand rewritten commits. */
const MAX_INPUT_BYTES = 1024 * 1024;

/** Whatever was thrown, as one line. */
export function reasonOf(thrown: unknown, signal: AbortSignal): string {
  if (isTimeUp(signal) && !isBotError(thrown)) return 'out of time before anything was done';
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const missing = /Cannot find module '(\.[^']+)'/.exec(message)?.[1];
  if (missing !== undefined) {
    return `the installation is incomplete, ${missing} is missing; install it again: npm install`;
  }
  const line = message.replace(/\s+/g, ' ').trim().slice(0, MAX_REASON);
  return isBotError(thrown) ? line : `a bug in apfel-bot (${line})`;
}

/** Longer reasons are cut. */
const MAX_REASON = 300;
