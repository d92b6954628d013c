import type { Diagnostic, Fix, TextEdit, Unit } from '../core/diagnostic.js';
import { offsetRange, type TextIndex, textIndex } from './text-index.js';

/** A line longer than this is told apart well enough by its beginning. */
const MOST_ANCHOR = 400;

/**
 * Ties diagnostics to the text they are about: columns in UTF-16, the line's text as anchor, and
 * edits as offsets that can be applied. Edits that do not fit the text are left out, and so is what
 * points past its end; a file that is not given leaves its diagnostics as they are.
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

const anchorText = (line: string): string => line.slice(0, MOST_ANCHOR).replace(/\s+/g, ' ').trim();

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

/** Linters write line feeds; a file that ends its lines otherwise keeps doing so. */
function withLineEnds(text: string, file: string): string {
  const first = file.indexOf('\n');
  const isCarriage = first > 0 && file[first - 1] === '\r';
  return isCarriage ? text.replace(/\r?\n/g, '\r\n') : text;
}
