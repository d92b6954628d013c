import type { LintRun } from './run.js';

/**
 * How a linter's processes for some files ended; several if the file names are too long for one.
 */
interface FilesRun {
  readonly files: readonly string[];
  readonly runs: readonly LintRun[];
}

export interface Timing {
  readonly now: () => number;
  /** When the run must end. */
  readonly deadlineAt: number;
}

interface Limits extends Timing {
  /** Time limit for all files together. */
  readonly limitMs: number;
  readonly canSplit: boolean;
}

/** The time a linter may need to start on a busy machine. */
const START_MS = 2000;
/** Some files take longer than others. */
const SLACK = 4;
/** A linter that hangs on this many files and finishes none hangs whatever it is given. */
const MAX_HUNG = 2;

/**
 * Runs a linter on files. If it doesn't finish in time, it is run again without the file it was
 * busy with or, if that isn't known, on halves, so that only the files on which it hangs are lost.
 * No run takes more than half of the remaining time.
 */
export async function runAroundHung(
  files: readonly string[],
  { limitMs, canSplit, now, deadlineAt }: Limits,
  run: (files: readonly string[], timeoutMs: number) => Promise<readonly LintRun[]>,
): Promise<FilesRun[]> {
  const done: FilesRun[] = [];
  const allowed = (mostMs: number): number =>
    Math.max(1, Math.min(mostMs, (deadlineAt - now()) / 2));
  const firstMs = allowed(limitMs);
  let longestMs: number | undefined;
  let hung = 0;
  const visit = async (
    part: readonly string[],
    mostMs: number,
    late?: readonly LintRun[],
  ): Promise<void> => {
    const hangsOnEverything = longestMs === undefined && hung >= MAX_HUNG;
    if (late !== undefined && (hangsOnEverything || deadlineAt - now() < START_MS)) {
      done.push({ files: part, runs: late });
      return;
    }
    const timeoutMs = allowed(mostMs);
    const startedAt = now();
    const runs = await run(part, timeoutMs);
    const isLate = runs.some(({ end }) => end.kind === 'time-up');
    if (!isLate) longestMs = Math.max(longestMs ?? 0, now() - startedAt);
    if (!isLate || part.length === 1 || !canSplit) {
      if (isLate) hung += 1;
      done.push({ files: part, runs });
      return;
    }
    const named = runs.flatMap(({ end }) => (end.kind === 'time-up' ? (end.file ?? []) : []));
    const busy = part.find(path => named.some(each => each.endsWith(`/${path}`)));
    if (busy !== undefined) {
      done.push({ files: [busy], runs });
      await visit(
        part.filter(path => path !== busy),
        mostMs,
        runs,
      );
      return;
    }
    for (const half of halves(part)) {
      // The time of a finished run is a better estimate than the limit.
      const expectedMs = longestMs === undefined ? timeoutMs : longestMs * SLACK * SLACK;
      await visit(half, Math.max(START_MS, expectedMs / SLACK), runs);
    }
  };
  await visit(files, limitMs);
  return done.map(each => ({ ...each, runs: each.runs.map(run => withLimit(run, firstMs)) }));
}

/** A file that is given up in a later, shorter run had the whole time of the first one as well. */
const withLimit = (run: LintRun, afterMs: number): LintRun =>
  run.end.kind === 'time-up' ? { ...run, end: { ...run.end, afterMs } } : run;

export function halves<Item>(items: readonly Item[]): [Item[], Item[]] {
  const middle = Math.ceil(items.length / 2);
  return [items.slice(0, middle), items.slice(middle)];
}
