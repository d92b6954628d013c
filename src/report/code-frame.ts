import type { Finding, Suggestion } from '../core/finding.js';
import { reveal } from '../platform/safe-text.js';
import type { Paint } from './style.js';

interface FrameStyle {
  /** The width of the frame in terminal columns. */
  readonly columns: number;
  readonly paint: Paint;
}

/** A longer quote would hide the next finding; the rest is counted instead. */
const MAX_LINES = 6;
/** Text farther than this from the caret is never shown, so it isn't measured. */
const MAX_REACH = 500;
/** A log has no width, but a minified line should not fill a screen. */
const MAX_COLUMNS = 400;
const MIN_WIDTH = 20;

interface Span {
  readonly from: number;
  readonly to: number;
}

/** The quoted code with line numbers, and carets under the finding. Empty without a quote. */
export function codeFrame(finding: Finding, style: FrameStyle): string[] {
  const { evidence = '', column } = finding;
  // White space alone is shown only if a caret points at it.
  if (evidence === '' || (column === undefined && evidence.trim() === '')) return [];
  const mark = finding.side === 'old' ? '-' : '|';
  const caret = style.paint[finding.severity];
  return frameOf(evidence, finding.line, (line, index) => {
    const span = index === 0 ? caretSpan(finding, line) : undefined;
    return { span, caret, mark, style };
  });
}

function frameOf(
  text: string,
  start: number,
  look: (line: string, index: number) => Omit<Row, 'number' | 'gutter'>,
): string[] {
  const lines = text.replace(/\n$/, '').split('\n');
  const shown = lines.slice(0, MAX_LINES);
  const gutter = String(start + shown.length - 1).length;
  const frame = shown.flatMap((line, index) =>
    numbered(line, { number: start + index, gutter, ...look(line, index) }),
  );
  if (lines.length > MAX_LINES) frame.push(`… ${lines.length - MAX_LINES} more`);
  return frame;
}

/** The suggested text in the same form, marked `+`; if it only deletes, a line that says so. */
export function suggestionFrame(suggestion: Suggestion, style: FrameStyle): string[] {
  const { startLine, endLine, text } = suggestion;
  if (text === '') {
    return [startLine === endLine ? `delete line ${startLine}` : `delete ${startLine}-${endLine}`];
  }
  return frameOf(text, startLine, () => ({ mark: '+', style }));
}

function caretSpan(finding: Finding, line: string): Span | undefined {
  if (finding.column === undefined || finding.column > line.length + 1) return undefined;
  const from = finding.column - 1;
  const end = finding.endLine > finding.line ? line.length : (finding.endColumn ?? 0) - 1;
  return { from, to: Math.max(from + 1, Math.min(end, line.length)) };
}

interface Row {
  readonly number: number;
  readonly gutter: number;
  readonly span?: Span | undefined;
  readonly caret?: (text: string) => string;
  readonly mark: '|' | '+' | '-';
  readonly style: FrameStyle;
}

function numbered(line: string, row: Row): string[] {
  const { span, style, caret = style.paint.bold } = row;
  const head = `${String(row.number).padStart(row.gutter)} ${row.mark}`;
  const columns = Math.min(style.columns, MAX_COLUMNS);
  const view = viewOf(
    withoutReturn(line, span),
    span,
    Math.max(MIN_WIDTH, columns - head.length - 1),
  );
  const code = view.cells.map(cell => cell.shown).join('');
  const first = `${style.paint.dim(head)} ${view.left}${code}${view.right}`;
  if (span === undefined) return [first.trimEnd()];
  const before = widthBetween(view.cells, { from: 0, to: span.from });
  const carets = '^'.repeat(Math.max(1, widthBetween(view.cells, span)));
  const blank = ' '.repeat(row.gutter);
  const indent = ' '.repeat(view.left.length + before);
  return [first, `${style.paint.dim(`${blank} |`)} ${indent}${caret(carets)}`];
}

/** Hides the carriage return of a CRLF file, unless the finding is about it. */
const withoutReturn = (line: string, span: Span | undefined): string =>
  line.endsWith('\r') && (span === undefined || span.from < line.length - 1)
    ? line.slice(0, -1)
    : line;

const widthBetween = (cells: readonly Cell[], span: Span): number =>
  cells
    .filter(cell => cell.start >= span.from && cell.start < span.to)
    .reduce((sum, cell) => sum + cell.width, 0);

interface View {
  readonly cells: readonly Cell[];
  /** An ellipsis if something is cut off, otherwise empty. */
  readonly left: string;
  readonly right: string;
}

/** The part of the line around the caret that fits the width. */
function viewOf(line: string, span: Span | undefined, width: number): View {
  const focus = span?.from ?? 0;
  const reach = { from: Math.max(0, focus - MAX_REACH), to: focus + MAX_REACH };
  const cells = measureCells(line.slice(reach.from, reach.to)).map(cell => ({
    ...cell,
    start: cell.start + reach.from,
  }));
  const total = cells.reduce((sum, cell) => sum + cell.width, 0);
  const hasMore = reach.to < line.length;
  if (total <= width && !hasMore) return { cells, left: '', right: '' };

  const before = widthBetween(cells, { from: 0, to: focus });
  const skip = Math.max(0, Math.min(before - Math.floor(width / 3), total - width + 1));
  return fill(cells, { skip, width, hasMore });
}

function fill(
  cells: readonly Cell[],
  { skip, width, hasMore }: { skip: number; width: number; hasMore: boolean },
): View {
  let skipped = 0;
  const rest = cells.filter(cell => {
    const isSkipped = skipped < skip;
    skipped += cell.width;
    return !isSkipped;
  });
  const left = skip > 0 ? '…' : '';
  let free = width - left.length;
  const end = rest.findIndex(cell => {
    const isLast = cell === rest.at(-1) && !hasMore;
    if (cell.width + (isLast ? 0 : 1) > free) return true;
    free -= cell.width;
    return false;
  });
  if (end >= 0) return { cells: rest.slice(0, end), left, right: '…' };
  return { cells: rest, left, right: hasMore ? '…' : '' };
}

/** One character of a line on a terminal. */
interface Cell {
  readonly shown: string;
  /** Terminal columns. */
  readonly width: number;
  /** Its position in the line, in UTF-16 units from 0. */
  readonly start: number;
}

const TAB_WIDTH = 4;

// East Asian wide and fullwidth blocks of Unicode, without the unassigned gaps between them.
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const IS_PLAIN = /^[\x20-\x7e]$/;

/**
 * A line of code as cells: tabs expanded, hidden characters made visible, wide ones counted as two.
 */
function measureCells(line: string): Cell[] {
  const cells: Cell[] = [];
  let position = 0;
  for (const { segment, index } of new Intl.Segmenter('en').segment(line)) {
    // Characters that combine with others can also hide something; then each is shown separately.
    const chars = reveal(segment) === segment ? [segment] : [...segment];
    let start = index;
    for (const char of chars) {
      const cell = { ...cellOf(char, position, line.slice(Math.max(0, start - 5), start)), start };
      cells.push(cell);
      position += cell.width;
      start += char.length;
    }
  }
  return cells;
}

/** Nearly every word: each character is one column, and none can be part of a command. */
const IS_SIMPLE = /^[\x20-\x5a\x5c-\x7e]*$/;

export const widthOf = (text: string): number =>
  IS_SIMPLE.test(text)
    ? text.length
    : measureCells(text).reduce((sum, cell) => sum + cell.width, 0);

function cellOf(char: string, position: number, before: string): Omit<Cell, 'start'> {
  if (char === '\t') {
    const width = TAB_WIDTH - (position % TAB_WIDTH);
    return { shown: ' '.repeat(width), width };
  }
  // Actions runs `##[command]` anywhere in a line.
  if (char === '[' && /##(?:vso)?$/i.test(before)) return { shown: '\\[', width: 2 };
  if (IS_PLAIN.test(char)) return { shown: char, width: 1 };
  const shown = reveal(char);
  if (shown !== char) return { shown, width: shown.length };
  // The selector turns a text symbol into an emoji, and emoji are wide.
  return { shown, width: WIDE.test(char) || char.endsWith('\ufe0f') ? 2 : 1 };
}
