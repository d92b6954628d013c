/** Reads unchecked JSON: a value of the right type, or undefined. Never throws. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const objectAt = (holder: JsonObject, name: string): JsonObject | undefined => {
  const value = holder[name];
  return isObject(value) ? value : undefined;
};

/** The objects of a list; anything else in it is left out. */
export const objectsOf = (value: unknown): readonly JsonObject[] => listOf(value).filter(isObject);

/** An object's own property: `field({}, 'constructor')` is undefined. */
export const field = (holder: unknown, name: string): unknown =>
  isObject(holder) ? Object.getOwnPropertyDescriptor(holder, name)?.value : undefined;

export const stringOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** A whole number, 0 or more. */
export const countOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

/**
 * Nothing we read is nested deeper; deeper nesting would overflow the stack of code that walks it.
 */
const MAX_DEPTH = 100;

/** `JSON.parse` for untrusted text. Throws if it isn't JSON or is nested too deeply. */
export function parseBounded(text: string): unknown {
  const whole: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
  let level: unknown[] = [whole];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) throw new SyntaxError(`nested more than ${MAX_DEPTH} deep`);
    level = level.flatMap(value =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
  }
  return whole;
}

/** Undefined for text that isn't JSON. */
export function parseJson(text: string): unknown {
  try {
    return parseBounded(text);
  } catch {
    return undefined;
  }
}

/** The string, or an empty one. */
export const textOf = (value: unknown): string => stringOf(value) ?? '';

/** A finite number above zero, or zero. */
export const amountOf = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;

/** A string unchanged, anything else as JSON. */
export const wordsOf = (value: unknown): string =>
  stringOf(value) ?? JSON.stringify(value, null, 2) ?? '';
