import { BotError } from '../core/bot-error.js';
import { count } from '../core/count.js';
import { fingerprint } from '../core/finding.js';
import type { FixBranch, FixEdit, FixOutcome, Outcome } from '../core/outcome.js';
import { WORKFLOW_LOGIN } from '../github/people.js';
import type { GithubPull } from '../github/pulls.js';
import { codeSpan, forMarkdown } from '../platform/safe-markdown.js';

import { redact, redactPath } from '../secrets/redact.js';
import type { BundleCommit } from './bundle.js';
import { cutText } from './comment-body.js';
import type { DeclinedBranch, PlacedBranch } from './place-branch.js';
import type { PullResult } from './push.js';

interface PullFacts {
  readonly outcome: FixedOutcome;
  readonly commits: readonly BundleCommit[];
  /** The pull request that was linted. */
  readonly pull: number | undefined;
  /** The branch to merge it into. */
  readonly baseBranch: string;
  /** The login that opens the pull request. */
  readonly login: string;
  readonly footer: readonly string[];
}

/** Enough to read in a minute; the outcome file and the commits have everything. */
const MAX_ROWS = 20;
const MAX_CELL = 160;
/** GitHub takes 256 characters and shows about seventy. */
const MAX_TITLE = 72;

/** Its only untrusted text is the names of rules, and only plain ones. */
export function pullTitle({ edits = [], diagnostics }: FixedOutcome): string {
  const rules = fixedRules(edits);
  const fixed = diagnostics?.fixed ?? rules.reduce((sum, each) => sum + each.count, 0);
  const start = `Fix ${count(fixed, 'linter diagnostic')}`;
  const plain = rules
    .map(({ rule }) => rule.replace(/^@/, ''))
    .filter(rule => /^[A-Za-z][\w./-]{0,60}$/.test(rule));
  let title = start;
  for (const [at, rule] of plain.entries()) {
    const longer = `${title}${at === 0 ? ': ' : ', '}${rule}`;
    if (longer.length > MAX_TITLE) return at === 0 ? title : `${title}, …`;
    title = longer;
  }
  return title;
}

/** The parts of the description, most important first: the caller takes as many as fit. */
export function pullParts(facts: PullFacts): string[] {
  const { outcome } = facts;
  const doubtful = (outcome.edits ?? []).filter(isWorthALook);
  return [
    opening(facts),
    rulesPart(outcome),
    doubtful.length === 0
      ? ''
      : `**Worth a look, because these edits are not the linter's own fixes:**\n\n${list(doubtful.map(placeOf))}\n\n`,
    leftPart(outcome),
    checkedPart(facts),
    notesPart(outcome),
    closing(facts),
  ].filter(part => part !== '');
}

function rulesPart({ edits = [] }: FixedOutcome): string {
  const rules = fixedRules(edits);
  const shown = rules.slice(0, MAX_ROWS);
  const rows = shown.map(({ rule, sources }) => [codeSpan(cut(rule)), sources]);
  return `${table(['Rule', 'Fixed'], rows)}${andMore(rules.length - rows.length)}`;
}

const isWorthALook = ({ status, by }: FixEdit): boolean => status === 'kept' && by !== 'linter';

function opening({ outcome, pull, baseBranch }: PullFacts): string {
  const { diagnostics, change } = outcome;
  const name = codeSpan(cut(baseBranch));
  const where = pull === undefined ? name : `#${pull} (${name})`;
  const amount =
    diagnostics === undefined
      ? 'Fixes linter diagnostics'
      : `Fixes ${diagnostics.fixed} of ${count(diagnostics.before, 'linter diagnostic')}`;
  return `${amount} in ${where} at ${change.head.slice(0, 12)}.\n\n`;
}

function leftPart({ findings }: FixedOutcome): string {
  if (findings.length === 0) return '';
  const rows = findings
    .slice(0, MAX_ROWS)
    .map(finding => [
      codeSpan(cut(`${redactPath(finding.path)}:${finding.line}`)),
      codeSpan(cut(finding.rule)),
      forMarkdown(brief(finding.message)),
      forMarkdown(brief(finding.left ?? '')),
    ]);
  const rest = findings.length - rows.length;
  return (
    `<details><summary>${findings.length} not fixed</summary>\n\n` +
    `${table(['Where', 'Rule', 'Message', 'Reason'], rows)}${andMore(rest)}</details>\n\n`
  );
}

/** What the run reports, marked as such, and what `push` checked itself. */
function checkedPart({ outcome, commits }: PullFacts): string {
  const { diagnostics, complete } = outcome;
  const paths = [...new Set(commits.flatMap(commit => commit.paths))];
  const counts =
    diagnostics === undefined
      ? []
      : [
          `Diagnostics reported by the run: ${diagnostics.before} before, ` +
            `${diagnostics.after} after, ${diagnostics.introduced} introduced.`,
        ];
  return `${list([
    ...counts,
    ...(complete ? [] : ['The run was incomplete.']),
    `Checked before the push: ${count(commits.length, 'commit')}, edits to ` +
      `${count(paths.length, 'existing file')}, none of them protected; no file added, ` +
      'deleted or made executable.',
    'The checks of this pull request show whether the tests pass.',
  ])}\n\n`;
}

const notesPart = ({ notices = [] }: Partial<FixedOutcome>): string =>
  notices.length === 0
    ? ''
    : `<details><summary>Notes from the run</summary>\n\n${list(
        notices.map(notice => forMarkdown(brief(notice))),
      )}\n\n</details>\n\n`;

function closing({ login, footer }: PullFacts): string {
  const silent =
    login === WORKFLOW_LOGIN
      ? 'This pull request was opened with `GITHUB_TOKEN`, so GitHub starts no workflows for it: ' +
        'close and reopen it to start them.\n\n'
      : '';
  return `${silent}<sub>${footer.join(' · ')}</sub>\n`;
}

const placeOf = ({ path, diagnostic }: FixEdit): string =>
  `${codeSpan(cut(`${redactPath(path)}:${diagnostic.line}`))} ${codeSpan(cut(diagnostic.rule))}`;

function list(items: readonly string[]): string {
  const rest = items.length - MAX_ROWS;
  const lines = items.slice(0, MAX_ROWS).map(item => `- ${item}`);
  return [...lines, ...(rest > 0 ? [`- and ${rest} more`] : [])].join('\n');
}

function table(heads: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  if (rows.length === 0) return '';
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return `${[row(heads), row(heads.map(() => '---')), ...rows.map(row)].join('\n')}\n\n`;
}

const andMore = (rest: number): string => (rest > 0 ? `and ${rest} more\n\n` : '');

/** Redacts before cutting: half a secret would not be recognised. */
const brief = (text: string): string => cut(redact(text.slice(0, 10 * MAX_CELL)));

const cut = (text: string): string => cutText(text, MAX_CELL);

interface FixedRule {
  readonly rule: string;
  readonly count: number;
  /** `3 by the linter, 1 by the model` */
  readonly sources: string;
}

const BY: Readonly<Record<FixEdit['by'], string>> = {
  linter: 'the linter',
  suggestion: 'a linter suggestion',
  model: 'the model',
};

/** The fixes that were kept, by rule, the most frequent first. */
function fixedRules(edits: readonly FixEdit[]): FixedRule[] {
  const rules = new Map<string, Map<FixEdit['by'], number>>();
  for (const { status, diagnostic, by } of edits) {
    if (status !== 'kept') continue;
    const counts = rules.get(diagnostic.rule) ?? new Map<FixEdit['by'], number>();
    rules.set(diagnostic.rule, counts.set(by, (counts.get(by) ?? 0) + 1));
  }
  return [...rules]
    .map(([rule, counts]) => ({
      rule,
      count: [...counts.values()].reduce((sum, each) => sum + each, 0),
      sources: [...counts].map(([by, amount]) => `${amount} by ${BY[by]}`).join(', '),
    }))
    .sort((one, other) => other.count - one.count);
}

const MARK = /^<!-- apfel-bot:fix-lint ([0-9a-f]{16}) -->\n/;

export interface PullText {
  readonly title: string;
  readonly body: string;
}

/** The same text with a hidden first line by which a later run recognises it. */
export const markPull = ({ title, body }: PullText): PullText => ({
  title,
  body: `<!-- apfel-bot:fix-lint ${digestOf({ title, body })} -->\n${body.trim()}\n`,
});

/** Whether title and description are as we wrote them; we don't overwrite people's edits. */
export function isUntouched({ title, body }: PullText): boolean {
  const text = body.replaceAll('\r\n', '\n');
  const mark = MARK.exec(text);
  if (mark === null) return false;
  return mark[1] === digestOf({ title, body: text.slice(mark[0].length) });
}

export const isSamePull = (one: PullText, other: PullText): boolean =>
  one.title === other.title && normalised(one.body) === normalised(other.body);

const normalised = (body: string): string => body.replaceAll('\r\n', '\n').trim();

const digestOf = ({ title, body }: PullText): string =>
  fingerprint(`${title}\n${normalised(body)}`);

/** As the schema allows: anything that `fix-lint` writes may be missing. */
export type FixedOutcome = Outcome & Partial<Pick<FixOutcome, 'edits' | 'branch' | 'diagnostics'>>;

/** The outcome's branch with its bundle; undefined if nothing was fixed. */
export function branchOf(
  outcome: FixedOutcome,
): (FixBranch & { readonly bundle: string }) | undefined {
  const { branch, change } = outcome;
  if (branch === undefined) return undefined;
  const { base, bundle } = branch;
  if (base !== change.head) {
    throw edited(`its branch starts at ${base.slice(0, 12)}, not at the commit that was linted`);
  }
  if (bundle === null) {
    throw new BotError(
      'publish-failed',
      'the outcome has a branch, but no bundle with its commits',
      {
        hint: 'Make it again with: apfel-bot fix-lint --out FILE',
      },
    );
  }
  // Only a file next to the outcome, whatever the name says.
  if (!/^[^/\\:]+$/.test(bundle) || bundle === '.' || bundle === '..') {
    throw edited(
      `its bundle is ${JSON.stringify(bundle.slice(0, 100))}, which isn't a file next to it`,
    );
  }
  return { ...branch, bundle };
}

export const edited = (why: string): BotError =>
  new BotError('not-permitted', `the outcome was edited: ${why}`, {
    hint: 'Push the file that fix-lint wrote, or run it again',
  });

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

/** The result, as a comment on the pull request that was linted. Contains no untrusted text. */
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
  /** Opened with a workflow's token, for which GitHub starts no workflows. */
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
