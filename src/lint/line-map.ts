/** Where a line of the old text stands in the new one; undefined when it was edited. */
export type LineMap = (line: number) => number | undefined;

/** Exact for one edit in one place: what is before it stays, what is behind it moves as a whole. */
export function lineMap(before: string, after: string): LineMap {
  const [old, fresh] = [before.split('\n'), after.split('\n')];
  const shorter = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < shorter && old[head] === fresh[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1;
  return line => {
    if (line <= head) return line;
    return line > old.length - tail ? line + fresh.length - old.length : undefined;
  };
}
