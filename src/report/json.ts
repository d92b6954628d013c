import { isObject } from '../core/json-fields.js';
import type { Outcome } from '../core/outcome.js';
import type { Clock } from '../platform/clock.js';
import { forJson } from '../platform/safe-text.js';

/** List items written at once. */
const PORTION = 250;
/** Long lists aren't nested deeper than this. */
const MAX_DEPTH = 2;

interface JsonStyle {
  readonly indent?: number;
  readonly replace?: (key: string, value: unknown) => unknown;
}

/**
 * The result of `JSON.stringify` in pieces: a list of twenty thousand items would keep Ctrl-C
 * waiting.
 */
export function* jsonPieces(value: unknown, style: JsonStyle = {}, level = 0): Generator<string> {
  const { indent = 0, replace } = style;
  const outer = indent === 0 ? '' : `\n${' '.repeat(indent * level)}`;
  // Line breaks in JSON are only formatting.
  const flat = (part: unknown): string =>
    (JSON.stringify(part, replace, indent) ?? 'null').replaceAll('\n', outer);
  if (Array.isArray(value) && value.length > PORTION) {
    for (let at = 0; at < value.length; at += PORTION) {
      const text = flat(value.slice(at, at + PORTION));
      yield `${at === 0 ? '[' : ','}${text.slice(1, -1 - outer.length)}`;
    }
    yield `${outer}]`;
  } else if (level < MAX_DEPTH && isObject(value)) {
    yield* recordPieces(value, style, level);
  } else {
    yield flat(value);
  }
}

function* recordPieces(value: object, style: JsonStyle, level: number): Generator<string> {
  const { indent = 0 } = style;
  const inner = indent === 0 ? '' : `\n${' '.repeat(indent * (level + 1))}`;
  const colon = indent === 0 ? ':' : ': ';
  let opening = '{';
  for (const [key, each] of Object.entries(value)) {
    if (each === undefined) continue;
    yield `${opening}${inner}${JSON.stringify(key)}${colon}`;
    yield* jsonPieces(each, style, level + 1);
    opening = ',';
  }
  yield opening === '{' ? '{}' : `${inner.slice(0, inner.length - indent)}}`;
}

/** Joins the pieces, and yields to the event loop in between. */
export async function joinPieces(
  pieces: Iterable<string>,
  yieldToEventLoop: () => Promise<void> | undefined,
): Promise<string> {
  let text = '';
  for (const piece of pieces) {
    text += piece;
    await yieldToEventLoop();
  }
  return text;
}

/**
 * A value as JSON with a final newline. Characters that JSON allows but a terminal would act on (C1
 * controls, bidi overrides, line separators) are escaped.
 */
export const jsonText = (value: unknown): string => [...jsonTextPieces(value)].join('');

/** The same in pieces. */
export function* jsonTextPieces(value: unknown): Generator<string> {
  for (const piece of jsonPieces(value, { indent: 2 })) yield forJson(piece);
  yield '\n';
}

/** The whole outcome, for `--format json` and `--out`. */
export const toJson = (
  outcome: Outcome,
  { yieldToEventLoop }: Pick<Clock, 'yieldToEventLoop'>,
): Promise<string> => joinPieces(jsonTextPieces(outcome), yieldToEventLoop);
