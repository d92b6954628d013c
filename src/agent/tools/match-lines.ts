export type LineMatch =
  | { readonly kind: 'one'; readonly start: number; readonly end: number; readonly text: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'ambiguous'; readonly lines: readonly number[] };

/**
 * Finds whole lines whose text is the same but for white space at both ends, and shifts the new lines
 * by the same indentation. Two places with that text are a question; an indentation that is not the
 * same shift on every line is another text.
 */
export function matchLines(whole: string, oldText: string, newText: string): LineMatch {
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

const MOST_PLACES = 20;

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
