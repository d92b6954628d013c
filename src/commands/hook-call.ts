import { isBotError } from '../core/failure.js';
import { isTimeUp } from '../core/time-up.js';
import type { Parsed } from '../trigger/parse-argv.js';
import type { CommandEnd, Desk } from './desk.js';

/** One run of a hook. */
export interface HookCall {
  readonly parsed: Parsed;
  readonly desk: Desk;
  readonly startedAt: number;
  /** Known once the configuration has been read. */
  failsClosed: boolean;
}

export const NOTHING: CommandEnd = { text: '', ending: 'done' };

/** Lines of standard input, as far as git ever sends them. */
export async function inputLines(desk: Desk): Promise<string[]> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of desk.stdin) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MOST_INPUT_BYTES) break;
  }
  return Buffer.concat(chunks)
    .subarray(0, MOST_INPUT_BYTES)
    .toString('utf8')
    .split('\n')
    .filter(line => line !== '');
}

/** Ten thousand rewritten commits. */
const MOST_INPUT_BYTES = 1024 * 1024;

/** One line, whatever was thrown. */
export function reasonOf(thrown: unknown, signal: AbortSignal): string {
  if (isTimeUp(signal) && !isBotError(thrown)) return 'the time was up before anything was done';
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const missing = /Cannot find module '(\.[^']+)'/.exec(message)?.[1];
  if (missing !== undefined) {
    return `the installation is not whole, ${missing} is missing; install it again: npm install`;
  }
  const line = message.replace(/\s+/g, ' ').trim().slice(0, MOST_REASON);
  return isBotError(thrown) ? line : `a bug in apfel-bot (${line})`;
}

/** What does not fit on a line or two is not read. */
const MOST_REASON = 300;
