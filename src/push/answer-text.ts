import type { FixedOutcome } from './fixed-outcome.js';

export interface AnswerFacts {
  readonly outcome: FixedOutcome;
  /** The pull request with the fixes. */
  readonly pull: { readonly number: number; readonly url: string } | undefined;
  /** Where to open one, when a branch is all there is. */
  readonly compare: string | undefined;
  /** The pull request that was closed, so that none was opened. */
  readonly closed: { readonly number: number; readonly url: string } | undefined;
  readonly footer: readonly string[];
}

export const answerMark = ({ run }: FixedOutcome): string => `<!-- apfel-bot:fix-lint ${run} -->`;

/** What came of it, for those who read the pull request that was linted. Only words of our own. */
export function answerText(facts: AnswerFacts): string {
  const { outcome, footer } = facts;
  const { before = 0, after = 0, fixed = 0 } = outcome.diagnostics ?? {};
  const left = after === 0 ? '' : `, ${after} left`;
  return (
    `**apfel-bot: ${fixed} of ${before} linter ${before === 1 ? 'diagnostic' : 'diagnostics'} ` +
    `fixed${left}**\n\n${where(facts)}\n\n<sub>${footer.join(' · ')}</sub>\n`
  );
}

function where({ outcome, pull, compare, closed }: AnswerFacts): string {
  if (closed !== undefined) {
    const link = `[#${closed.number}](${closed.url})`;
    return `They were not pushed: ${link} with fixes of this commit was closed without a merge. Reopen it and ask again to have them after all.`;
  }
  if (pull !== undefined) {
    return `They are fixed in [#${pull.number}](${pull.url}): merge it to take them over.`;
  }
  if (compare === undefined) return nothingDone(outcome);
  return `They are fixed on a branch: [open the pull request](${compare}) to take them over.`;
}

const nothingDone = ({ findings, complete }: FixedOutcome): string => {
  if (!complete) return 'The run was incomplete; its log tells why.';
  return findings.length === 0 ? 'There was nothing to fix.' : 'None could be fixed safely.';
};
