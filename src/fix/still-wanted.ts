import type { Diagnostic } from '../core/diagnostic.js';
import type { Bench } from './bench.js';
import { isInScope, type Scope } from './scope.js';

/** What may still be mended: in scope, in a file that may be written, within the number wished for. */
export const stillWanted = (scope: Scope, bench: Bench): Diagnostic[] =>
  bench
    .all()
    .filter(each => bench.file(each.path) !== undefined && isMeant(each, scope, bench))
    .slice(0, Math.max(0, scope.maxFixes - bench.fixed));

const isMeant = (diagnostic: Diagnostic, scope: Scope, bench: Bench): boolean =>
  isInScope(diagnostic, scope, (path, line) => {
    const file = bench.file(path);
    return file === undefined ? line : file.originOf(line);
  });

/** Where a line of the commit stands now; undefined when it was edited. */
export const movedLine =
  (bench: Bench) =>
  (path: string, line: number): number | undefined => {
    const file = bench.file(path);
    return file === undefined ? line : file.lineNow(line);
  };

/** Looking once more takes as long as the first look did, and writing about a second. */
const WRITING_MS = 1500;
/** However short the time, more than half of it is for fixing. */
const MOST_SHARE = 0.4;

/** When to stop trying, so that what was fixed can be verified and written in time. */
export function latestEnd(
  { startedAt, deadlineMs }: { readonly startedAt: number; readonly deadlineMs: number },
  lookedAt: number,
): number {
  const reserveMs = (lookedAt - startedAt) * 1.5 + WRITING_MS;
  return startedAt + deadlineMs - Math.min(deadlineMs * MOST_SHARE, reserveMs);
}
