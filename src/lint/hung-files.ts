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
/** If one file is the cause, half of the others need much less than the time in which all didn't finish. */
const SHARE = 1 / 8;
/** Some files take longer than others. */
const SLACK = 4;
/** All files, both halves and two quarters: a linter that finishes none of them is slow, or hangs on everything. */
const MAX_LATE = 5;

/**
 * Runs a linter on files. If it doesn't finish in time, it is run again without the file it was
 * busy with or, if that isn't known, on halves while one of them may finish soon, so that only the
 * files on which it hangs are lost. No run takes more than half of the remaining time.
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
  let late = 0;
  const queue: Array<FilesRun & { readonly mostMs: number }> = [
    { files, runs: [], mostMs: limitMs },
  ];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const { files: part, runs: before, mostMs } = next;
    const isHopeless = longestMs === undefined && late >= MAX_LATE;
    if (late > 0 && (isHopeless || deadlineAt - now() < START_MS)) {
      done.push({ files: part, runs: before });
      continue;
    }
    // The time of a finished run is a better estimate than a share of the limit.
    const timeoutMs = allowed(
      longestMs === undefined ? mostMs : Math.max(START_MS, longestMs * SLACK),
    );
    const startedAt = now();
    const runs = await run(part, timeoutMs);
    const isLate = runs.some(({ end }) => end.kind === 'time-up');
    if (isLate) late += 1;
    else longestMs = Math.max(longestMs ?? 0, now() - startedAt);
    if (!isLate || part.length === 1 || !canSplit) {
      done.push({ files: part, runs });
      continue;
    }
    const named = runs.flatMap(({ end }) => (end.kind === 'time-up' ? (end.file ?? []) : []));
    const busy = part.find(path => named.some(each => each.endsWith(`/${path}`)));
    if (busy !== undefined) done.push({ files: [busy], runs });
    const rest = busy === undefined ? halves(part) : [part.filter(path => path !== busy)];
    const restMs = busy === undefined ? Math.max(START_MS, timeoutMs * SHARE) : mostMs;
    queue.push(...rest.map(each => ({ files: each, runs, mostMs: restMs })));
  }
  return done.map(each => ({ ...each, runs: each.runs.map(run => withLimit(run, firstMs)) }));
}

/** A file that is given up in a later, shorter run had the whole time of the first one as well. */
const withLimit = (run: LintRun, afterMs: number): LintRun =>
  run.end.kind === 'time-up' ? { ...run, end: { ...run.end, afterMs } } : run;

export function halves<Item>(items: readonly Item[]): [Item[], Item[]] {
  const middle = Math.ceil(items.length / 2);
  return [items.slice(0, middle), items.slice(middle)];
}
