import { type Hit, type LineCheck, type LineJudge, type NewSideLine, NO_HITS } from './check.js';

/**
 * What `git diff --check` reports on added lines by default (blank-at-eol, space-before-tab), except
 * that a carriage return counts as part of the line ending. A blank line at the end of the file isn't
 * reported: a judge doesn't know which line is the last.
 */
export const whitespace: LineCheck = {
  rules: { whitespace: 'info' },
  guards: false,
  open: ({ path }) => {
    const isMarkdown = /\.(?:md|mdx|markdown)$/i.test(path);
    return line => judge(line.text, isMarkdown);
  },
};

function judge(text: string, isMarkdown: boolean): readonly Hit[] {
  const end = text.endsWith('\r') ? text.length - 1 : text.length;
  const contentEnd = endOfContent(text, end);
  const tab = tabAfterSpace(text, contentEnd);
  if (contentEnd === end && tab === -1) return NO_HITS;
  const hits: Hit[] = [];
  // Two spaces at the end of a line of Markdown break it.
  const isBreak = isMarkdown && contentEnd > 0 && /^ {2,}$/.test(text.slice(contentEnd, end));
  if (contentEnd < end && !isBreak) {
    hits.push({
      rule: 'whitespace',
      message: 'Trailing whitespace.',
      column: contentEnd + 1,
      endColumn: end + 1,
    });
  }
  if (tab !== -1) {
    hits.push({
      rule: 'whitespace',
      message: 'Space before tab in the indentation.',
      column: 1,
      endColumn: tab + 2,
    });
  }
  return hits;
}

// Git counts space, tab, line feed and carriage return, but neither form feed nor Unicode spaces.
const isBlank = (code: number): boolean => code === 32 || code === 9 || code === 13;

function endOfContent(text: string, end: number): number {
  let at = end;
  while (at > 0 && isBlank(text.charCodeAt(at - 1))) at -= 1;
  return at;
}

/** The index of the first tab in the indentation that follows a space, or -1. */
function tabAfterSpace(text: string, contentEnd: number): number {
  let hasSpace = false;
  for (let at = 0; at < contentEnd; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 32) hasSpace = true;
    else if (code !== 9) return -1;
    else if (hasSpace) return at;
  }
  return -1;
}

/** Lines that end differently from the rest of their file; reported once per file. */
export const mixedLineEndings: LineCheck = {
  rules: { 'mixed-line-endings': 'warning' },
  guards: false,
  open: () => openJudge(),
};

function openJudge(): LineJudge {
  let first: NewSideLine | undefined;
  // The last line of a file may have no ending at all, so a line counts once another follows.
  let pending: NewSideLine | undefined;
  let isDone = false;
  return line => {
    if (isDone) return NO_HITS;
    const before = line.startsHunk ? undefined : pending;
    pending = line;
    if (before === undefined) return NO_HITS;
    first ??= before;
    if (hasReturn(first) === hasReturn(before)) return NO_HITS;
    isDone = true;
    const culprit = before.isAdded ? before : first;
    return culprit.isAdded ? [hit(culprit)] : NO_HITS;
  };
}

const hasReturn = ({ text }: NewSideLine): boolean => text.endsWith('\r');

const hit = (line: NewSideLine): Hit => ({
  rule: 'mixed-line-endings',
  message: hasReturn(line)
    ? 'This line ends with CRLF, others in the file with LF. Use one of them, and * text=auto in .gitattributes.'
    : 'This line ends with LF, others in the file with CRLF. Use one of them, and * text=auto in .gitattributes.',
  column: Math.max(1, line.text.length),
  endColumn: line.text.length + 1,
  at: line,
});
