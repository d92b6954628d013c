import type { Finding } from '../core/finding.js';
import type { Outcome } from '../core/outcome.js';
import { forTerminal, forTerminalLines, guardLineStart, reveal } from '../platform/safe-text.js';
import { codeFrame, suggestionFrame, widthOf } from './code-frame.js';
import { ignoreLine } from './ignore-comment.js';
import { orderFindings, type Paint, paint, placeOf } from './style.js';
import { type Fact, factLine, listFacts, summarise } from './summary-line.js';

export interface TextOptions {
  readonly color: boolean;
  /** The width of the terminal, or an assumed one. */
  readonly columns: number;
  /** No quotes, no advice, and no output if there is nothing to report. */
  readonly isQuiet?: boolean;
  /** The caller prints the verdict. */
  readonly isSummedUp?: boolean;
  /** What was reviewed and what wasn't; printed before the summary unless quiet. */
  readonly about?: readonly string[];
}

interface Style {
  readonly columns: number;
  readonly paint: Paint;
  readonly isQuiet: boolean;
}

const MIN_COLUMNS = 40;
/** Nobody reads advice on more rules than this. */
const MAX_ADVICE = 8;

/** The report as text: findings, how to silence them, what was left out, the verdict. */
export function toText(outcome: Outcome, options: TextOptions): string {
  const style = {
    columns: Math.max(MIN_COLUMNS, options.columns || MIN_COLUMNS),
    paint: paint(options.color),
    isQuiet: options.isQuiet ?? false,
  };
  const findings = orderFindings(outcome.findings);
  const facts = listFacts(outcome);
  const isPlainlyFine = findings.length === 0 && outcome.complete;
  if (style.isQuiet && isPlainlyFine && facts.every(isRoutine)) return '';
  const blocks = [
    ...findings.map(finding => findingBlock(finding, style)),
    style.isQuiet ? [] : adviceBlock(findings, style),
    facts.flatMap(fact => factLines(fact, isPlainlyFine || style.isQuiet, style)),
    style.isQuiet ? [] : (options.about ?? []).map(line => forTerminal(line)),
  ].filter(block => block.length > 0);
  if (!options.isSummedUp) blocks.push(summary(outcome, style));
  const separator = findings.length === 0 ? '\n' : '\n\n';
  const text = blocks.map(block => block.join('\n')).join(separator);
  return text === '' ? '' : `${guardLineStart(text)}\n`;
}

/** Skipped lockfiles and the like are routine; a quiet run doesn't mention them. */
const isRoutine = (fact: Fact): boolean => fact.label.startsWith('skipped ');

function findingBlock(finding: Finding, style: Style): string[] {
  const { paint, columns } = style;
  const head = [
    paint.bold(forTerminal(placeOf(finding))),
    paint[finding.severity](finding.severity),
    paint.dim(forTerminal(finding.rule)),
  ].join('  ');
  const message = wrapText(forTerminalLines(finding.message), columns - 2);
  const block = [head, ...message.map(line => `  ${line}`)];
  if (style.isQuiet) return block;
  const frame = { columns: columns - 4, paint };
  block.push(...codeFrame(finding, frame).map(line => `    ${line}`));
  if (finding.suggestion !== undefined) {
    block.push('  suggested:');
    block.push(...suggestionFrame(finding.suggestion, frame).map(line => `    ${line}`));
  }
  return block;
}

function adviceBlock(findings: readonly Finding[], { paint }: Style): string[] {
  const lines = [...new Set(findings.map(({ rule, path }) => ignoreLine(rule, path)))];
  if (lines.length === 0) return [];
  const isComment = (line: string): boolean => !line.startsWith('"checks"');
  const shown = lines.slice(0, MAX_ADVICE);
  const comments = shown.filter(isComment);
  const switches = shown.filter(line => !isComment(line));
  return [
    ...titled('to silence, on the line or the one above:', comments),
    ...titled('to switch off, in .apfel-bot.json:', switches),
    ...(lines.length > MAX_ADVICE ? [`  … ${lines.length - MAX_ADVICE} more`] : []),
  ].map(paint.dim);
}

const titled = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [title, ...lines.map(line => `  ${line}`)];

function factLines(fact: Fact, isBrief: boolean, { paint, columns }: Style): string[] {
  const label = forTerminal(fact.label);
  const { text, items } = factLine(fact, isBrief);
  const [first = '', ...rest] = wrapText(`${label}: ${reveal(text, '\n')}`, columns - 2);
  const head = first.startsWith(`${label}:`)
    ? `${paint.bold(`${label}:`)}${first.slice(label.length + 1)}`
    : first;
  return [head, ...rest.map(line => `  ${line}`), ...items.map(item => `  ${forTerminal(item)}`)];
}

/** Breaks between its parts, or between the words of a part that is wider than the screen. */
function summary(outcome: Outcome, { paint, columns }: Style): string[] {
  const { verdict, tone, coverage } = summarise(outcome);
  const width = columns - 2;
  const parts = [verdict, ...coverage.map(part => `· ${part}`)].map(part =>
    part.length <= width ? part.replaceAll(' ', '\u00A0') : part,
  );
  let left = verdict.length;
  return wrapText(parts.join(' '), width).map((wrapped, at) => {
    const line = wrapped.replaceAll('\u00A0', ' ');
    const bold = paint.bold(paint[tone](line.slice(0, left)));
    const rest = line.slice(left);
    // One more for the space that the line break replaced.
    left = Math.max(0, left - line.length - 1);
    return `${at === 0 ? '' : '  '}${bold}${rest}`;
  });
}

/** Wraps safe text at spaces to the width; a longer word stays whole. */
function wrapText(text: string, columns: number): string[] {
  return text.split('\n').flatMap(paragraph => wrapParagraph(paragraph.trim(), columns));
}

function wrapParagraph(paragraph: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  let used = 0;
  for (const word of paragraph.split(' ').filter(part => part !== '')) {
    const width = widthOf(word);
    if (line !== '' && used + 1 + width > columns) {
      lines.push(line);
      line = '';
      used = 0;
    }
    line = line === '' ? word : `${line} ${word}`;
    used += width + (used === 0 ? 0 : 1);
  }
  return line === '' ? lines : [...lines, line];
}
