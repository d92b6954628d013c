import { knownRules } from '../checks/rules.js';
import type { Config } from '../config/config.js';
import { findConfig, saysFailClosed } from '../config/find.js';
import { countOf, field } from '../core/json-fields.js';
import { type Git, openGit, userGitContext } from '../git/git.js';
import { describeRepository } from '../git/repository.js';
import { nodeClock } from '../platform/clock.js';
import { ownPlace, readOwnFile, writeOwnFile } from '../platform/own-files.js';
import type { HookCall } from './call.js';

// A separate file, loaded late: most commits need none of it, and the configuration with all its
// imports is four fifths of the program.

/** The configuration for a hook that reviews nothing itself. */
export const readHookConfig = ({ parsed }: HookCall, git: Git): Promise<Config> =>
  findConfig({
    file: parsed.values.get('config'),
    base: undefined,
    git,
    knownRules: knownRules(),
  });

/** `hooks.background`: whether a later run finishes what the deadline cut off. */
export async function isBackgroundOn(call: HookCall): Promise<boolean> {
  const git = await openGit({ ...call.session, expectsStaged: false });
  return (await readHookConfig(call, git)).hooks.background;
}

/** `hooks.failClosed`, even where the rest of the configuration is invalid. */
export async function failsClosed({ parsed, session }: HookCall): Promise<boolean> {
  try {
    const git = await openGit({ ...session, expectsStaged: false });
    const file = parsed.values.get('config');
    return await saysFailClosed({ file, base: undefined, git });
  } catch {
    // Without a repository there is no configuration; the time may be up as well.
    return false;
  }
}

/** Long enough for the hooks of one commit, short enough to remember. */
const RECENT_MS = 10 * 60_000;
const MAX_BYTES = 4096;

/** Whether a hook has recently printed this reason, most likely in the same commit; records it if not. */
export async function wasPrinted({ session }: HookCall, reason: string): Promise<boolean> {
  try {
    const { gitDir } = await describeRepository(userGitContext(session));
    const file = ownPlace(gitDir, 'printed.json');
    const last = await readOwnFile(file, MAX_BYTES);
    if (
      field(last, 'reason') === reason &&
      nodeClock.now() - (countOf(field(last, 'at')) ?? 0) < RECENT_MS
    )
      return true;
    await writeOwnFile(file, { v: 1, reason, at: nodeClock.now() });
  } catch {
    // If it can't be recorded, it is printed again.
  }
  return false;
}
