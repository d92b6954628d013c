/** Lines of the old text that are gone, and what stands in their place. */
export interface LineChange {
  /** The number of the first old line, or of the one that the new ones stand before. */
  readonly oldLine: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** Past this the middle is told as one change: a comparison of all with all would take too long. */
const MOST_CELLS = 4_000_000;

/** What has to change in `before` to get `after`, top down. */
export function lineChanges(before: string, after: string): LineChange[] {
  const [old, fresh] = [before.split('\n'), after.split('\n')];
  const shorter = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < shorter && old[head] === fresh[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1;
  const removed = old.slice(head, old.length - tail);
  const added = fresh.slice(head, fresh.length - tail);
  if (removed.length + added.length === 0) return [];
  if (removed.length * added.length === 0 || removed.length * added.length > MOST_CELLS) {
    return [{ oldLine: head + 1, removed, added }];
  }
  return walk(removed, added, head + 1);
}

/** Along a longest common subsequence, computed from the end so that it can be walked from the start. */
function walk(old: readonly string[], fresh: readonly string[], firstLine: number): LineChange[] {
  const common = commonLengths(old, fresh);
  const width = fresh.length + 1;
  const changes: Array<{ oldLine: number; removed: string[]; added: string[] }> = [];
  let isOpen = false;
  for (let i = 0, j = 0; i < old.length || j < fresh.length; ) {
    if (i < old.length && j < fresh.length && old[i] === fresh[j]) {
      isOpen = false;
      i += 1;
      j += 1;
      continue;
    }
    if (!isOpen) changes.push({ oldLine: firstLine + i, removed: [], added: [] });
    isOpen = true;
    const below = common[(i + 1) * width + j] ?? 0;
    const right = common[i * width + j + 1] ?? 0;
    if (j >= fresh.length || (i < old.length && below >= right)) {
      changes.at(-1)?.removed.push(old[i] ?? '');
      i += 1;
    } else {
      changes.at(-1)?.added.push(fresh[j] ?? '');
      j += 1;
    }
  }
  return changes;
}

function commonLengths(old: readonly string[], fresh: readonly string[]): Uint32Array {
  const width = fresh.length + 1;
  const cells = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = fresh.length - 1; j >= 0; j -= 1) {
      cells[i * width + j] =
        old[i] === fresh[j]
          ? (cells[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(cells[(i + 1) * width + j] ?? 0, cells[i * width + j + 1] ?? 0);
    }
  }
  return cells;
}
