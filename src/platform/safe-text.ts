/**
 * Text from diffs, paths, commits and the model is untrusted. Here it is made unable to control a
 * terminal, hide from the reader or give commands to a CI runner; `safe-markdown.ts` does the same
 * for comments. Invisible characters are shown as escapes, never dropped.
 */

// A variation selector after an emoji only selects its style; anywhere else it is hidden text.
const HIDDEN =
  /(?<!\p{Emoji})[\ufe0e\ufe0f]|(?![\ufe0e\ufe0f])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;

/** For a place that is one line: a newline shows as `\n`, an escape character as `\x1b`. */
export const forTerminal = (text: string): string => reveal(text);

/** For running text: newlines stay newlines, and none of its lines can start a runner's command. */
export const forTerminalLines = (text: string): string =>
  guardLineStart(reveal(text.replaceAll('\r\n', '\n'), '\n'));

/** What comes after the second `::` of a workflow command. */
export const forWorkflowData = (text: string): string =>
  guardBrackets(reveal(text, '\n\r\t'))
    .replaceAll('%', '%25')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A');

/** The value of a property of a workflow command, such as `file=`. */
export const forWorkflowProperty = (text: string): string =>
  forWorkflowData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/**
 * Actions runs `::command::` at the start of a line, after any white space, and the older
 * `##[command]` anywhere; Azure has `##vso[`, TeamCity `##teamcity[`. A backslash turns each into
 * plain text.
 */
export const guardLineStart = (text: string): string =>
  guardBrackets(text.replace(/^([^\S\n\r\u2028\u2029]*)::/gm, '$1\\::'));

const guardBrackets = (text: string): string => text.replace(/##(\w{0,16})\[/g, '##$1\\[');

/**
 * Equivalent JSON with nothing that a terminal, a reader or a runner would act on: such characters
 * are only in strings, where each can be written as an escape.
 */
export function forJson(json: string): string {
  const guarded = json.replace(/##(?=\w{0,16}\[)/g, '#\\u0023');
  // A quick test that saves nearly every outcome the search with Unicode tables.
  if (!/[^\n -~]/.test(guarded)) return guarded;
  return replaceHidden(guarded, char => (char === '\n' ? char : escapedUnits(char)));
}

const escapedUnits = (char: string): string =>
  char
    .split('')
    .map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/** Shows every invisible or control character as an escape, except those in `keep`. */
export const reveal = (text: string, keep = ''): string =>
  replaceHidden(text, char => (keep.includes(char) ? char : escapeOf(char)));

/** Lone surrogates as escapes: strict JSON parsers reject the whole file for one. */
export const wellFormed = (text: string): string =>
  text.replace(/\p{Surrogate}/gu, half => escapeOf(half));

export const replaceHidden = (text: string, replace: (char: string) => string): string =>
  text.replace(HIDDEN, replace);

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escapeOf(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code > 0xffff) return `\\u{${hex}}`;
  // A path's byte that isn't UTF-8 (`core/path-bytes.ts`), distinct from the C1 controls.
  if (code >= 0xdc80 && code <= 0xdcff) return `\\x${hex.slice(2)}`;
  if (code > 0x7f) return `\\u${hex.padStart(4, '0')}`;
  return NAMED[char] ?? `\\x${hex.padStart(2, '0')}`;
}

const MAX_CHARACTERS = 300;

/** A server's message for terminals and reports: one short line without control characters. */
export function oneLine(text: string): string {
  const plain = text
    .slice(0, 4 * MAX_CHARACTERS)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
  return plain.length > MAX_CHARACTERS ? `${plain.slice(0, MAX_CHARACTERS)}...` : plain;
}
