import { type Whereabouts, writingSpot } from '../commit/git-commit-spot.js';
import { runGit } from './git-spawn.js';

/** Whether a branch of the remote, as it was last fetched, has exactly this commit as its head. */
export async function isFetchedBranchHead(
  where: Whereabouts,
  { remote, commit }: { readonly remote: string; readonly commit: string },
): Promise<boolean> {
  const listing = ['for-each-ref', '--format=%(objectname)', `refs/remotes/${remote}/`];
  const { code, stdout } = await runGit(writingSpot(where), listing);
  return code === 0 && stdout.toString('latin1').split('\n').includes(commit);
}
