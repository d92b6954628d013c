import type { FixedOutcome } from './fixed-outcome.js';

export interface AnswerFacts {
  readonly outcome: FixedOutcome;
  /** The pull request with the fixes. */
  readonly pull: { readonly number: number; readonly url: string } | undefined;
  /** Where to open one, when a branch is all there is. */
  readonly compare: string | undefined;
  readonly footer: readonly string[];
}

export const answerMark = ({ run }: FixedOutcome): string => `<!-- apfel-bot:fix-lint ${run} -->`;

/** What came of it, for those who read the pull request that was linted. Only words of our own. */
export function answerText({ outcome, pull, compare, footer }: AnswerFacts): string {
  const { before = 0, after = 0, fixed = 0 } = outcome.diagnostics ?? {};
  const left = after === 0 ? '' : `, ${after} left`;
  const where =
    pull !== undefined
      ? `They are fixed in [#${pull.number}](${pull.url}): merge it to take them over.`
      : compare === undefined
        ? nothingDone(outcome)
        : `They are fixed on a branch: [open the pull request](${compare}) to take them over.`;
  return (
    `**apfel-bot: ${fixed} of ${before} linter ${before === 1 ? 'diagnostic' : 'diagnostics'} ` +
    `fixed${left}**\n\n${where}\n\n<sub>${footer.join(' · ')}</sub>\n`
  );
}

const nothingDone = ({ findings, complete }: FixedOutcome): string => {
  if (!complete) return 'The run was incomplete; its log tells why.';
  return findings.length === 0 ? 'There was nothing to fix.' : 'None could be fixed safely.';
};
