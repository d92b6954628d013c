import { count } from '../core/count.js';
import type { Finding } from '../core/finding.js';
import type { Outcome } from '../core/outcome.js';
import { codeFence, codeSpan, forMarkdown } from '../platform/safe-markdown.js';
import { guardLineStart } from '../platform/safe-text.js';
import { codeFrame, suggestionFrame } from './code-frame.js';
import { ignoreLine } from './ignore-comment.js';
import { orderFindings, paint, placeOf } from './style.js';
import { factLine, listFacts, summarise } from './summary-line.js';

/** A comment on GitHub can have 65,536 characters; what doesn't fit is counted instead. */
const MAX_LENGTH = 65_000;

/** A longer path or message would push the rest of the table out of sight. */
const MAX_CELL = 400;
const FRAME = { columns: 100, paint: paint(false) };

/** For job summaries and comments: the verdict, a table, and the code collapsed. */
export function toMarkdown(outcome: Outcome, maxLength = MAX_LENGTH): string {
  const { verdict, coverage } = summarise(outcome);
  const findings = orderFindings(outcome.findings);
  const head = `**apfel-bot: ${verdict}** · ${coverage.join(' · ')}`;
  // Facts and advice are short unless somebody attacks; table and code share the rest.
  const all = maxLength - head.length - SPARE;
  const facts = fitting(factLines(outcome), all / 4);
  const advice = fitting(adviceLines(findings), all / 8);
  const rest = all - facts.text.length - advice.text.length;
  const table = fitting(findings.map(tableRow), rest);
  const quotes = fitting(findings.map(quote), rest - table.text.length);
  const blocks = [
    head,
    table.text === '' ? '' : `${TABLE_HEAD}\n${table.text}`,
    table.left === 0 ? '' : `${count(table.left, 'more finding')} did not fit here.`,
    folded('Code', quotes),
    folded('How to silence', advice),
    `${facts.text}${facts.left === 0 ? '' : `- ${facts.left} more`}`,
  ].map(block => block.trimEnd());
  return `${guardLineStart(blocks.filter(block => block !== '').join('\n\n'))}\n`;
}

const TABLE_HEAD = '| Severity | Place | Rule | Message |\n|---|---|---|---|';
/** Headings, tags and sentences around the parts. */
const SPARE = 600;

interface Fitting {
  readonly text: string;
  /** How many parts did not fit. */
  readonly left: number;
}

/** As many parts as fit, in order, and how many don't. */
function fitting(parts: readonly string[], max: number): Fitting {
  const wanted = parts.filter(part => part !== '');
  let used = 0;
  let taken = 0;
  for (const part of wanted) {
    if (used + part.length > max) break;
    used += part.length;
    taken += 1;
  }
  return { text: wanted.slice(0, taken).join(''), left: wanted.length - taken };
}

const tableRow = (finding: Finding): string =>
  `| ${[
    finding.severity,
    codeSpan(shorten(placeOf(finding))),
    codeSpan(shorten(finding.rule)),
    forMarkdown(shorten(finding.message)),
  ].join(' | ')} |\n`;

/** Cuts between characters, never inside a surrogate pair. */
function shorten(text: string): string {
  if (text.length <= MAX_CELL) return text;
  const cut = text.slice(0, MAX_CELL - 1);
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

function quote(finding: Finding): string {
  const frame = codeFrame(finding, FRAME);
  const { suggestion } = finding;
  if (suggestion !== undefined) frame.push('suggested:', ...suggestionFrame(suggestion, FRAME));
  if (frame.length === 0) return '';
  return `${codeSpan(shorten(placeOf(finding)))}\n\n${codeFence(frame.join('\n'))}\n\n`;
}

function folded(title: string, { text, left }: Fitting): string {
  if (text === '') return '';
  const summary = left === 0 ? title : `${title} (${left} left out for length)`;
  return `<details><summary>${summary}</summary>\n\n${text.trimEnd()}\n\n</details>`;
}

function adviceLines(findings: readonly Finding[]): string[] {
  const lines = [...new Set(findings.map(({ rule, path }) => ignoreLine(rule, path)))];
  if (lines.length === 0) return [];
  return [
    'On the line or the one above; a `"checks"` key goes in `.apfel-bot.json`:\n\n',
    ...lines.map(line => `- ${codeSpan(shorten(line))}\n`),
  ];
}

const factLines = (outcome: Outcome): string[] =>
  listFacts(outcome).flatMap(fact => {
    const { text, items } = factLine(fact, false);
    return [
      `- ${fact.label}: ${forMarkdown(shorten(text))}\n`,
      ...items.map(item => `  - ${forMarkdown(shorten(item))}\n`),
    ];
  });
