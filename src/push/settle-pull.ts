import { BotError, isBotError } from '../core/failure.js';
import { type Forge, type ForgePull, troubleOf } from '../core/forge.js';
import { isSamePull, isUntouched, type PullText } from './pull-mark.js';

export interface PullEnd {
  readonly pull: ForgePull;
  readonly done: 'opened' | 'updated' | 'unchanged' | 'edited';
}

export interface PullWish {
  readonly forge: Pick<Forge, 'pullsFrom' | 'createPull' | 'updatePull'>;
  readonly branch: string;
  /** The branch it is to be merged into. */
  readonly home: string;
  readonly text: PullText;
  /** Does a round again until it says that there is nothing left to do. */
  readonly untilDone: (round: () => Promise<boolean>) => Promise<void>;
}

/** One open pull request from the branch, saying what we have to say unless people have edited it. */
export async function settlePull(wish: PullWish): Promise<PullEnd> {
  const { forge, branch, home, text, untilDone } = wish;
  let end: PullEnd | undefined;
  let refusals = 0;
  await untilDone(async () => {
    const all = await forge.pullsFrom(branch);
    const [pull] = all
      .filter(({ base, isOpen }) => isOpen && base.ref === home)
      .sort((one, other) => one.number - other.number);
    if (pull !== undefined) {
      end = await refresh(wish, pull);
      return true;
    }
    try {
      const made = await forge.createPull({ ...text, head: branch, base: home, isDraft: false });
      end = { pull: made, done: 'opened' };
      return true;
    } catch (thrown) {
      refusals += 1;
      // Somebody may have been quicker, which GitHub refuses; a second look tells.
      if (troubleOf(thrown) !== 'refused' || refusals > 1) throw thrown;
      return false;
    }
  });
  if (end === undefined) throw new BotError('bug', 'a pull request was settled without one');
  return end;
}

async function refresh({ forge, text }: PullWish, pull: ForgePull): Promise<PullEnd> {
  if (isSamePull(pull, text)) return { pull, done: 'unchanged' };
  if (!isUntouched(pull)) return { pull, done: 'edited' };
  await forge.updatePull(pull.number, text);
  return { pull, done: 'updated' };
}

/** The branch is there, and whoever may can open the pull request by the link. */
export function notOpened(thrown: unknown, compare: string): BotError {
  if (!isBotError(thrown) || thrown.code !== 'not-permitted') throw thrown;
  const isSetting = /not permitted to create/i.test(thrown.message);
  const hint = isSetting
    ? 'Settings, Actions, General: "Allow GitHub Actions to create and approve pull requests" is ' +
      'off; turn it on, use the token of a GitHub App, or push with --branch-only'
    : (thrown.hint ?? 'The job needs permissions: pull-requests: write');
  return new BotError(
    isSetting ? 'publish-failed' : 'not-permitted',
    `the branch is pushed, but there is no pull request: ${thrown.message}`,
    { hint: `${hint}\n  Open the pull request here: ${compare}`, cause: thrown },
  );
}
