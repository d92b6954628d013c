import { estimateTokens } from '../model/tokens.js';

interface CutText {
  readonly text: string;
  readonly isCut: boolean;
  readonly totalLines: number;
  readonly shownLines: number;
}

/**
 * Keeps the start and the end of a text that is too long, with a line between them that counts what
 * is missing and says how to see it. The result takes at most `maxTokens`, as estimated.
 */
export function cutText(text: string, maxTokens: number, seeMore = ''): CutText {
  const lines = text.split('\n');
  const totalLines = lines.length;
  // A token is at most a hundred or so characters of white space, so longer texts needn't be
  // estimated.
  if (text.length <= maxTokens * 100 && estimateTokens(text) <= maxTokens) {
    return { text, isCut: false, totalLines, shownLines: totalLines };
  }
  const noteTokens = estimateTokens(note(totalLines, totalLines, seeMore)) + 2;
  const room = maxTokens - noteTokens;
  if (room <= 0) {
    return { text: cutLine(text, maxTokens), isCut: true, totalLines, shownLines: 0 };
  }
  const head = takeLines(lines, Math.ceil(room * HEAD_SHARE));
  const rest = lines.slice(head.length);
  const tail = takeLines(rest.reverse(), Math.floor(room * (1 - HEAD_SHARE))).reverse();
  const shownLines = head.length + tail.length;
  // Not even the first line fits: it is one very long line.
  const start = head.length > 0 ? head : [cutLine(lines[0] ?? '', Math.ceil(room * HEAD_SHARE))];
  return {
    text: [...start, note(totalLines - shownLines, totalLines, seeMore), ...tail].join('\n'),
    isCut: true,
    totalLines,
    shownLines,
  };
}

/** The start of a line, in at most this many tokens. */
export function cutLine(line: string, maxTokens: number): string {
  let kept = line.slice(0, Math.max(0, maxTokens) * LONGEST_TOKEN);
  while (kept !== '' && estimateTokens(`${kept}…`) > maxTokens) {
    kept = kept.slice(0, Math.floor(kept.length * 0.8));
  }
  return kept === line ? line : `${kept}…`;
}

/** Errors are usually at the end, what they are about at the start. */
const HEAD_SHARE = 0.6;
const LONGEST_TOKEN = 8;

const note = (missing: number, total: number, seeMore: string): string =>
  `[… ${missing} of ${total} lines not shown${seeMore === '' ? '' : `; ${seeMore}`} …]`;

function takeLines(lines: readonly string[], maxTokens: number): string[] {
  const taken: string[] = [];
  let tokens = 0;
  for (const line of lines) {
    tokens += estimateTokens(line) + 1;
    if (tokens > maxTokens) break;
    taken.push(line);
  }
  return taken;
}
