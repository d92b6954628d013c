import type { Finding } from '../core/finding.js';
import { codeSpan, forMarkdown } from '../core/neutralise-markdown.js';
import { redact } from '../core/secrets/redact.js';
import type { FixedEdit, FixedOutcome } from './fixed-outcome.js';
import { fixedRules } from './fixed-rules.js';
import type { BundleCommit } from './room.js';

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
