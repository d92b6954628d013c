import { BotError } from '../core/failure.js';
import { type AnyOutcome, changeOf } from './trust.js';

export interface PostAsked {
  /** `--pr N` */
  readonly pr: number | undefined;
  readonly note: boolean;
  readonly check: boolean;
}

export interface PostTargets {
  readonly pull: number | undefined;
  readonly isNote: boolean;
  readonly isCheck: boolean;
  /** Whether a token is needed at all. */
  readonly onForge: boolean;
}

/** Where an outcome goes: what was asked for, else its pull request, else a note. */
export function targetsOf(outcome: AnyOutcome, asked: PostAsked): PostTargets {
  const change = changeOf(outcome);
  if (change?.head === 'index' || change?.head === 'stdin') {
    const what = change.head === 'index' ? 'the index' : 'a diff from standard input';
    throw new BotError('usage', `the outcome is of ${what}, which has no commit to speak of`, {
      hint: 'Post the outcome of a commit or a range; of the index, post-commit keeps a note',
    });
  }
  // With --note alone nothing is asked of GitHub.
  const own = asked.note && !asked.check ? undefined : (change?.pull ?? undefined);
  const pull = asked.pr ?? own;
  const isAnywhere = pull !== undefined || asked.check;
  if (change === undefined && pull === undefined) {
    throw new BotError('usage', `an outcome of ${outcome.task} is posted on a pull request`, {
      hint: 'Say which one: --pr N',
    });
  }
  return {
    pull,
    isNote: asked.note || !isAnywhere,
    isCheck: asked.check,
    onForge: isAnywhere,
  };
}
