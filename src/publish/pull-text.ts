import { BotError } from '../core/bot-error.js';
import { type Finding, fingerprint } from '../core/finding.js';
import type { Outcome } from '../core/outcome.js';
import { codeSpan, forMarkdown } from '../platform/safe-markdown.js';
import { redact } from '../secrets/redact.js';
import type { BundleCommit } from './remote-repo.js';

export interface PullFacts {
  readonly outcome: FixedOutcome;
  readonly commits: readonly BundleCommit[];
  /** The pull request whose branch this goes to. */
  readonly pull: number | undefined;
  /** The branch this goes to. */
  readonly home: string;
  /** Whom the pull request is opened as. */
  readonly login: string;
  readonly footer: readonly string[];
}

/** What a workflow's own token writes as. */
export const WORKFLOW_LOGIN = 'github-actions[bot]';

/** A minute's reading; everything is in the outcome file and in the commits. */
const MOST_ROWS = 20;
const MOST_CELL = 160;
/** GitHub takes 256 characters, and shows some seventy. */
const MOST_TITLE = 72;

/** The only words of others in it are names of rules, and of those only plain ones. */
export function pullTitle({ edits = [], diagnostics }: FixedOutcome): string {
  const rules = fixedRules(edits);
  const count = diagnostics?.fixed ?? rules.reduce((sum, each) => sum + each.count, 0);
  const start = `Fix ${counted(count, 'linter diagnostic')}`;
  const plain = rules
    .map(({ rule }) => rule.replace(/^@/, ''))
    .filter(rule => /^[A-Za-z][\w./-]{0,60}$/.test(rule));
  let title = start;
  for (const [at, rule] of plain.entries()) {
    const longer = `${title}${at === 0 ? ': ' : ', '}${rule}`;
    if (longer.length > MOST_TITLE) return at === 0 ? title : `${title}, …`;
    title = longer;
  }
  return title;
}

/** The description in parts, the most needed first: as many are taken as fit. */
export function pullParts(facts: PullFacts): string[] {
  const { outcome } = facts;
  const models = (outcome.edits ?? []).filter(isModels);
  return [
    opening(facts),
    rulesPart(outcome),
    models.length === 0
      ? ''
      : `**Written by the model, look at these first:**\n\n${list(models.map(placeOf))}\n\n`,
    leftPart(outcome),
    checkedPart(facts),
    notesPart(outcome),
    closing(facts),
  ].filter(part => part !== '');
}

function rulesPart({ edits = [] }: FixedOutcome): string {
  const rules = fixedRules(edits);
  const shown = rules.slice(0, MOST_ROWS);
  const rows = shown.map(({ rule, hands }) => [codeSpan(cut(rule)), hands]);
  return `${table(['Rule', 'Fixed'], rows)}${andMore(rules.length - rows.length)}`;
}

const isModels = ({ status, by }: FixedEdit): boolean => status === 'kept' && by === 'model';

function opening({ outcome, pull, home }: PullFacts): string {
  const { diagnostics, change } = outcome;
  const where = pull === undefined ? codeSpan(cut(home)) : `#${pull} (${codeSpan(cut(home))})`;
  const amount =
    diagnostics === undefined
      ? 'Fixes linter diagnostics'
      : `Fixes ${diagnostics.fixed} of ${counted(diagnostics.before, 'linter diagnostic')}`;
  return `${amount} in ${where} at ${change.head.slice(0, 12)}.\n\n`;
}

function leftPart({ findings, edits = [] }: FixedOutcome): string {
  if (findings.length === 0) return '';
  const rows = findings
    .slice(0, MOST_ROWS)
    .map(finding => [
      codeSpan(cut(`${finding.path}:${finding.line}`)),
      codeSpan(cut(finding.rule)),
      forMarkdown(brief(finding.message)),
      forMarkdown(brief(whyLeft(finding, edits))),
    ]);
  const rest = findings.length - rows.length;
  return (
    `<details><summary>${findings.length} left</summary>\n\n` +
    `${table(['Where', 'Rule', 'Message', 'Why it is left'], rows)}${andMore(rest)}</details>\n\n`
  );
}

/** The last thing that was said of a try for it. */
const whyLeft = ({ path, line, rule }: Finding, edits: readonly FixedEdit[]): string =>
  edits.findLast(
    edit =>
      edit.status === 'rejected' &&
      edit.path === path &&
      edit.diagnostic.rule === rule &&
      edit.diagnostic.line === line,
  )?.reason ?? '';

/** What the run says, marked as such, and what was looked at again before the push. */
function checkedPart({ outcome, commits }: PullFacts): string {
  const { diagnostics, complete } = outcome;
  const paths = [...new Set(commits.flatMap(commit => commit.paths))];
  const counts =
    diagnostics === undefined
      ? []
      : [
          `The run counted ${diagnostics.before} before, ${diagnostics.after} after, ` +
            `${diagnostics.introduced} introduced.`,
        ];
  return `${list([
    ...counts,
    ...(complete ? [] : ['The run was incomplete.']),
    `Checked before the push: ${counted(commits.length, 'commit')}, edits of ` +
      `${counted(paths.length, 'existing file')}, none of them protected; nothing added, ` +
      'deleted or made executable.',
    'Whether tests pass is for the checks of this pull request to say.',
  ])}\n\n`;
}

const notesPart = ({ notices = [] }: Partial<FixedOutcome>): string =>
  notices.length === 0
    ? ''
    : `<details><summary>Notes of the run</summary>\n\n${list(
        notices.map(notice => forMarkdown(brief(notice))),
      )}\n\n</details>\n\n`;

function closing({ login, footer }: PullFacts): string {
  const silent =
    login === WORKFLOW_LOGIN
      ? 'It was opened with `GITHUB_TOKEN`, so no workflow starts by itself: close and reopen it to ' +
        'start them.\n\n'
      : '';
  return `${silent}<sub>${footer.join(' · ')}</sub>\n`;
}

const placeOf = ({ path, diagnostic }: FixedEdit): string =>
  `${codeSpan(cut(`${path}:${diagnostic.line}`))} ${codeSpan(cut(diagnostic.rule))}`;

function list(items: readonly string[]): string {
  const rest = items.length - MOST_ROWS;
  const lines = items.slice(0, MOST_ROWS).map(item => `- ${item}`);
  return [...lines, ...(rest > 0 ? [`- and ${rest} more`] : [])].join('\n');
}

function table(heads: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  if (rows.length === 0) return '';
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return `${[row(heads), row(heads.map(() => '---')), ...rows.map(row)].join('\n')}\n\n`;
}

const andMore = (rest: number): string => (rest > 0 ? `and ${rest} more\n\n` : '');

const counted = (amount: number, noun: string): string =>
  `${amount} ${noun}${amount === 1 ? '' : 's'}`;

/** A secret that the cut went through would no longer be known as one, so more is looked at. */
const brief = (text: string): string => cut(redact(text.slice(0, 10 * MOST_CELL)));

function cut(text: string): string {
  const chars = [...text.slice(0, 2 * MOST_CELL)];
  return chars.length > MOST_CELL ? `${chars.slice(0, MOST_CELL - 1).join('')}…` : text;
}

export interface FixedRule {
  readonly rule: string;
  readonly count: number;
  /** `3 by the linter, 1 by the model` */
  readonly hands: string;
}

const BY: Readonly<Record<FixedEdit['by'], string>> = {
  linter: 'the linter',
  suggestion: 'a suggestion of the linter',
  model: 'the model',
};

/** What was kept, by rule, the most frequent first. */
export function fixedRules(edits: readonly FixedEdit[]): FixedRule[] {
  const rules = new Map<string, Map<FixedEdit['by'], number>>();
  for (const { status, diagnostic, by } of edits) {
    if (status !== 'kept') continue;
    const hands = rules.get(diagnostic.rule) ?? new Map<FixedEdit['by'], number>();
    rules.set(diagnostic.rule, hands.set(by, (hands.get(by) ?? 0) + 1));
  }
  return [...rules]
    .map(([rule, hands]) => ({
      rule,
      count: [...hands.values()].reduce((sum, each) => sum + each, 0),
      hands: [...hands].map(([by, amount]) => `${amount} by ${BY[by]}`).join(', '),
    }))
    .sort((one, other) => other.count - one.count);
}

const MARK = /^<!-- apfel-bot:fix-lint ([0-9a-f]{16}) -->\n/;

export interface PullText {
  readonly title: string;
  readonly body: string;
}

/** The same text with a hidden first line by which a later run knows it. */
export const markPull = ({ title, body }: PullText): PullText => ({
  title,
  body: `<!-- apfel-bot:fix-lint ${digestOf({ title, body })} -->\n${body.trim()}\n`,
});

/** Whether title and description are ours and as we wrote them: what people edited is theirs. */
export function isUntouched({ title, body }: PullText): boolean {
  const text = body.replaceAll('\r\n', '\n');
  const mark = MARK.exec(text);
  if (mark === null) return false;
  return mark[1] === digestOf({ title, body: text.slice(mark[0].length) });
}

export const isSamePull = (one: PullText, other: PullText): boolean =>
  one.title === other.title && settled(one.body) === settled(other.body);

const settled = (body: string): string => body.replaceAll('\r\n', '\n').trim();

const digestOf = ({ title, body }: PullText): string => fingerprint(`${title}\n${settled(body)}`);

export interface FixedEdit {
  readonly path: string;
  readonly diagnostic: { readonly rule: string; readonly line: number };
  readonly status: 'kept' | 'rejected';
  readonly reason?: string;
  readonly by: 'linter' | 'suggestion' | 'model';
}

/** As the schema lets it through: of what `fix-lint` writes anything may be missing. */
export interface FixedOutcome extends Outcome {
  readonly edits?: readonly FixedEdit[];
  readonly branch?: FixedBranch;
  readonly diagnostics?: FixedCounts;
}

export interface FixedBranch {
  readonly name: string;
  readonly commit: string;
  readonly base: string;
  readonly bundle: string | null;
}

export interface FixedCounts {
  readonly before: number;
  readonly after: number;
  readonly fixed: number;
  readonly introduced: number;
}

/** The branch of the outcome with its bundle; undefined when nothing was fixed. */
export function branchOf(
  outcome: FixedOutcome,
): (FixedBranch & { readonly bundle: string }) | undefined {
  const { branch, change } = outcome;
  if (branch === undefined) return undefined;
  const { base, bundle } = branch;
  if (base !== change.head) {
    throw edited(
      `its branch starts from ${base.slice(0, 12)}, not from the commit that was linted`,
    );
  }
  if (bundle === null) {
    throw new BotError('publish-failed', 'the outcome has a branch, but no bundle of its commits', {
      hint: 'Make it again with: apfel-bot fix-lint --out FILE',
    });
  }
  // The file beside the outcome and nothing else, whatever the name leads to.
  if (!/^[^/\\:]+$/.test(bundle) || bundle === '.' || bundle === '..') {
    throw edited(
      `its bundle is ${JSON.stringify(bundle.slice(0, 100))}, which is no file beside it`,
    );
  }
  return { ...branch, bundle };
}

export const edited = (why: string): BotError =>
  new BotError('not-permitted', `the outcome was edited: ${why}`, {
    hint: 'Push the file that fix-lint wrote, or run it again',
  });
