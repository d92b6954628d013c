import type { RE2JSSyntaxException } from 're2js';

/** A rule's `when`: must match an added line. */
export interface LinePattern {
  readonly source: string;
  matches(line: string): boolean;
}

/** Compiling a longer one can take seconds. */
const MAX_CHARACTERS = 200;
/** Time per character of a line grows with this; ordinary patterns compile to fewer than 100. */
const MAX_INSTRUCTIONS = 1000;
/** Longer lines aren't code. They aren't searched: the question is asked. */
const MAX_LINE = 10_000;

/** The pattern, or what is wrong with it. RE2 runs in linear time, whatever is on the line. */
export async function linePattern(source: string): Promise<LinePattern | string> {
  if (source === '') return 'it is empty';
  if (source.length > MAX_CHARACTERS)
    return `it has ${source.length} characters, at most ${MAX_CHARACTERS} are allowed`;
  // RE2 would read `\k<name>` as these letters.
  if (/(?<!\\)(?:\\\\)*\\(?:[1-9]|k<)/.test(source)) return BACKREFERENCE;
  const { RE2JS } = await import('re2js');
  try {
    const pattern = RE2JS.compile(RE2JS.translateRegExp(source));
    if (pattern.programSize() > MAX_INSTRUCTIONS)
      return 'it is too large; use smaller repeat counts, or * and +';
    return { source, matches: line => line.length > MAX_LINE || pattern.test(line) };
  } catch (thrown) {
    if (!isSyntaxError(thrown)) throw thrown;
    const { error, input } = thrown;
    if (/^\(\?<?[=!]/.test(input ?? '')) return LOOKAROUND;
    return `it doesn't parse: ${error}${input ? ` at ${JSON.stringify(input)}` : ''}`;
  }
}

const BACKREFERENCE =
  'back-references such as \\1 and \\k<name> are not supported; write the alternatives out, as in "[^"]*"|\'[^\']*\'';
const LOOKAROUND =
  'look-ahead and look-behind are not supported; match the text itself, as in "return await" for "(?<=return )await"';

const isSyntaxError = (thrown: unknown): thrown is RE2JSSyntaxException =>
  thrown instanceof Error && thrown.name === 'RE2JSSyntaxException';
