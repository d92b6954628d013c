import { BotError } from '../core/failure.js';
import type { Forge, ForgePull } from '../core/forge.js';
import { isFork } from '../core/request.js';

/** The pull request: open, of this repository, and still at the commit that was linted. */
export async function openPull(
  forge: Pick<Forge, 'pull' | 'repository'>,
  { number, head }: { readonly number: number; readonly head: string },
): Promise<ForgePull> {
  const pull = await forge.pull(number);
  if (pull === undefined) {
    throw new BotError('publish-failed', `${forge.repository} has no pull request ${number}`, {
      hint: 'Check GITHUB_REPOSITORY; a token that may not read pull requests sees none',
    });
  }
  if (isFork(pull.head.repository, forge.repository)) {
    throw new BotError('not-permitted', `pull request ${number} comes from a fork`, {
      hint: 'Nothing is pushed for it: its branch is not in this repository',
    });
  }
  if (!pull.isOpen) {
    throw new BotError('publish-failed', `pull request ${number} is closed; nothing was pushed`, {
      hint: 'Reopen it, or run fix-lint on the branch it was merged into',
    });
  }
  if (pull.head.sha === head) return pull;
  throw new BotError(
    'publish-failed',
    `the outcome is of ${head.slice(0, 12)}, and pull request ${number} is at ` +
      `${pull.head.sha.slice(0, 12)} by now; nothing was pushed`,
    { hint: 'Run fix-lint on the new head' },
  );
}
