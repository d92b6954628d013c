import type { GithubFile } from '../github/types.js';

export type DiffSide = 'LEFT' | 'RIGHT';

/** A line that GitHub shows in a pull request, and so accepts comments on. */
export interface ShownLine {
  readonly text: string;
  /** Comments on several lines must stay within one hunk. */
  readonly hunk: number;
}

/** The changed files of a pull request from the API: there is no checkout. */
export interface PullDiff {
  /** Undefined when the line isn't shown. */
  lineAt(path: string, side: DiffSide, line: number): ShownLine | undefined;
  /** All lines that are shown of one side, in order. */
  textsOf(path: string, side: DiffSide): readonly string[];
  /** Whether the file is in the list, with or without a patch. */
  has(path: string): boolean;
}

type Sides = Readonly<Record<DiffSide, ReadonlyMap<number, ShownLine>>>;

export function readPullDiff(files: readonly GithubFile[]): PullDiff {
  const byPath = new Map(files.map(({ path, patch }) => [path, readPatch(patch ?? '')]));
  return {
    lineAt: (path, side, line) => byPath.get(path)?.[side].get(line),
    textsOf: (path, side) => [...(byPath.get(path)?.[side].values() ?? [])].map(({ text }) => text),
    has: path => byPath.has(path),
  };
}

const HUNK = /^@@ -(\d{1,9})(?:,\d{1,9})? \+(\d{1,9})(?:,\d{1,9})? @@/;

/** GitHub's patch: hunks without a file header. An unexpected line ends the hunk. */
function readPatch(patch: string): Sides {
  const sides = { LEFT: new Map<number, ShownLine>(), RIGHT: new Map<number, ShownLine>() };
  let hunk = 0;
  let at: { old: number; new: number } | undefined;
  for (const line of patch.split('\n')) {
    const [isHeader, oldStart, newStart] = HUNK.exec(line) ?? [];
    if (isHeader !== undefined) {
      hunk += 1;
      at = { old: Number(oldStart), new: Number(newStart) };
      continue;
    }
    if (at === undefined) continue;
    const shown = { text: line.slice(1), hunk };
    const mark = line[0];
    if (mark === '+' || mark === ' ') sides.RIGHT.set(at.new++, shown);
    if (mark === '-' || mark === ' ') sides.LEFT.set(at.old++, shown);
    // `\ No newline at end of file` belongs to neither side.
    else if (mark !== '+' && mark !== '\\') at = undefined;
  }
  return sides;
}
