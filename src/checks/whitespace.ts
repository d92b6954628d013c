import { type Hit, type LineCheck, type LineJudge, type NewSideLine, NO_HITS } from './check.js';

/** By git's name for it. */
const MESSAGES = {
  'blank-at-eol': 'Trailing whitespace.',
  'space-before-tab': 'Space before tab in the indentation.',
  'blank-at-eof': 'Blank line at the end of the file.',
};

/**
 * What `git diff --check` reports on added lines by default, except that a carriage return counts as
 * part of the line ending.
 */
export const whitespace: LineCheck = {
  rules: { whitespace: 'info' },
  guards: false,
  open: ({ path, status }) => {
    const isMarkdown = /\.(?:md|mdx|markdown)$/i.test(path);
    const last = blankEnd(status === 'added');
    return Object.assign(
      (line: NewSideLine) => {
        last.read(line);
        return judge(line.text, isMarkdown);
      },
      { end: last.hits },
    );
  },
};

/** Whether a path's `whitespace` attribute, such as `-blank-at-eol`, makes git ignore this. */
export const isIgnoredBy = (value: string | false | undefined, message: string): boolean =>
  value === false ||
  (value ?? '').split(',').some(word => {
    if (word === '-trailing-space') return message !== MESSAGES['space-before-tab'];
    return Object.entries(MESSAGES).some(([name, text]) => word === `-${name}` && text === message);
  });

/**
 * Blank lines that a change adds to the end of a file. Git shows context after an added line
 * wherever there is some, so a hunk that ends with one ends the file. In a diff without context
 * this can't be seen.
 */
function blankEnd(isNewFile: boolean) {
  let hasContext = false;
  let [blanks, oldBlanks] = [0, 0];
  let firstAdded: NewSideLine | undefined;
  return {
    read(line: NewSideLine): void {
      if (line.startsHunk) {
        hasContext = false;
        [blanks, oldBlanks] = [0, 0];
      }
      hasContext ||= !line.isAdded;
      const isEmpty = endOfContent(line.text, line.text.length) === 0;
      blanks = isEmpty ? blanks + 1 : 0;
      if (!line.isAdded) oldBlanks = isEmpty ? oldBlanks + 1 : 0;
      if (!isEmpty || !line.isAdded) firstAdded = undefined;
      else firstAdded ??= line;
    },
    hits(): readonly Hit[] {
      // Git doesn't count the first line of a file.
      if (firstAdded === undefined || firstAdded.number === 1 || blanks <= oldBlanks)
        return NO_HITS;
      if (!hasContext && !isNewFile) return NO_HITS;
      const message = MESSAGES['blank-at-eof'];
      return [{ rule: 'whitespace', message, column: 1, endColumn: 1, at: firstAdded }];
    },
  };
}

function judge(text: string, isMarkdown: boolean): readonly Hit[] {
  const end = text.endsWith('\r') ? text.length - 1 : text.length;
  const contentEnd = endOfContent(text, end);
  const tab = tabAfterSpace(text, contentEnd);
  if (contentEnd === end && tab === -1) return NO_HITS;
  const hits: Hit[] = [];
  // Two spaces at the end of a line are a line break in Markdown.
  const isBreak = isMarkdown && contentEnd > 0 && /^ {2,}$/.test(text.slice(contentEnd, end));
  if (contentEnd < end && !isBreak) {
    hits.push({
      rule: 'whitespace',
      message: MESSAGES['blank-at-eol'],
      column: contentEnd + 1,
      endColumn: end + 1,
    });
  }
  if (tab !== -1) {
    hits.push({
      rule: 'whitespace',
      message: MESSAGES['space-before-tab'],
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
