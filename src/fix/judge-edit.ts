import { countingKey, type Diagnostic } from '../core/diagnostic.js';
import type { Craft, Linter } from './workshop.js';

export type Verdict =
  | { readonly ok: true; readonly fixed: readonly Diagnostic[] }
  /** Worded for whoever proposed the edit. */
  | { readonly ok: false; readonly reason: string };

export const refused = (reason: string): Verdict => ({ ok: false, reason });

export interface Judged {
  readonly path: string;
  /** What the edit was for. */
  readonly wanted: readonly Diagnostic[];
  /** All of it has to be gone, or only something of it. */
  readonly wants: 'all' | 'some';
  /** What the linter said before, and what it says now. */
  readonly said: readonly Diagnostic[];
  readonly now: readonly Diagnostic[];
  /** Where a line of before stands now; undefined when it was edited. */
  readonly lineNow: (line: number) => number | undefined;
}

/** Good is what takes a complaint away and brings none. */
export function judgeEdit(
  judged: Judged,
  linter: Pick<Linter, 'title'>,
  craft: Pick<Craft, 'compare'>,
): Verdict {
  const { path, wanted, wants, said, now, lineNow } = judged;
  const { fixed, introduced } = craft.compare(said, now, (where, line) =>
    where === path ? lineNow(line) : line,
  );
  const [fresh] = introduced;
  if (fresh !== undefined) return refused(newComplaint(linter, fresh));
  const gone = exchangeTwins(fixed, wanted);
  const left = wanted.filter(each => !gone.has(each));
  if (left.length > (wants === 'all' ? 0 : wanted.length - 1)) {
    return refused(`${linter.title} still says: ${left[0]?.message ?? ''}`);
  }
  return { ok: true, fixed: said.filter(each => gone.has(each)) };
}

/** Of equal complaints about one line nobody can tell which is gone: then it is the one that was meant. */
function exchangeTwins(
  fixed: readonly Diagnostic[],
  wanted: readonly Diagnostic[],
): ReadonlySet<Diagnostic> {
  const gone = new Set(fixed);
  for (const each of wanted) {
    if (gone.has(each)) continue;
    const key = countingKey(each);
    const twin = [...gone].find(
      other => other.line === each.line && !wanted.includes(other) && countingKey(other) === key,
    );
    if (twin === undefined) continue;
    gone.delete(twin);
    gone.add(each);
  }
  return gone;
}

/** A complaint without a rule is about text that cannot be read as a program any more. */
export function newComplaint(linter: Pick<Linter, 'title'>, fresh: Diagnostic): string {
  const { rule, severity, path, line, message } = fresh;
  const where = line === undefined ? path : `${path}:${line}`;
  if (rule === null && severity === 'error') return `the file no longer parses: ${message}`;
  return `it brings a new complaint of ${linter.title} at ${where}: ${message}`;
}
