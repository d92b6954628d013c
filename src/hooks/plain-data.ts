/** Reading what a configuration parser gave: any shape, nothing taken for granted. */
export const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value under these keys, or undefined. */
export function below(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const key of path) found = isMapping(found) ? found[key] : undefined;
  return found;
}

export const withoutKey = (value: unknown, key: string): unknown =>
  isMapping(value)
    ? Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))
    : value;

/** Equal in content; what is empty counts as absent, and the order of keys does not matter. */
export const sameData = (one: unknown, other: unknown): boolean =>
  JSON.stringify(tidy(one)) === JSON.stringify(tidy(other));

function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(tidy);
  if (!isMapping(value)) return value === null ? undefined : value;
  const entries = Object.entries(value)
    .map(([key, inner]) => [key, tidy(inner)] as const)
    .filter(([, inner]) => inner !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
