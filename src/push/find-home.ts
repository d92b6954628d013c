import { BotError } from '../core/failure.js';
import type { PushRoom } from './room.js';

/**
 * The branch that fixes of a commit go to when no pull request says so. A commit that no branch here
 * has may come from a fork, whose objects GitHub serves under our name as well: it goes nowhere.
 */
export async function findHome(
  room: Pick<PushRoom, 'branches' | 'isPartOf'>,
  commit: string,
  defaultBranch: string,
): Promise<string> {
  const branches = await room.branches();
  if (branches.get(defaultBranch) === commit) return defaultBranch;
  const isOld = branches.has(defaultBranch) && (await room.isPartOf(commit, defaultBranch));
  if (isOld) return defaultBranch;
  const [other, ...more] = [...branches].filter(([, head]) => head === commit);
  if (other !== undefined && more.length === 0) return other[0];
  const names = more.length > 0 ? [other, ...more].flatMap(each => each?.[0] ?? []).join(', ') : '';
  throw new BotError(
    'publish-failed',
    names === ''
      ? `${commit.slice(0, 12)} is neither in ${defaultBranch} nor the head of another branch`
      : `${commit.slice(0, 12)} is the head of several branches (${names})`,
    { hint: 'Push your commits first, and name the pull request with --pr N if there is one' },
  );
}
