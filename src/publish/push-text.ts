import type { GithubPull } from '../github/types.js';
import type { DeclinedBranch, PlacedBranch } from './place-branch.js';
import type { PullEnd } from './pull.js';
import type { FixedOutcome, PullText } from './pull-text.js';
import type { BundleCommit } from './remote-repo.js';

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

export interface Pushed {
  readonly placed: PlacedBranch;
  /** Undefined when only the branch was wanted. */
  readonly end: PullEnd | undefined;
  readonly compare: string;
  /** Opened with the token of a workflow. */
  readonly isSilent: boolean;
}

const DONE: Readonly<Record<PlacedBranch['done'], string>> = {
  created: 'pushed',
  updated: 'updated',
  unchanged: 'was there already',
};

const SAID: Readonly<Record<PullEnd['done'], string>> = {
  opened: 'opened',
  updated: 'updated',
  unchanged: 'is there and says it all',
  edited: 'is there; people have edited it, so its text was left',
};

/** What was done, for people. */
export const pushedLines = ({ placed, end, compare, isSilent }: Pushed): string[] => [
  ...passedLines(placed),
  `branch ${placed.name} ${DONE[placed.done]}`,
  ...(end === undefined
    ? [`open the pull request here: ${compare}`]
    : [`pull request #${end.pull.number} ${SAID[end.done]}: ${end.pull.url}`]),
  ...(isSilent
    ? [
        'it was opened with GITHUB_TOKEN, so no workflow starts by itself: close and reopen it, or ' +
          'give push the token of a GitHub App',
      ]
    : []),
];

const passedLines = ({ passedOver }: Pick<PlacedBranch, 'passedOver'>): string[] =>
  passedOver.map(({ name, reason }) => `the branch ${name} was left: ${reason}`);

/** Why nothing was done, and what would change that. */
export const declinedLines = (branch: DeclinedBranch): string[] => [
  ...passedLines(branch),
  `nothing pushed: ${closedWords(branch.name, branch.closed)}`,
  `to have it after all reopen #${branch.closed.number} and push again, or push with --branch-only ` +
    'and open another one by the link',
];

const closedWords = (name: string, { number, url }: GithubPull): string =>
  `pull request #${number} from ${name} was closed without a merge: ${url}`;

export interface Planned {
  readonly name: string;
  /** People have said no to it already. */
  readonly closed: GithubPull | undefined;
  readonly home: string;
  readonly commits: readonly BundleCommit[];
  readonly text: PullText;
}

/** What would be done. */
export const plannedLines = ({ name, closed, home, commits, text }: Planned): string[] => [
  closed === undefined
    ? `would push ${name}, to be merged into ${home}:`
    : `would push nothing, since ${closedWords(name, closed)}; else to ${home}:`,
  ...commits.map(
    ({ id, message, paths }) =>
      `  ${id.slice(0, 12)} ${message.split('\n', 1)[0]} (${paths.join(', ')})`,
  ),
  'with this pull request:',
  '',
  text.title,
  '',
  text.body.trimEnd(),
];
