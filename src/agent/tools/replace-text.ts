import { matchLines } from './match-lines.js';
import { reindent } from './reindent.js';

export type Replacement =
  | {
      readonly kind: 'replaced';
      readonly text: string;
      /** Where the replaced part begins. */
      readonly line: number;
      readonly how: 'exact' | 'line-endings' | 'indentation';
    }
  | { readonly kind: 'absent' }
  | { readonly kind: 'ambiguous'; readonly lines: readonly number[] };

/**
 * Puts `newText` where `oldText` stands, if that is one place. Looked for as written first, then with
 * the file's line endings, then line by line with white space at the ends forgiven. Nothing outside
 * the place changes by a byte.
 */
export function replaceText(whole: string, oldText: string, newText: string): Replacement {
  // A byte order mark counts as white space and would pass for indentation.
  if (whole.startsWith(MARK)) {
    const done = replaceText(whole.slice(MARK.length), oldText.replace(MARK, ''), newText);
    return done.kind === 'replaced' ? { ...done, text: MARK + done.text } : done;
  }
  const ending = endingOf(whole);
  const replacement = withEnding(newText, ending);
  const spellings = [...new Set([oldText, withEnding(oldText, '\n'), withEnding(oldText, '\r\n')])];
  for (const spelling of spellings) {
    const places = placesOf(whole, spelling);
    const [start] = places;
    if (start === undefined) continue;
    if (places.length > 1) {
      return { kind: 'ambiguous', lines: places.map(place => lineAt(whole, place)) };
    }
    const place = { start, end: start + spelling.length };
    return {
      kind: 'replaced',
      text: splice(whole, exactPart(whole, place, replacement)),
      line: lineAt(whole, start),
      how: spelling === oldText ? 'exact' : 'line-endings',
    };
  }
  const found = matchLines(whole, oldText, newText);
  if (found.kind !== 'one') return found;
  return {
    kind: 'replaced',
    text: splice(whole, { ...found, text: withEnding(found.text, ending) }),
    line: lineAt(whole, found.start),
    how: 'indentation',
  };
}

const MARK = '\ufeff';

/** New lines end as most lines of the file do. */
function endingOf(whole: string): '\n' | '\r\n' {
  const crlf = whole.split('\r\n').length - 1;
  const all = whole.split('\n').length - 1;
  return crlf * 2 > all ? '\r\n' : '\n';
}

const withEnding = (text: string, ending: string): string => text.replace(/\r?\n/g, ending);

const MOST_PLACES = 20;

/** Overlapping ones too: `aa` stands twice in `aaa`, and that is a question, not a place. */
function placesOf(whole: string, part: string): number[] {
  const places: number[] = [];
  if (part === '') return places;
  let at = whole.indexOf(part);
  while (at !== -1 && places.length < MOST_PLACES) {
    places.push(at);
    at = whole.indexOf(part, at + 1);
  }
  return places;
}

/** A place that is a whole line but for its indentation is treated as that line. */
function exactPart(
  whole: string,
  { start, end }: { start: number; end: number },
  text: string,
): { start: number; end: number; text: string } {
  const margin = whole.lastIndexOf('\n', start - 1) + 1;
  const indent = whole.slice(margin, start);
  if (indent.trim() !== '') return { start, end, text };
  const old = whole.slice(start, end);
  if (text === '' && old.endsWith('\n')) return { start: margin, end, text };
  const isOneLine = !old.trimEnd().includes('\n');
  return { start, end, text: isOneLine ? reindent(text, indent) : text };
}

const splice = (whole: string, part: { start: number; end: number; text: string }): string =>
  whole.slice(0, part.start) + part.text + whole.slice(part.end);

const lineAt = (whole: string, offset: number): number => whole.slice(0, offset).split('\n').length;
