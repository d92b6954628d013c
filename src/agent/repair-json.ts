import { JsonReader } from './json-reader.js';

export interface Mended {
  readonly value: unknown;
  /** It was not JSON as it stood: a fence, a missing bracket, a comma too many, words around it. */
  readonly isMended: boolean;
  /** It stops in the middle of a value, so what is there must not be acted on. */
  readonly isCut: boolean;
  /** Just behind it. */
  readonly end: number;
}

/** The first object or list in a text, mended where that cannot change what it says. */
export function mendJson(text: string): Mended | undefined {
  const clean = parseClean(text);
  if (clean !== undefined) return clean;
  for (const start of openingBrackets(text)) {
    const found = mendJsonAt(text, start);
    if (found !== undefined) return { ...found, isMended: true };
  }
  return undefined;
}

/** The object or list that begins exactly there. */
export function mendJsonAt(text: string, start: number): Mended | undefined {
  const reader = new JsonReader(text, start);
  const read = reader.value(0);
  if (read === undefined) return undefined;
  return { value: read.value, isMended: reader.isMended, isCut: reader.isCut, end: reader.at };
}

function parseClean(text: string): Mended | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
    return { value, isMended: false, isCut: false, end: text.length };
  } catch {
    // Not JSON as it stands: mending begins.
    return undefined;
  }
}

/** Prose before the object may hold a bracket or two; a text full of them is not searched through. */
const MOST_STARTS = 8;

function openingBrackets(text: string): number[] {
  const first = text.length - text.trimStart().length;
  // A list is only looked for at the very start: prose is full of square brackets.
  const starts = text[first] === '[' ? [first] : [];
  let at = text.indexOf('{');
  while (at !== -1 && starts.length < MOST_STARTS) {
    starts.push(at);
    at = text.indexOf('{', at + 1);
  }
  return starts;
}
