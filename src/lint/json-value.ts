/** Reading JSON that nobody vouches for: each question has an answer or undefined. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The objects of a list; anything else in it is passed over. */
export const objectsOf = (value: unknown): readonly JsonObject[] => listOf(value).filter(isObject);

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** A non-empty text. */
export const wordsOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

export const countOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

/** A line or column counted from 1; tools write 0 or null for "none". */
export const placeOf = (value: unknown): number | undefined => countOf(value) || undefined;

/** The same for a number written as text, as in XML and workflow commands. */
export const placeFromText = (value: string | undefined): number | undefined =>
  value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) || undefined : undefined;
