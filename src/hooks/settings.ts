import { knownRules } from '../checks/rules.js';
import type { Config } from '../config/config.js';
import { findConfig, saysFailClosed } from '../config/find.js';
import { type Git, openGit } from '../git/git.js';

import type { HookCall } from './call.js';

// A file of its own, loaded late: most commits need none of it, and the configuration with all that
// it names is four fifths of the program.

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
