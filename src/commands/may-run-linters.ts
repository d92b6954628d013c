import { nodeFiles } from '../adapters/node-files.js';
import { isBotError } from '../core/failure.js';
import { refuseFork } from '../fix/refuse-fork.js';
import { fromEvent } from '../trigger/from-event.js';
import { type Desk, isInHook, type Opened } from './desk.js';

/**
 * A linter runs code of the project. A review does so only where that code has the user's trust: at a
 * desk for what builds on the commit that is checked out, in CI for a change of the repository's own.
 */
export async function mayRunLinters(
  base: string,
  { desk, opened }: { readonly desk: Desk; readonly opened: Opened },
): Promise<boolean> {
  const { git, isForeign } = opened;
  if (isForeign) return false;
  // A hook has no time for it, and without a work tree nothing is installed.
  if (git?.repository.top === undefined || isInHook(desk)) return false;
  if (!(await isOfOwnRepository(desk))) return false;
  const { head } = git.repository;
  return head !== undefined && (await git.mergeBase(base, head)) === base;
}

/** Only events that name both ends of the change say where it comes from. */
async function isOfOwnRepository({ env }: Desk): Promise<boolean> {
  const path = env['GITHUB_EVENT_PATH'];
  // Any other CI may be looking at anybody's change.
  if (path === undefined || path === '') return env['CI'] === undefined;
  const text = await nodeFiles.read(path);
  if (text === undefined) return false;
  try {
    refuseFork(text);
    return fromEvent(text).selector.kind === 'range';
  } catch (thrown) {
    if (isBotError(thrown)) return false;
    throw thrown;
  }
}
