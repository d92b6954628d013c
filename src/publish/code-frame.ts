import type { Finding, Suggestion } from '../core/finding.js';
import { type Cell, measureCells } from './measure-cells.js';
import type { Paint } from './paint.js';

export interface FrameStyle {
  /** Terminal columns that a line of the frame may take. */
  readonly columns: number;
  readonly paint: Paint;
}

/** A quote of more lines than this hides the next finding; the rest is counted instead. */
const MAX_LINES = 6;
/** Text further than this from the caret is never shown, so it need not be measured. */
const MAX_REACH = 500;
/** A log has no width; a minified line should still not fill a screen. */
const MAX_COLUMNS = 400;
const MIN_ROOM = 20;

interface Span {
  readonly from: number;
  readonly to: number;
}

/** The quoted code with line numbers, and carets under what is meant. Empty without a quote. */
export function codeFrame(finding: Finding, style: FrameStyle): string[] {
  const { evidence = '', column } = finding;
  // White space alone is worth a frame only when a caret points at it.
  if (evidence === '' || (column === undefined && evidence.trim() === '')) return [];
  const lines = evidence.replace(/\n$/, '').split('\n');
  const shown = lines.slice(0, MAX_LINES);
  const gutter = String(finding.line + shown.length - 1).length;
  const frame = shown.flatMap((line, index) => {
    const span = index === 0 ? caretSpan(finding, line) : undefined;
    const caret = style.paint[finding.severity];
    return numbered(line, { number: finding.line + index, gutter, span, caret, mark: '|', style });
  });
  if (lines.length > MAX_LINES) frame.push(`… ${lines.length - MAX_LINES} more`);
  return frame;
}

/** The proposed text in the same form, marked `+`; a line that says so when it only deletes. */
export function suggestionFrame(suggestion: Suggestion, style: FrameStyle): string[] {
  const { startLine, endLine, text } = suggestion;
  if (text === '') {
    return [startLine === endLine ? `delete line ${startLine}` : `delete ${startLine}-${endLine}`];
  }
  const lines = text.replace(/\n$/, '').split('\n');
  const shown = lines.slice(0, MAX_LINES);
  const gutter = String(startLine + shown.length - 1).length;
  const frame = shown.flatMap((line, index) =>
    numbered(line, { number: startLine + index, gutter, mark: '+', style }),
  );
  if (lines.length > MAX_LINES) frame.push(`… ${lines.length - MAX_LINES} more`);
  return frame;
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
  readonly mark: '|' | '+';
  readonly style: FrameStyle;
}

function numbered(line: string, row: Row): string[] {
  const { span, style, caret = style.paint.bold } = row;
  const head = `${String(row.number).padStart(row.gutter)} ${row.mark}`;
  const columns = Math.min(style.columns, MAX_COLUMNS);
  const view = viewOf(
    withoutReturn(line, span),
    span,
    Math.max(MIN_ROOM, columns - head.length - 1),
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

/** The carriage return of a CRLF file is no news, unless it is what the finding is about. */
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
  /** An ellipsis where something is cut off, else empty. */
  readonly left: string;
  readonly right: string;
}

/** The part of the line around the caret that fits the room. */
function viewOf(line: string, span: Span | undefined, room: number): View {
  const focus = span?.from ?? 0;
  const reach = { from: Math.max(0, focus - MAX_REACH), to: focus + MAX_REACH };
  const cells = measureCells(line.slice(reach.from, reach.to)).map(cell => ({
    ...cell,
    start: cell.start + reach.from,
  }));
  const total = cells.reduce((sum, cell) => sum + cell.width, 0);
  const isCut = reach.from > 0 || reach.to < line.length;
  if (total <= room && !isCut) return { cells, left: '', right: '' };

  const before = widthBetween(cells, { from: 0, to: focus });
  const skip = Math.max(0, Math.min(before - Math.floor(room / 3), total - room + 1));
  return fill(cells, { skip, room, hasMore: reach.to < line.length });
}

function fill(
  cells: readonly Cell[],
  wish: { readonly skip: number; readonly room: number; readonly hasMore: boolean },
): View {
  let skipped = 0;
  let index = 0;
  for (; index < cells.length && skipped < wish.skip; index += 1) {
    skipped += cells[index]?.width ?? 0;
  }
  const left = index > 0 ? '…' : '';
  let free = wish.room - left.length;
  const from = index;
  for (; index < cells.length; index += 1) {
    const width = cells[index]?.width ?? 0;
    const isLast = index === cells.length - 1 && !wish.hasMore;
    if (width + (isLast ? 0 : 1) > free) break;
    free -= width;
  }
  const right = index < cells.length || wish.hasMore ? '…' : '';
  return { cells: cells.slice(from, index), left, right };
}
