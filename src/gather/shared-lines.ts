import type { DiffEvent, Line } from '../core/change.js';
import type { DiffWish, Git } from '../world.js';
import { parseDiff } from './parse-diff.js';
import { revealHidden } from './reveal-hidden.js';

/** Runs of added lines on the new side: [first, behind the last]. */
type Ranges = Array<[from: number, to: number]>;

/**
 * A merge is judged on the lines that differ from every parent. All comparisons share the new side,
 * so a line that is added against the first parent but not against another one is shown as context.
 */
export async function* keepSharedLines(
  events: AsyncIterable<readonly DiffEvent[]>,
  wish: DiffWish & { readonly others: readonly string[] },
  git: Git,
): AsyncGenerator<readonly DiffEvent[]> {
  const against = await Promise.all(
    wish.others.map(from => {
      const other = { ...wish, from };
      return addedRanges(revealHidden(parseDiff(git.diff(other)), other, git));
    }),
  );
  let path = '';
  for await (const batch of events) {
    yield batch.map(event => {
      if (event.type === 'file') path = event.file.path;
      if (event.type !== 'lines') return event;
      const ranges = against.map(added => added.get(path) ?? []);
      return { type: 'lines', lines: event.lines.map(line => demote(line, ranges)) };
    });
  }
}

async function addedRanges(
  events: AsyncIterable<readonly DiffEvent[]>,
): Promise<Map<string, Ranges>> {
  const added = new Map<string, Ranges>();
  let ranges: Ranges = [];
  for await (const batch of events) {
    for (const event of batch) {
      if (event.type === 'file') {
        ranges = added.get(event.file.path) ?? [];
        added.set(event.file.path, ranges);
      }
      if (event.type === 'lines') for (const line of event.lines) extend(ranges, line);
    }
  }
  return added;
}

function extend(ranges: Ranges, line: Line): void {
  if (line.kind !== 'added') return;
  const last = ranges.at(-1);
  if (last !== undefined && last[1] === line.newLine) last[1] += 1;
  else ranges.push([line.newLine, line.newLine + 1]);
}

function demote(line: Line, everyParent: readonly Ranges[]): Line {
  if (line.kind !== 'added') return line;
  if (everyParent.every(ranges => contains(ranges, line.newLine))) return line;
  // It has no place in the first parent; 0 says so.
  return { kind: 'context', text: line.text, oldLine: 0, newLine: line.newLine };
}

/** Ranges are in order, so the search halves them. */
function contains(ranges: Ranges, line: number): boolean {
  let low = 0;
  let high = ranges.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const range = ranges[middle];
    if (range === undefined) return false;
    if (line < range[0]) high = middle - 1;
    else if (line >= range[1]) low = middle + 1;
    else return true;
  }
  return false;
}
