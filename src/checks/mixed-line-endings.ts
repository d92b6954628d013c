import { type Hit, type LineCheck, type LineJudge, type NewSideLine, NO_HITS } from './check.js';

/** Lines that end differently from the rest of their file; reported once per file. */
export const mixedLineEndings: LineCheck = {
  rules: { 'mixed-line-endings': 'warning' },
  guards: false,
  // Git takes a PDF without compressed parts for text.
  open: ({ path }) => (/\.(?:pdf|eps|ps|ai)$/i.test(path) ? undefined : openJudge()),
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
