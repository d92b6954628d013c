import { count } from '../core/count.js';
import type { Finding } from '../core/finding.js';
import type { FixEdit, FixOutcome, Outcome } from '../core/outcome.js';
import { asRun } from '../platform/own-command.js';
import { codeSpan, forMarkdown } from '../platform/safe-markdown.js';
import { forTerminal, guardLineStart } from '../platform/safe-text.js';
import { shellWord } from '../platform/shell-word.js';
import { orderFindings, paint, placeOf } from './style.js';

interface Written {
  /** The file that the outcome was written to. */
  readonly out?: string | undefined;
  /** If it was written to none: a file for it, and the command that writes it there. */
  readonly again?: { readonly out: string; readonly command: string } | undefined;
}

/** Nobody reads more; they are in the JSON. */
const MAX_SHOWN = 40;

/** The report as text: what was fixed, how and where to see it, then what is left and why. */
export function fixText(
  outcome: FixOutcome,
  options: Written & { readonly color: boolean },
): string {
  const { bold, dim, error, warning, good } = paint(options.color);
  const left = orderFindings(outcome.findings);
  const usual = usualReason(left);
  const lines = [
    ...linterRows(outcome).map(row => dim(forTerminal(row))),
    ...fixedRows(outcome).map(row => `  fixed ${forTerminal(row)}`),
    ...modelRows(outcome).map(({ place, rule, by }, at) => {
      const title = at === 0 ? [`  ${bold(PLEASE_REVIEW)}`] : [];
      const what = `${forTerminal(rule)}, by ${by}`;
      return [...title, `    ${forTerminal(place)}  ${dim(what)}`].join('\n');
    }),
    ...left
      .slice(0, MAX_SHOWN)
      .flatMap(finding => [
        `${bold(forTerminal(placeOf(finding)))}  ${finding.severity}  ${dim(forTerminal(finding.rule))}`,
        `  ${forTerminal(finding.message)}`,
        ...whyLeft(finding).flatMap(why =>
          why === usual ? [] : `  ${dim(forTerminal(`left: ${why}`))}`,
        ),
      ]),
    ...(left.length > MAX_SHOWN ? [`… ${left.length - MAX_SHOWN} more are left`] : []),
    ...(usual === undefined ? [] : [dim(forTerminal(`left, unless said otherwise: ${usual}`))]),
    ...noticesOf(outcome).map(notice => `${bold('note:')} ${forTerminal(notice)}`),
  ];
  const tone = left.length === 0 ? good : left.some(isError) ? error : warning;
  const summary = [bold(tone(fixVerdict(outcome))), ...coverage(outcome)].join(' · ');
  const labels = ['to see the fixes', 'to merge them all', 'without a merge'];
  const commands = [...whereFixed(outcome), ...howToTake(outcome)];
  const taking = [
    ...commands.map((command, at) => `${labels[at]}: ${command}`),
    ...howToPush(outcome, options),
  ];
  return `${guardLineStart([...lines, summary, ...taking.map(forTerminal)].join('\n'))}\n`;
}

export function fixMarkdown(outcome: FixOutcome, options: Written): string {
  const left = orderFindings(outcome.findings).slice(0, MAX_SHOWN);
  const rows = left.map(finding => {
    const [why = ''] = whyLeft(finding);
    const cells = [
      codeSpan(placeOf(finding)),
      codeSpan(finding.rule),
      forMarkdown(finding.message),
    ];
    return `| ${[...cells, forMarkdown(why)].join(' | ')} |`;
  });
  const blocks = [
    `**apfel-bot: ${fixVerdict(outcome)}** · ${coverage(outcome).join(' · ')}`,
    linterRows(outcome)
      .map(row => `- ${forMarkdown(row)}`)
      .join('\n'),
    fixedRows(outcome)
      .map(row => `- fixed ${forMarkdown(row)}`)
      .join('\n'),
    modelRows(outcome)
      .map(({ place, rule, by }, at) => {
        const row = `- ${codeSpan(place)} ${codeSpan(rule)}, by ${by}`;
        return at === 0 ? `${PLEASE_REVIEW}\n\n${row}` : row;
      })
      .join('\n'),
    [
      ...[...whereFixed(outcome), ...howToTake(outcome)].map(codeSpan),
      ...howToPush(outcome, options).map(forMarkdown),
    ].join('\n'),
    rows.length === 0
      ? ''
      : ['| Left | Rule | Message | Why |', '|---|---|---|---|', ...rows].join('\n'),
    outcome.findings.length > left.length
      ? `${outcome.findings.length - left.length} more are left.`
      : '',
    noticesOf(outcome)
      .map(notice => `- note: ${forMarkdown(notice)}`)
      .join('\n'),
  ];
  return `${guardLineStart(blocks.filter(block => block !== '').join('\n\n'))}\n`;
}

const isError = ({ severity }: Finding): boolean => severity === 'error';

const PLEASE_REVIEW = "Worth a look, because these edits are not the linter's own fixes:";

/** The linters accept such an edit, but nobody has looked at it yet. */
function modelRows({ edits }: FixOutcome): Array<Record<'place' | 'rule' | 'by', string>> {
  const kept = edits.filter(({ status, by }) => status === 'kept' && by !== 'linter');
  return kept.slice(0, MAX_SHOWN).map(({ path, diagnostic, by }) => ({
    place: `${path}:${diagnostic.line}`,
    rule: diagnostic.rule,
    by: BY[by],
  }));
}

/** Each linter, what it checked and how it ended. */
export const linterRows = ({ linters = [] }: Pick<FixOutcome, 'linters'>): string[] =>
  linters.map(({ command, folder, files, source, reason }) => {
    const where = folder === '' ? '' : ` in ${folder}`;
    const end = reason === undefined ? '' : `: did not finish: ${reason}`;
    return `${command}${where} · ${count(files, 'file')} · ${source}${end}`;
  });

/** Without those already shown next to a linter. */
const noticesOf = ({ notices, linters = [] }: FixOutcome): string[] =>
  notices.filter(notice => !linters.some(({ reason }) => reason?.startsWith(notice)));

/** Absent in records of older versions. */
const whyLeft = ({ left }: Finding): string[] => (left === undefined ? [] : [left]);

/** Said once for all; for two, that would save nothing. */
function usualReason(left: readonly Finding[]): string | undefined {
  const counts = new Map<string, number>();
  for (const why of left.flatMap(whyLeft)) counts.set(why, (counts.get(why) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one).find(([, times]) => times > 2)?.[0];
}

function coverage({ model, durationMs }: FixOutcome): string[] {
  const asked = model.available
    ? `${count(model.requests, 'request')} to the model`
    : `no model (${model.reason ?? 'none'})`;
  return [forTerminal(asked), `${(durationMs / 1000).toFixed(1)} s`];
}

/**
 * The summary of the fixes, the same in every format. Notes of such a run have no edits in them.
 */
export const isFix = (outcome: Outcome): outcome is FixOutcome =>
  outcome.task === 'fix-lint' && 'edits' in outcome && 'diagnostics' in outcome;

const NO_LINTER = 'no linter here checks a file in scope';
export const NOTHING_TO_LINT = `nothing to lint: ${NO_LINTER}`;

export function fixVerdict({ diagnostics, complete, linters }: FixOutcome): string {
  const { before, after, fixed } = diagnostics;
  const state = complete ? '' : 'incomplete · ';
  // Records of older versions don't list the linters.
  const unfinished = (linters ?? []).filter(({ finished }) => !finished).map(({ name }) => name);
  if (before === 0 && unfinished.length > 0)
    return `${state}${[...new Set(unfinished)].join(', ')} did not finish`;
  // What is missing could be something to lint.
  if (before === 0 && linters?.length === 0)
    return complete ? NOTHING_TO_LINT : `${state}${NO_LINTER}`;
  if (before === 0) return `${state}nothing to fix`;
  return `${state}${fixed} of ${count(before, 'diagnostic')} fixed, ${after} left`;
}

const BY: Readonly<Record<FixEdit['by'], string>> = {
  linter: 'the linter',
  suggestion: 'a suggestion',
  model: 'the model',
};

/** `semi: 3 by the linter, 1 by the model`, the most frequent rule first. */
export function fixedRows({ edits }: FixOutcome): string[] {
  const rules = new Map<string, Map<FixEdit['by'], number>>();
  for (const { status, diagnostic, by } of edits) {
    if (status !== 'kept') continue;
    const makers = rules.get(diagnostic.rule) ?? new Map<FixEdit['by'], number>();
    rules.set(diagnostic.rule, makers.set(by, (makers.get(by) ?? 0) + 1));
  }
  const total = (makers: Map<FixEdit['by'], number>): number =>
    [...makers.values()].reduce((sum, each) => sum + each, 0);
  return [...rules]
    .sort(([, one], [, other]) => total(other) - total(one))
    .map(([rule, makers]) => {
      const parts = [...makers].map(([by, amount]) => `${amount} by ${BY[by]}`);
      return `${rule}: ${parts.join(', ')}`;
    });
}

/** The command that shows the fixes. */
export const whereFixed = ({ branch }: FixOutcome): string[] =>
  branch === undefined ? [] : [`git diff ${branch.base.slice(0, 12)} ${branch.name}`];

/** The commands that apply the fixes, all of them or commit by commit. */
const howToTake = ({ branch }: FixOutcome): string[] =>
  branch === undefined
    ? []
    : [`git merge ${branch.name}`, `git cherry-pick ${branch.base.slice(0, 12)}..${branch.name}`];

/** How to open a pull request with them: `push` takes the outcome file. */
function howToPush({ branch }: FixOutcome, { out, again }: Written): string[] {
  const file = out ?? again?.out;
  if (branch === undefined || file === undefined) return [];
  const before = out === undefined && again !== undefined ? `${again.command}; ` : '';
  const push = `apfel-bot push ${shellWord(file)}`;
  return [asRun(`for a pull request, with GITHUB_TOKEN set: ${before}${push}`)];
}

/** A diff in git's colours. */
export function colouredDiff(diff: string): string {
  const { bold, good, error, info } = paint(true);
  return diff
    .split('\n')
    .map(line => {
      if (/^(?:diff|index|---|\+\+\+|new|deleted|old|similarity|rename) /.test(line))
        return bold(line);
      if (line.startsWith('+')) return good(line);
      if (line.startsWith('-')) return error(line);
      return line.startsWith('@@') ? info(line) : line;
    })
    .join('\n');
}
