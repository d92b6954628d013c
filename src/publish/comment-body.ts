import type { Finding } from '../core/finding.js';
import type { ModelUse } from '../core/outcome.js';
import { codeFence, codeSpan, forMarkdown, suggestionFence } from '../platform/safe-markdown.js';
import { guardLineStart, replaceHidden } from '../platform/safe-text.js';
import { redact, redactPath } from '../secrets/redact.js';
import { markOf, writeMark } from './own-comments.js';
import type { AnchoredFinding, NotInline } from './plan-review.js';

/** A message is a sentence or two; a model that doesn't stop is cut off here. */
const MAX_MESSAGE = 4000;
/** Nobody reads a longer suggestion; GitHub takes 65,536 characters in all. */
const MAX_SUGGESTED = 10_000;

/** A comment on a line: what is wrong, a verified fix, and how to silence it. */
export function commentBody(
  { finding, anchor }: AnchoredFinding,
  ignoreLine: (finding: Finding) => string,
): string {
  const head = `**${finding.severity}** · ${forMarkdown(cutText(redact(finding.message), MAX_MESSAGE))}`;
  const silence = [
    `<sub>${codeSpan(finding.rule)} · silence it with ${codeSpan(ignoreLine(finding))}`,
    `or comment ${codeSpan(`/apfel ignore ${finding.id}`)}</sub>`,
  ].join(' ');
  const parts = [head, suggested(finding, anchor.canSuggest), silence];
  const text = guardLineStart(parts.filter(part => part !== '').join('\n\n'));
  return `${writeMark(markOf(finding, anchor.texts))}\n${text}\n`;
}

/** Only a suggestion that can be applied exactly as shown gets GitHub's button. */
function suggested({ suggestion }: Finding, canSuggest: boolean): string {
  if (suggestion === undefined || suggestion.text.length > MAX_SUGGESTED) return '';
  const { text } = suggestion;
  if (redact(text) !== text) return '';
  if (canSuggest && isPlain(text)) return suggestionFence(text);
  const lines =
    suggestion.startLine === suggestion.endLine
      ? `line ${suggestion.startLine}`
      : `lines ${suggestion.startLine} to ${suggestion.endLine}`;
  return `Suggested replacement for ${lines}:\n\n${codeFence(text)}`;
}

/** No hidden characters, and no line that a bot or a runner would read as a command. */
const isPlain = (text: string): boolean =>
  replaceHidden(text, char => (char === '\n' || char === '\t' ? char : '')) === text &&
  guardLineStart(text) === text &&
  !/^[^\S\n]*\/[a-z]/im.test(text);

/** Cuts at the end and marks it with an ellipsis; never leaves half a character. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const cut = text.slice(0, max - 1);
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** As many of the parts as fit, in order, and how many didn't fit. */
export function fitParts(
  parts: readonly string[],
  max: number,
): { readonly text: string; readonly left: number } {
  let used = 0;
  let taken = 0;
  for (const part of parts) {
    if (used + part.length > max) break;
    used += part.length;
    taken += 1;
  }
  return { text: parts.slice(0, taken).join(''), left: parts.length - taken };
}

/** What a run used: our own words and numbers, and a link to the run. */
export function footerOf(
  outcome: {
    readonly run: string;
    readonly model: ModelUse;
    readonly change?: { readonly head: string };
    readonly ledger?: { readonly cached: number };
  },
  { time, runUrl }: { readonly time: string; readonly runUrl: string | undefined },
): string[] {
  const { run, model, change, ledger } = outcome;
  return [
    ...(change === undefined ? [] : [change.head.slice(0, 7)]),
    ...(time === '' ? [] : [time]),
    ...(ledger === undefined || ledger.cached === 0 ? [] : [`${ledger.cached} from the cache`]),
    ...(model.requests === 0 ? [] : [`${model.requests} requests to the model`]),
    costOf(model),
    runUrl === undefined ? `run ${run}` : `[run ${run}](${runUrl})`,
  ];
}

/** A model on this machine is free; what a remote server charges isn't known here. */
const costOf = ({ baseUrl = '', requests }: ModelUse): string =>
  requests === 0 || /^https?:\/\/(?:127\.|localhost[:/]|\[::1\])/.test(baseUrl)
    ? 'cost 0'
    : 'cost unknown';

/** Percent-encodes a path, including brackets, which would end the Markdown link around it. */
export const urlPath = (path: string): string =>
  encodeURIComponent(path)
    .replaceAll('%2F', '/')
    .replace(/[()'*!]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/** The content of the summary, not yet escaped. */
export interface SummaryParts {
  readonly verdict: string;
  readonly coverage: readonly string[];
  /** In reading order. */
  readonly findings: readonly Finding[];
  readonly ignored: readonly Finding[];
  readonly notInline: ReadonlyMap<string, NotInline>;
  readonly facts: ReadonlyArray<{ readonly label: string; readonly text: string }>;
  readonly ignoreLine: (finding: Finding) => string;
  /** Where people see the commit's files: `https://github.com/o/r/blob/<sha>`. */
  readonly filesUrl: string;
  /** The last line: what differs between runs even if nothing new was found. */
  readonly footer: readonly string[];
}

/** GitHub accepts 65,536; the hidden first line and the footer need the rest. */
const MAX_SUMMARY = 50_000;
/** A longer path or message would push the others out of sight. */
const MAX_CELL = 400;
/** For headings, tags and sentences around the parts. */
const SPARE = 1500;

/** Readable on a phone: the verdict first, two columns, long parts collapsed. */
export function summaryText(parts: SummaryParts): string {
  const head = `**apfel-bot: ${forMarkdown(cutText(parts.verdict, MAX_CELL))}**`;
  const coverage = forMarkdown(cutText(parts.coverage.join(' · '), 4 * MAX_CELL));
  const all = MAX_SUMMARY - head.length - coverage.length - SPARE;
  const facts = fitParts(parts.facts.map(factLine), all / 5);
  const ignored = fitParts(parts.ignored.map(ignoredLine), all / 10);
  const advice = fitParts(adviceLines(parts), all / 10);
  const rest = all - facts.text.length - ignored.text.length - advice.text.length;
  const rows = fitParts(
    parts.findings.map(finding => row(finding, parts)),
    rest,
  );
  const code = fitParts(codeParts(parts), rest - rows.text.length);
  const blocks = [
    head,
    coverage,
    rows.text === '' ? '' : `| | Finding |\n|---|---|\n${rows.text}`,
    rows.left === 0 ? '' : `${rows.left} more didn't fit here; the outcome file has them all.`,
    deletedLine(parts.notInline),
    folded(`Ignored on request (${parts.ignored.length})`, ignored),
    folded('Code without a comment on its line', code),
    folded('How to silence findings', advice),
    folded('Notes on this run', facts),
  ].map(block => block.trimEnd());
  const text = guardLineStart(blocks.filter(block => block !== '').join('\n\n'));
  return `${text}\n\n<sub>${parts.footer.join(' · ')}</sub>`;
}

/** The same except for the footer, so nothing new was found. */
export const isSameSummary = (one: string, other: string): boolean =>
  withoutFooter(one) === withoutFooter(other);

function withoutFooter(text: string): string {
  const lines = text.trim().split('\n');
  if (lines.at(-1)?.startsWith('<sub>')) lines.pop();
  return lines.join('\n').trim();
}

const row = (finding: Finding, parts: SummaryParts): string => {
  const why = parts.notInline.get(finding.id);
  const small = [
    codeSpan(cutText(finding.rule, MAX_CELL)),
    codeSpan(finding.id),
    ...(why === undefined ? [] : [WHY[why]]),
  ];
  const message = forMarkdown(cutText(redact(finding.message), MAX_CELL));
  const cell = [placeLink(finding, parts.filesUrl), message, `<sub>${small.join(' · ')}</sub>`];
  return `| **${finding.severity}** | ${cell.join('<br>')} |\n`;
};

const WHY: Readonly<Record<NotInline, string>> = {
  'outside-diff': 'not in the diff',
  'other-text': 'the line is different there',
  'too-many': 'over the limit of comments',
  refused: "GitHub doesn't accept a comment there",
  deleted: 'its comment was deleted by hand',
};

function deletedLine(notInline: SummaryParts['notInline']): string {
  const many = [...notInline.values()].filter(why => why === 'deleted').length;
  if (many === 0) return '';
  return many === 1
    ? "1 comment was deleted by hand and isn't posted again."
    : `${many} comments were deleted by hand and aren't posted again.`;
}

/** The only links in the summary: to files of this repository. */
function placeLink(finding: Finding, filesUrl: string): string {
  const { path, line, side } = finding;
  const place = shownPlace(finding);
  // What was removed isn't in the file any more.
  if (side === 'old') return `${place} (removed)`;
  // Half a surrogate pair represents a byte that isn't UTF-8, which a URL can't contain; nor may it
  // contain a secret.
  if (/\p{Surrogate}/u.test(path) || path.length > MAX_CELL || redactPath(path) !== path) {
    return place;
  }
  return `[${place}](${filesUrl}/${urlPath(path)}#L${line})`;
}

const shownPlace = ({ path, line }: Finding): string =>
  codeSpan(cutText(`${redactPath(path)}:${line}`, MAX_CELL));

const ignoredLine = (finding: Finding): string =>
  `- ${shownPlace(finding)} ${codeSpan(finding.rule)} ${codeSpan(finding.id)}\n`;

/** Findings with a comment on their line show the code there. */
const codeParts = ({ findings, notInline }: SummaryParts): string[] =>
  findings
    .filter(({ id, evidence }) => notInline.has(id) && evidence !== undefined && evidence !== '')
    .map(finding => {
      const { side, evidence = '' } = finding;
      const place = `${shownPlace(finding)}${side === 'old' ? ' (removed)' : ''}`;
      return `${place}\n\n${codeFence(cutText(redact(evidence), 2 * MAX_CELL))}\n\n`;
    });

function adviceLines({ findings, ignoreLine }: SummaryParts): string[] {
  const [first] = findings;
  if (first === undefined) return [];
  const lines = [...new Set(findings.map(ignoreLine))];
  return [
    `For one finding on this pull request, comment ${codeSpan(`/apfel ignore ${first.id}`)} with its id.\n\n`,
    'In the code, on the line or the line above (a `"checks"` key goes into `.apfel-bot.json`):\n\n',
    ...lines.map(line => `- ${codeSpan(cutText(line, MAX_CELL))}\n`),
  ];
}

const factLine = ({ label, text }: SummaryParts['facts'][number]): string =>
  `- ${forMarkdown(cutText(label, MAX_CELL))}: ${forMarkdown(cutText(redact(text), MAX_CELL))}\n`;

function folded(title: string, { text, left }: ReturnType<typeof fitParts>): string {
  if (text === '' && left === 0) return '';
  const summary = left === 0 ? title : `${title}, ${left} omitted for length`;
  return `<details><summary>${summary}</summary>\n\n${text.trimEnd()}\n\n</details>`;
}
