import type { OffsetRange, PlaceRange, Unit } from '../core/diagnostic.js';

export interface Place {
  readonly line: number;
  readonly column: number;
}

/** One file's text, asked for places and offsets. Answers are in UTF-16, as strings are. */
export interface TextIndex {
  readonly text: string;
  readonly lineCount: number;
  /** The line without what ends it; empty past the last one. */
  lineText(line: number): string;
  /** Undefined when there is no such place. */
  offsetAt(place: Place, unit: Unit): number | undefined;
  /** An offset counted in another unit; undefined when it is past the end or inside a character. */
  offsetFrom(count: number, unit: Unit): number | undefined;
  placeAt(offset: number): Place;
}

const MARK = '\ufeff';

export function textIndex(text: string): TextIndex {
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
      // Behind a last line that has no end, some tools name the first column of the line after it.
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

/** The range in UTF-16; undefined when it does not fit the text. */
export function offsetRange(
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

/** The byte-order mark belongs to no line. */
function lineStarts(text: string): number[] {
  const starts = [text.startsWith(MARK) ? 1 : 0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** What each line's start is in a unit. Bytes are those of the file; others begin behind the mark. */
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

/** The index of the last start that is not behind the offset. */
function lastAtMost(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
