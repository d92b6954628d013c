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

type LineMatch =
  | { readonly kind: 'one'; readonly start: number; readonly end: number; readonly text: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'ambiguous'; readonly lines: readonly number[] };

/**
 * Finds whole lines whose text is the same but for white space at both ends, and shifts the new lines
 * by the same indentation. Two places with that text are a question; an indentation that is not the
 * same shift on every line is another text.
 */
function matchLines(whole: string, oldText: string, newText: string): LineMatch {
  const old = trimmedBlock(oldText);
  if (old.lines.length === 0) return { kind: 'absent' };
  const file = fileLines(whole);
  const wanted = old.lines.map(line => line.trim());
  const starts = startsOf(file, wanted);
  if (starts.length > 1) return { kind: 'ambiguous', lines: starts.map(start => start + 1) };
  const [start] = starts;
  if (start === undefined) return { kind: 'absent' };
  const found = file.slice(start, start + wanted.length);
  const shift = shiftOf(old.lines, found);
  const fresh = shift && shifted(trimmedBlock(newText, old).lines, shift);
  const first = found[0];
  const last = found.at(-1);
  if (fresh === undefined || first === undefined || last === undefined) return { kind: 'absent' };
  return { kind: 'one', ...region({ first, last, fresh }) };
}

interface FileLine {
  readonly text: string;
  readonly trimmed: string;
  readonly start: number;
  /** Behind the text, and behind the line ending. */
  readonly end: number;
  readonly next: number;
}

function fileLines(whole: string): FileLine[] {
  const lines: FileLine[] = [];
  let start = 0;
  while (start < whole.length) {
    const feed = whole.indexOf('\n', start);
    const next = feed === -1 ? whole.length : feed + 1;
    const end = feed === -1 ? whole.length : whole[feed - 1] === '\r' ? feed - 1 : feed;
    const text = whole.slice(start, end);
    lines.push({ text, trimmed: text.trim(), start, end, next });
    start = next;
  }
  return lines;
}

function startsOf(file: readonly FileLine[], wanted: readonly string[]): number[] {
  const starts: number[] = [];
  for (let at = 0; at + wanted.length <= file.length && starts.length < MOST_PLACES; at += 1) {
    if (wanted.every((text, offset) => file[at + offset]?.trimmed === text)) starts.push(at);
  }
  return starts;
}

/** The lines without the blank ones around them; as many are taken off the new text as off the old. */
function trimmedBlock(
  text: string,
  like?: { readonly before: number; readonly after: number },
): { lines: string[]; before: number; after: number } {
  const lines = text.split(/\r?\n/);
  const most = { before: like?.before ?? lines.length, after: like?.after ?? lines.length };
  let before = 0;
  while (before < most.before && before < lines.length && lines[before]?.trim() === '') before += 1;
  let after = 0;
  while (
    after < most.after &&
    after < lines.length - before &&
    lines.at(-1 - after)?.trim() === ''
  ) {
    after += 1;
  }
  return { lines: lines.slice(before, lines.length - after), before, after };
}

interface Shift {
  readonly add: string;
  readonly remove: string;
}

/** What stands before every line of the file and not before those given, or the reverse. */
function shiftOf(given: readonly string[], found: readonly FileLine[]): Shift | undefined {
  let shift: Shift | undefined;
  for (const [at, line] of given.entries()) {
    if (line.trim() === '') continue;
    const one = shiftBetween(indentOf(line), indentOf(found[at]?.text ?? ''));
    if (one === undefined) return undefined;
    if (shift !== undefined && (shift.add !== one.add || shift.remove !== one.remove))
      return undefined;
    shift = one;
  }
  return shift;
}

function shiftBetween(given: string, found: string): Shift | undefined {
  if (found.endsWith(given))
    return { add: found.slice(0, found.length - given.length), remove: '' };
  if (given.endsWith(found))
    return { add: '', remove: given.slice(0, given.length - found.length) };
  return undefined;
}

const indentOf = (line: string): string => line.slice(0, line.length - line.trimStart().length);

/** Undefined when a new line stands further left than the shift allows: its depth is unknown. */
function shifted(lines: readonly string[], { add, remove }: Shift): string[] | undefined {
  const isDeepEnough = lines.every(line => line.trim() === '' || line.startsWith(remove));
  if (!isDeepEnough) return undefined;
  return lines.map(line => (line.trim() === '' ? line : add + line.slice(remove.length)));
}

/** Lines are replaced by lines; no lines take the ending of the last one with them. */
function region(place: { first: FileLine; last: FileLine; fresh: readonly string[] }): {
  start: number;
  end: number;
  text: string;
} {
  const { first, last, fresh } = place;
  const isDeletion = fresh.length === 0;
  return { start: first.start, end: isDeletion ? last.next : last.end, text: fresh.join('\n') };
}

/**
 * New text for a place that begins behind an indentation which the old text left out. Its further
 * lines may have been written from the margin of the old text or from the margin of the file; lines
 * that could not stand in the file as they are were meant from the former, and are moved.
 */
function reindent(newText: string, indent: string): string {
  const [first = '', ...rest] = newText.split('\n');
  const written = rest.filter(line => line.trim() !== '');
  if (indent === '' || written.length === 0) return newText;
  const least = Math.min(...written.map(line => line.length - line.trimStart().length));
  // A body cannot be level with the line that opens it.
  const isBody = first.trimEnd().endsWith(':') && least <= indent.length;
  if (least >= indent.length && !isBody) return newText;
  return [first, ...rest.map(line => (line.trim() === '' ? line : indent + line))].join('\n');
}
