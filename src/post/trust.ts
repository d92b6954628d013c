import type { DescriptionOutcome } from '../core/description.js';
import { BotError } from '../core/failure.js';
import type { Finding } from '../core/finding.js';
import type { ForgePull } from '../core/forge.js';
import { HUNK_STATES } from '../core/ledger.js';
import type { AnswerOutcome, ChangeSummary, Outcome } from '../core/outcome.js';

export type ReviewOutcome = Outcome & { readonly task: 'review' | 'fix-lint' };

/** What an outcome file can hold once its schema was checked. */
export type AnyOutcome = ReviewOutcome | AnswerOutcome | DescriptionOutcome;

export const isReview = (outcome: AnyOutcome): outcome is ReviewOutcome =>
  outcome.task === 'review' || outcome.task === 'fix-lint';

export const changeOf = (outcome: AnyOutcome): ChangeSummary | undefined =>
  'change' in outcome ? outcome.change : undefined;

/**
 * The schema vouches for the shape; that the parts agree with each other is checked here. A file
 * that passed through other hands may claim to be complete, or name a finding twice.
 */
export function trusted(outcome: ReviewOutcome): ReviewOutcome {
  const { ledger } = outcome;
  const sum = HUNK_STATES.reduce((all, state) => all + ledger[state], 0);
  if (sum !== ledger.total) {
    throw new BotError(
      'publish-failed',
      `the outcome was edited: its ledger speaks of ${ledger.total} hunks and lists ${sum}`,
      { hint: 'Post the file that the run wrote, or run it again' },
    );
  }
  const isDone = ledger.outOfTime + ledger.refused + ledger.failed === 0;
  return {
    ...outcome,
    findings: eachOnce(outcome.findings),
    notices: outcome.notices ?? [],
    complete: outcome.complete && isDone,
  };
}

const eachOnce = (findings: readonly Finding[]): Finding[] => {
  const byId = new Map<string, Finding>();
  for (const finding of findings) if (!byId.has(finding.id)) byId.set(finding.id, finding);
  return [...byId.values()];
};

/** An outcome is of one repository; the token decides which one is written to, not the file. */
export function mustBeHere(outcome: AnyOutcome, repository: string): void {
  const named = changeOf(outcome)?.repository ?? null;
  if (named === null || named.toLowerCase() === repository.toLowerCase()) return;
  throw new BotError('not-permitted', `the outcome is of ${named}, not of ${repository}`, {
    hint: 'GITHUB_REPOSITORY says where to publish; post each outcome where it belongs',
  });
}

/** Nothing is said about code that has been replaced in the meantime. */
export function mustBeHead(outcome: AnyOutcome, pull: ForgePull): void {
  const head = changeOf(outcome)?.head;
  if (head === undefined || head === pull.head.sha) return;
  throw new BotError(
    'publish-failed',
    `the outcome is of ${head.slice(0, 12)}, and pull request ${pull.number} is at ` +
      `${pull.head.sha.slice(0, 12)} by now; nothing was posted`,
    { hint: 'The run for the new head posts its own; run the review again if there is none' },
  );
}
