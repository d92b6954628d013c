import type { GithubPull } from '../github/types.js';
import { redactPath } from '../secrets/redact.js';
import type { DeclinedBranch, PlacedBranch } from './place-branch.js';
import type { PullResult } from './pull.js';
import type { FixedOutcome, PullText } from './pull-text.js';
import type { BundleCommit } from './remote-repo.js';

interface AnswerFacts {
  readonly outcome: FixedOutcome;
  /** The pull request with the fixes. */
  readonly pull?: { readonly number: number; readonly url: string } | undefined;
  /** Where to open one, when there is only a branch. */
  readonly compare?: string;
  /** The pull request that people closed, so that none was opened. */
  readonly closed?: { readonly number: number; readonly url: string };
  readonly footer: readonly string[];
}

export const answerMark = ({ run }: FixedOutcome): string => `<!-- apfel-bot:fix-lint ${run} -->`;

/** The result, as a comment on the pull request that was linted. Has no untrusted text. */
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
    return `Nothing was pushed: ${link} with fixes for this commit was closed without a merge. To get them after all, reopen it and run the command again.`;
  }
  if (pull !== undefined) {
    return `The fixes are in [#${pull.number}](${pull.url}): merge it to apply them.`;
  }
  if (compare === undefined) return nothingDone(outcome);
  return `The fixes are on a branch: [open a pull request](${compare}) to apply them.`;
}

const nothingDone = ({ findings, complete }: FixedOutcome): string => {
  if (!complete) return 'The run was incomplete; its log says why.';
  return findings.length === 0 ? 'There was nothing to fix.' : 'None could be fixed safely.';
};

const BRANCH_DONE: Readonly<Record<PlacedBranch['done'], string>> = {
  created: 'pushed',
  updated: 'updated',
  unchanged: 'is up to date',
};

const PULL_DONE: Readonly<Record<PullResult['done'], string>> = {
  opened: 'opened',
  updated: 'updated',
  unchanged: 'is up to date',
  edited: 'was edited by people, so its text was left alone',
};

export const pushedLines = ({
  placed,
  result,
  compare,
  isSilent,
}: {
  readonly placed: PlacedBranch;
  /** Undefined with --branch-only. */
  readonly result: PullResult | undefined;
  readonly compare: string;
  /** Opened with the token of a workflow, for which GitHub starts no workflows. */
  readonly isSilent: boolean;
}): string[] => [
  ...skippedLines(placed),
  `branch ${placed.name} ${BRANCH_DONE[placed.done]}`,
  ...(result === undefined
    ? [`open a pull request: ${compare}`]
    : [`pull request #${result.pull.number} ${PULL_DONE[result.done]}: ${result.pull.url}`]),
  ...(isSilent
    ? [
        'it was opened with GITHUB_TOKEN, so GitHub starts no workflows for it: close and reopen ' +
          'it, or give push the token of a GitHub App',
      ]
    : []),
];

const skippedLines = ({ skipped }: Pick<PlacedBranch, 'skipped'>): string[] =>
  skipped.map(({ name, reason }) => `branch ${name} was left alone: ${reason}`);

/** Why nothing was pushed, and what would change that. */
export const declinedLines = (branch: DeclinedBranch): string[] => [
  ...skippedLines(branch),
  `nothing pushed: ${closedText(branch.name, branch.closed)}`,
  `to get the fixes after all, reopen #${branch.closed.number} and push again; or push with ` +
    '--branch-only and open another one',
];

const closedText = (name: string, { number, url }: GithubPull): string =>
  `pull request #${number} from ${name} was closed without a merge: ${url}`;

/** For `--dry-run`. */
export const plannedLines = ({
  name,
  closed,
  baseBranch,
  commits,
  text,
}: {
  readonly name: string;
  /** The pull request that people closed. */
  readonly closed: GithubPull | undefined;
  readonly baseBranch: string;
  readonly commits: readonly BundleCommit[];
  readonly text: PullText;
}): string[] => [
  closed === undefined
    ? `would push ${name}, to be merged into ${baseBranch}:`
    : `would push nothing, because ${closedText(name, closed)}; otherwise, to be merged into ${baseBranch}:`,
  ...commits.map(
    ({ id, message, paths }) =>
      `  ${id.slice(0, 12)} ${message.split('\n', 1)[0]} (${paths.map(redactPath).join(', ')})`,
  ),
  'with this pull request:',
  '',
  text.title,
  '',
  text.body.trimEnd(),
];
