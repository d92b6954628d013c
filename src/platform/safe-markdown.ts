import { guardLineStart, reveal } from './safe-text.js';

/** An entity is never markup (CommonMark 6.2), and this one ends a mention or a reference. */
const BREAK = '&#x200b;';

const MARKUP = /[\\`*_[\]~]|[&<>|${}]|[@#]|:\/\/|www\.|\bgh-(?=\d)/gi;

/** Untrusted text as one line of Markdown that renders as that text and does nothing else. */
export function forMarkdown(text: string): string {
  const line = text
    .split('\n')
    .map(part => part.trim())
    .filter(part => part !== '')
    .join(' ');
  const escaped = reveal(line).replace(MARKUP, inert);
  // At the start of a line these would make a list, a rule, a heading's underline or a bot command.
  return escaped.replace(/^(?:[-+=:/]|\d{1,9}(?=[.)]))/, start =>
    /\d/.test(start) ? `${start}${BREAK}` : `\\${start}`,
  );
}

function inert(markup: string): string {
  const known = INERT[markup];
  if (known !== undefined) return known;
  if (/[|{}$]/.test(markup)) return entity(markup);
  if (/[@#]|gh-/i.test(markup)) return `${markup}${BREAK}`;
  return /www/i.test(markup) ? `${markup.slice(0, 3)}${BREAK}.` : `\\${markup}`;
}

const INERT: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '://': `:${BREAK}//`,
};

const entity = (char: string): string => `&#x${char.charCodeAt(0).toString(16)};`;

// A pipe ends a table cell even inside backticks; the others are read by bots in the raw text.
const UNFIT_FOR_BACKTICKS = /[|@]|#\d|\{[{%]|<%|:\/\/|^$/;

/** A code span that is also safe in a table. Newlines show as `\n`. */
export function codeSpan(text: string): string {
  const shown = reveal(text);
  if (UNFIT_FOR_BACKTICKS.test(shown)) return `<code>${forCodeElement(shown)}</code>`;
  const ticks = '`'.repeat(longestRun(shown) + 1);
  const pad = /^[ `]|[ `]$/.test(shown) ? ' ' : '';
  return `${ticks}${pad}${shown}${pad}${ticks}`;
}

// Inside a code element nobody is mentioned, so copied paths stay free of zero-width characters.
const forCodeElement = (text: string): string =>
  text.replace(/[!-,:-@[-`{-~]/g, entity).replace(/www(?=\.)/gi, letters => {
    return `${letters.slice(0, 2)}${entity(letters.slice(2))}`;
  });

/** A code block whose fence is longer than any inside. */
export function codeFence(text: string): string {
  const body = guardLineStart(reveal(text.replaceAll('\r\n', '\n'), '\n\t'));
  const fence = '`'.repeat(Math.max(3, longestRun(body) + 1));
  // Bots that react to `/command` at the start of a line read the raw text, including fences.
  const lines = body.replace(/^(?=\/[A-Za-z])/gm, ' ');
  return `${fence}\n${lines}\n${fence}`;
}

/**
 * GitHub applies the text unchanged, so nothing in it can be escaped: the caller makes sure that
 * nothing needs to be.
 */
export function suggestionFence(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  // Without a line the suggestion deletes the lines.
  return `${fence}suggestion\n${text === '' ? '' : `${text.replace(/\n$/, '')}\n`}${fence}`;
}

const FENCE = /^[^\S\n]{0,3}(?:```|~~~)/;

/** Untrusted text of several lines: only paragraphs, lists and fenced code keep their format. */
export function forMarkdownLines(text: string): string {
  const blocks: string[] = [];
  let code: string[] | undefined;
  for (const line of text.replaceAll('\r\n', '\n').split('\n')) {
    if (FENCE.test(line)) {
      if (code !== undefined) blocks.push(codeFence(code.join('\n')));
      code = code === undefined ? [] : undefined;
    } else if (code !== undefined) code.push(line);
    else blocks.push(markdownLine(line));
  }
  // An unclosed fence runs to the end.
  if (code !== undefined && code.length > 0) blocks.push(codeFence(code.join('\n')));
  return blocks
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function markdownLine(line: string): string {
  const [item] = /^\s{0,8}[-*+] (?=\S)/.exec(line) ?? [];
  return item === undefined ? forMarkdown(line) : `- ${forMarkdown(line.slice(item.length))}`;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const run of text.match(/`+/g) ?? []) longest = Math.max(longest, run.length);
  return longest;
}

/**
 * Plain text for another program's report: readable there, and harmless if that program posts it as a
 * comment, as reviewdog does.
 */
export const forRelay = (text: string): string =>
  reveal(text.replaceAll('\r\n', '\n'), '\n\t')
    .replace(/@(?=\w)|#(?=\d)|\bgh-(?=\d)|!(?=\[)|<(?=[a-z/!?])|\{(?=[{%])/gi, '$&\u200b')
    .replace(/\/(?:issues|pull|discussions)\/(?=\d)/gi, '$&\u200b')
    .replace(/^[^\S\n]*(?=\/)/gm, '$&\u200b');
