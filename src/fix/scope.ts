import type { DiffEvent, Line } from '../core/change.js';
import type { Diagnostic } from '../core/diagnostic.js';
import { isListed, type ReadyMade } from './ready-made.js';

/** What the run may look at and mend. */
export interface Scope {
  /** Changed lines by path; undefined when whole files are meant. */
  readonly changed: ReadonlyMap<string, ReadonlySet<number>> | undefined;
  /** Literal paths from the top; empty for all. */
  readonly paths: readonly string[];
  /** Empty for all. */
  readonly rules: readonly string[];
  /** Only what this report complains of. */
  readonly only: ReadyMade | undefined;
  readonly maxFixes: number;
}

/** Ranges up to this many lines make a place; a longer one counts by where it begins. */
const TIGHT_LINES = 3;

export function isPathInScope(path: string, { changed, paths, only }: Scope): boolean {
  if (changed !== undefined && !changed.has(path)) return false;
  if (only !== undefined && !only.byPath.has(path)) return false;
  return paths.length === 0 || paths.some(each => isAtOrBelow(path, each));
}

const isAtOrBelow = (path: string, place: string): boolean =>
  place === '.' || path === place || path.startsWith(`${place}/`);

/** `originOf` gives the commit's line; a line of our own making belongs to what it was made for. */
export function isInScope(
  diagnostic: Diagnostic,
  scope: Scope,
  originOf: (path: string, line: number) => number | undefined,
): boolean {
  const { path, line, rule, tool } = diagnostic;
  if (!isPathInScope(path, scope)) return false;
  if (scope.rules.length > 0 && !namesOf(rule, tool).some(name => scope.rules.includes(name))) {
    return false;
  }
  const origins = linesOf(diagnostic).map(each => originOf(path, each));
  if (scope.only !== undefined && !isListed(diagnostic, scope.only, origins[0])) return false;
  const changed = scope.changed?.get(path);
  if (changed === undefined || line === undefined) return true;
  return origins.some(origin => origin === undefined || changed.has(origin));
}

const namesOf = (rule: string | null, tool: string): string[] =>
  rule === null ? [tool] : [rule, `${tool}/${rule}`, tool];

function linesOf(diagnostic: Diagnostic): number[] {
  const { line } = diagnostic;
  const endLine = lastLine(diagnostic);
  if (line === undefined || endLine === undefined) return [];
  const length = endLine - line < TIGHT_LINES ? endLine - line + 1 : 1;
  return Array.from({ length: Math.max(1, length) }, (_, at) => line + at);
}

/** A range that ends before the first column of a line has nothing of that line. */
export function lastLine({ line, endLine = line, endColumn }: Diagnostic): number | undefined {
  if (line === undefined || endLine === undefined) return undefined;
  return endColumn === 1 && endLine > line ? endLine - 1 : endLine;
}

/** What a change touches, and how much of it. */
export interface ChangedLines {
  /** New lines by path; a file that only lost lines is there with none. */
  readonly lines: ReadonlyMap<string, ReadonlySet<number>>;
  readonly size: Readonly<Record<'files' | 'hunks' | 'added' | 'removed', number>>;
}

export async function changedLines(
  events: AsyncIterable<readonly DiffEvent[]>,
): Promise<ChangedLines> {
  const changed = new Map<string, Set<number>>();
  const size = { files: 0, hunks: 0, added: 0, removed: 0 };
  let lines = new Set<number>();
  const count = (line: Line): void => {
    if (line.kind === 'added') lines.add(line.newLine);
    if (line.kind !== 'context') size[line.kind] += 1;
  };
  for await (const batch of events) {
    for (const event of batch) {
      if (event.type === 'file') {
        lines = new Set();
        size.files += 1;
        if (event.file.status !== 'deleted') changed.set(event.file.path, lines);
      }
      if (event.type === 'hunk') size.hunks += 1;
      if (event.type === 'lines') event.lines.forEach(count);
    }
  }
  return { lines: changed, size };
}
