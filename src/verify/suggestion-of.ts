import type { BitePart } from '../core/bite.js';
import type { Suggestion } from '../core/finding.js';
import { redact } from '../core/secrets/redact.js';

export interface Replacement {
  readonly before: string;
  readonly after: string;
  /** The line that the finding is on. */
  readonly line: number;
  /** What the model was shown of the file. */
  readonly part: BitePart;
}

export type FoundSuggestion =
  | { readonly ok: true; readonly suggestion: Suggestion }
  /** Worded for whoever proposed the text. */
  | { readonly ok: false; readonly reason: string };

/** More is a rewrite, and nobody reads it in a comment. */
const MOST_LINES = 10;
/** A mend that is farther away is one of something else. */
const FARTHEST = 5;

/** Two texts of a file → the lines to replace, if that is a small change where the finding is. */
export function suggestionOf(wish: Replacement): FoundSuggestion {
  const { before, after, line, part } = wish;
  if (isWindows(before)) {
    // Shown with line feeds; whoever takes it puts the file's own line ends back.
    if (!isWindows(after)) return not('its lines end in another way than the others');
    return suggestionOf({ ...wish, before: withLineFeeds(before), after: withLineFeeds(after) });
  }
  const [old, fresh] = [before.split('\n'), after.split('\n')];
  const { from, to } = differing(old, fresh);
  const end = fresh.length - (old.length - to);
  const lines = fresh.slice(from, end);
  if (from === to && from === end) return not('it changes nothing');
  if (lines.join('').trim() === '') return not('it only deletes lines');
  if (Math.max(to - from, lines.length) > MOST_LINES) {
    return not(`it changes more than ${MOST_LINES} lines`);
  }
  if (from + 1 > line + FARTHEST || to < line - FARTHEST)
    return not(`it is not about line ${line}`);
  const isShown = shownIn(part);
  if (!old.slice(from, to).every((_, at) => isShown(from + at + 1))) {
    return not('it changes lines that were not shown');
  }
  const text = lines.join('\n');
  // Line ends of another kind would be lost on the way to whoever takes it.
  if (text.includes('\r') || redact(text) !== text)
    return not('its lines cannot be shown as they are');
  return { ok: true, suggestion: { startLine: from + 1, endLine: to, text } };
}

/** Every line ends with a carriage return and a line feed. */
const isWindows = (text: string): boolean =>
  text.includes('\r\n') && !/(?<!\r)\n|\r(?!\n)/.test(text);

const withLineFeeds = (text: string): string => text.replaceAll('\r\n', '\n');

const not = (reason: string): FoundSuggestion => ({ ok: false, reason });

/** The old lines in question, from 0; at least one, because a place between lines cannot be named. */
function differing(
  old: readonly string[],
  fresh: readonly string[],
): { readonly from: number; readonly to: number } {
  const shorter = Math.min(old.length, fresh.length);
  let from = 0;
  while (from < shorter && old[from] === fresh[from]) from += 1;
  let tail = 0;
  while (tail < shorter - from && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1;
  const to = old.length - tail;
  if (to > from || old.length === fresh.length) return { from, to };
  return from > 0 ? { from: from - 1, to } : { from, to: to + 1 };
}

function shownIn({ lines }: BitePart): (line: number) => boolean {
  const shown = new Set(lines.flatMap(line => (line.kind === 'removed' ? [] : [line.newLine])));
  return line => shown.has(line);
}

/** The text with the suggestion taken; its lines end as those of the file do. */
export function takeSuggestion(before: string, suggestion: Suggestion): string {
  if (isWindows(before)) {
    return takeSuggestion(withLineFeeds(before), suggestion).replaceAll('\n', '\r\n');
  }
  const { startLine, endLine, text } = suggestion;
  const lines = before.split('\n');
  return [...lines.slice(0, startLine - 1), text, ...lines.slice(endLine)].join('\n');
}
