import { knownRules } from '../checks/rules.js';
import type { Config } from '../config/config.js';
import { findConfig } from '../config/find.js';
import { isBotError } from '../core/bot-error.js';
import { isTimeUp } from '../core/deadline.js';
import type { Parsed } from '../core/task.js';
import type { Git } from '../git/git.js';
import { nodeFiles } from '../platform/files.js';
import type { CommandEnd, Session } from '../session.js';

/** One run of a hook. */
export interface HookCall {
  readonly parsed: Parsed;
  readonly session: Session;
  readonly startedAt: number;
  /** Known once the configuration has been read. */
  failsClosed: boolean;
}

export const NOTHING: CommandEnd = { text: '', ending: 'done' };

/** Lines of standard input, as far as git ever sends them. */
export async function inputLines(session: Session): Promise<string[]> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of session.stdin) {
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

export interface HookSettings {
  /** Whether a failure of ours stops git too. */
  readonly failClosed: boolean;
  /** Whether what is not done in time is done later. */
  readonly background: boolean;
}

export function hookSettings({ hooks }: Config): HookSettings {
  const given: { readonly failClosed?: boolean; readonly background?: boolean } = hooks;
  return { failClosed: given.failClosed ?? false, background: given.background ?? true };
}

/** The configuration for a hook that reviews nothing. */
export async function readHookConfig(
  parsed: Parsed,
  git: Git,
): Promise<{ readonly config: Config; readonly settings: HookSettings }> {
  const config = await findConfig({
    file: parsed.values.get('config'),
    base: undefined,
    git,
    files: nodeFiles,
    knownRules: knownRules(),
  });
  return { config, settings: hookSettings(config) };
}
