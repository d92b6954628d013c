import type {
  Diagnostic,
  Fix,
  OffsetRange,
  PlaceRange,
  TextEdit,
  Unit,
} from '../core/diagnostic.js';

/** The start of a longer line is enough to recognise it. */
const MAX_ANCHOR = 400;

/**
 * Matches diagnostics with their text: columns in UTF-16, the line's text as anchor, and edits as
 * offsets that can be applied. Edits that don't fit the text are dropped, and so are places past
 * its end. Diagnostics of a file without text are left unchanged.
 */
export function anchorDiagnostics(
  diagnostics: readonly Diagnostic[],
  textOf: (path: string) => string | undefined,
): Diagnostic[] {
  const indexes = new Map<string, TextIndex | undefined>();
  return diagnostics.map(diagnostic => {
    const { path } = diagnostic;
    if (!indexes.has(path)) {
      const text = textOf(path);
      indexes.set(path, text === undefined ? undefined : textIndex(text));
    }
    const index = indexes.get(path);
    return index === undefined ? diagnostic : anchor(diagnostic, index);
  });
}

function anchor(diagnostic: Diagnostic, index: TextIndex): Diagnostic {
  const { line: _, column, endLine, endColumn, span, fix, suggestions, unit, ...rest } = diagnostic;
  const place = placeOf(diagnostic, index);
  const own = fix && anchorFix(fix, diagnostic, index);
  const offered = (suggestions ?? []).flatMap(each => anchorFix(each, diagnostic, index) ?? []);
  return {
    ...rest,
    unit: 'utf16',
    ...place,
    ...(place.line === undefined ? {} : { anchor: anchorText(index.lineText(place.line)) }),
    ...(own === undefined ? {} : { fix: own }),
    ...(offered.length === 0 ? {} : { suggestions: offered }),
  };
}

type Placed = Pick<Diagnostic, 'line' | 'column' | 'endLine' | 'endColumn'>;

function placeOf(diagnostic: Diagnostic, index: TextIndex): Placed {
  const { line, span, unit } = diagnostic;
  const range = span && offsetRange(index, span, unit);
  if (range !== undefined) {
    const [start, end] = [index.placeAt(range.start), index.placeAt(range.end)];
    return { ...start, endLine: end.line, endColumn: end.column };
  }
  if (line === undefined || line > index.lineCount) return {};
  const column = columnAt(index, { line, column: diagnostic.column, unit });
  const endLine = Math.max(line, diagnostic.endLine ?? line);
  const endColumn = columnAt(index, { line: endLine, column: diagnostic.endColumn, unit });
  return {
    line,
    ...(column === undefined ? {} : { column }),
    ...(diagnostic.endLine === undefined && endColumn === undefined ? {} : { endLine }),
    ...(endColumn === undefined ? {} : { endColumn }),
  };
}

function columnAt(
  index: TextIndex,
  { line, column, unit }: { line: number; column: number | undefined; unit: Unit },
): number | undefined {
  const offset = column === undefined ? undefined : index.offsetAt({ line, column }, unit);
  return offset === undefined ? undefined : index.placeAt(offset).column;
}

const anchorText = (line: string): string => line.slice(0, MAX_ANCHOR).replace(/\s+/g, ' ').trim();

/** All edits of the fix or none. */
function anchorFix(fix: Fix, { unit }: Diagnostic, index: TextIndex): Fix | undefined {
  const edits: TextEdit[] = [];
  for (const { range, text } of fix.edits) {
    const fitting = offsetRange(index, range, unit);
    if (fitting === undefined) return undefined;
    edits.push({ range: fitting, text: withLineEnds(text, index.text) });
  }
  return { description: fix.description, edits };
}

/** Linters write line feeds; a file with CRLF keeps its line endings. */
function withLineEnds(text: string, file: string): string {
  const first = file.indexOf('\n');
  const isCarriage = first > 0 && file[first - 1] === '\r';
  return isCarriage ? text.replace(/\r?\n/g, '\r\n') : text;
}

interface Place {
  readonly line: number;
  readonly column: number;
}

/** Converts between places and offsets of a text. Results are in UTF-16, as strings are. */
interface TextIndex {
  readonly text: string;
  readonly lineCount: number;
  /** The line without its line ending; empty past the last one. */
  lineText(line: number): string;
  /** Undefined when there is no such place. */
  offsetAt(place: Place, unit: Unit): number | undefined;
  /** An offset counted in another unit; undefined when it is past the end or inside a character. */
  offsetFrom(count: number, unit: Unit): number | undefined;
  placeAt(offset: number): Place;
}

const MARK = '\ufeff';

function textIndex(text: string): TextIndex {
  const starts = lineStarts(text);
  const counts = new Map<Unit, number[]>();
  const lineText = (line: number): string => {
    const start = starts[line - 1];
    if (start === undefined) return '';
    const end = starts[line] ?? text.length + 1;
    return text.slice(start, end - 1).replace(/\r$/, '');
  };
  return {
    text,
    lineCount: starts.length,
    lineText,
    offsetAt: ({ line, column }, unit) => {
      const start = starts[line - 1];
      // After a last line without a line feed, some tools name the first column of the next line.
      if (start === undefined) {
        return line === starts.length + 1 && column === 1 ? text.length : undefined;
      }
      const inLine = advance(lineText(line), column - 1, unit);
      return inLine === undefined ? undefined : start + inLine;
    },
    offsetFrom: (count, unit) => {
      const known = counts.get(unit) ?? countAtStarts(text, starts, unit);
      counts.set(unit, known);
      const line = lastAtMost(known, count);
      const [start = 0, end = text.length] = starts.slice(line, line + 2);
      const inLine = advance(text.slice(start, end), count - (known[line] ?? 0), unit);
      return inLine === undefined ? undefined : start + inLine;
    },
    placeAt: offset => {
      const line = lastAtMost(starts, offset);
      return { line: line + 1, column: Math.max(0, offset - (starts[line] ?? 0)) + 1 };
    },
  };
}

/** The range in UTF-16; undefined when it doesn't fit the text. */
function offsetRange(
  index: TextIndex,
  range: OffsetRange | PlaceRange,
  unit: Unit,
): OffsetRange | undefined {
  const [start, end] =
    'start' in range
      ? [index.offsetFrom(range.start, unit), index.offsetFrom(range.end, unit)]
      : [
          index.offsetAt({ line: range.startLine, column: range.startColumn }, unit),
          index.offsetAt({ line: range.endLine, column: range.endColumn }, unit),
        ];
  if (start === undefined || end === undefined || start > end) return undefined;
  return { start, end };
}

/** The byte-order mark isn't part of the first line. */
function lineStarts(text: string): number[] {
  const starts = [text.startsWith(MARK) ? 1 : 0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** Each line's start in a unit. Bytes count the byte-order mark, other units don't. */
function countAtStarts(text: string, starts: readonly number[], unit: Unit): number[] {
  let count = unit === 'byte' && text.startsWith(MARK) ? 3 : 0;
  return starts.map((start, at) => {
    if (at > 0) count += lengthIn(text.slice(starts[at - 1], start), unit);
    return count;
  });
}

function lengthIn(text: string, unit: Unit): number {
  if (unit === 'utf16') return text.length;
  let length = 0;
  for (const char of text) length += unit === 'byte' ? byteLength(char.codePointAt(0) ?? 0) : 1;
  return length;
}

/** How many UTF-16 units `count` units are, from the start of the text. */
function advance(text: string, count: number, unit: Unit): number | undefined {
  if (count < 0) return undefined;
  if (unit === 'utf16') return count <= text.length ? count : undefined;
  let left = count;
  let at = 0;
  while (left > 0) {
    const code = text.codePointAt(at);
    if (code === undefined) return undefined;
    left -= unit === 'byte' ? byteLength(code) : 1;
    at += code > 0xffff ? 2 : 1;
  }
  return left === 0 ? at : undefined;
}

function byteLength(code: number): number {
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x10000 ? 3 : 4;
}

/** The index of the last start that isn't after the offset. */
function lastAtMost(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
