import { BotError } from '../../core/failure.js';
import type { PushStep } from '../../push/room.js';
import type { GitSpot } from '../git/git-spawn.js';
import type { PushDoor } from './push-door.js';

/** One ref, and only if the remote has it where it was seen. No hook, no tag, no signature. */
export async function pushStep(
  door: PushDoor,
  spot: GitSpot,
  { branch, seen, tip }: PushStep & { readonly tip: string },
): Promise<'pushed' | 'overtaken'> {
  const ref = `refs/heads/${branch}`;
  const asked = [
    'push',
    '--porcelain',
    '--no-verify',
    '--no-signed',
    '--no-follow-tags',
    '--no-recurse-submodules',
    // Without a value behind the colon: only if there is no such branch.
    `--force-with-lease=${ref}:${seen ?? ''}`,
  ];
  const { output, failure } = await door.tryToReach(spot, [
    ...asked,
    '--',
    door.address,
    `${tip}:${ref}`,
  ]);
  if (failure === undefined) return 'pushed';
  const [, summary] = /^!\t[^\t]*\t(.*)$/m.exec(output) ?? [];
  if (summary === undefined) throw failure;
  if (OVERTAKEN.test(summary)) {
    return 'overtaken';
  }
  throw new BotError('not-permitted', `GitHub refused the branch ${branch}: ${summary}`, {
    hint: 'A rule of the repository is against it; exempt branches of this name, or the app',
    cause: failure,
  });
}

/** By the lease on our side, or by the lock on theirs. */
const OVERTAKEN =
  /stale info|non-fast-forward|fetch first|already exists|cannot lock ref|failed to update ref|incorrect old value/;
