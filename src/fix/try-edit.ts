import { countingKey, type Diagnostic } from '../core/diagnostic.js';
import { compareDiagnostics, type LineMap, lineMap } from '../lint/compare.js';
import { forbidEdit } from '../lint/forbid-edit.js';
import type { Linter, LintSandbox } from '../lint/sandbox.js';
import { type EditSession, type EditSource, ownerOf } from './edit-session.js';

export interface Attempt {
  readonly path: string;
  readonly after: string;
  readonly by: EditSource;
  /** Of one linter and one file; lines are those of the file as it is now. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface Fixing {
  readonly sandbox: LintSandbox;
  /** Those that gave a whole report at first. */
  readonly linters: readonly Linter[];
  readonly editSession: EditSession;
}

/**
 * An edit is kept when nothing forbids it, the linter no longer reports what it was for, and reports
 * nothing new. This runs one linter once, on one file if it can.
 */
export async function tryEdit(
  attempt: Attempt,
  { sandbox, linters, editSession }: Fixing,
): Promise<Verdict> {
  const { path, after, by, diagnostics: wanted } = attempt;
  const file = editSession.file(path);
  const linter = linterFor(wanted, linters);
  if (file === undefined || linter === undefined) return refused(`${path} may not be edited`);
  const before = file.text;
  const isByModel = by === 'model';
  const forbidden = forbidEdit({ path, before, after, diagnostics: wanted, isByModel });
  if (forbidden !== undefined) return refused(forbidden);
  await sandbox.write(path, after);
  const report = await linter.check([path], { withSuggestions: !isByModel });
  const reported = editSession.reported(linter, [path]);
  const lineNow = lineMap(before, after);
  const now = report.diagnostics;
  const verdict = report.isWhole
    ? judgeEdit({ path, wanted, wants: 'some', reported, now, lineNow }, linter)
    : refused(`${linter.title} can no longer judge the file: ${report.problems[0] ?? ''}`);
  if (!verdict.ok) {
    await sandbox.write(path, before);
    return verdict;
  }
  const owners = new Set(verdict.fixed.map(ownerOf));
  editSession.keep({ path, after, by, fixed: verdict.fixed, ownersOf: () => owners });
  editSession.setReported(linter, [path], now);
  return verdict;
}

export const linterFor = (
  [first]: readonly Diagnostic[],
  linters: readonly Linter[],
): Linter | undefined =>
  linters.find(each => each.name === first?.tool && each.files.includes(first.path));

export type Verdict =
  | { readonly ok: true; readonly fixed: readonly Diagnostic[] }
  /** The model reads it. */
  | { readonly ok: false; readonly reason: string };

export const refused = (reason: string): Verdict => ({ ok: false, reason });

interface Judged {
  readonly path: string;
  /** What the edit was for. */
  readonly wanted: readonly Diagnostic[];
  /** Whether all of it has to be fixed. */
  readonly wants: 'all' | 'some';
  /** What the linter reported before, and what it reports now. */
  readonly reported: readonly Diagnostic[];
  readonly now: readonly Diagnostic[];
  readonly lineNow: LineMap;
}

/** An edit is good when it removes a diagnostic and causes none. */
export function judgeEdit(judged: Judged, linter: Pick<Linter, 'title'>): Verdict {
  const { path, wanted, wants, reported, now, lineNow } = judged;
  const { fixed, introduced } = compareDiagnostics(reported, now, (where, line) =>
    where === path ? lineNow(line) : line,
  );
  const [fresh] = introduced;
  if (fresh !== undefined) return refused(newDiagnostic(linter, fresh));
  const gone = exchangeTwins(fixed, wanted);
  const left = wanted.filter(each => !gone.has(each));
  if (left.length > (wants === 'all' ? 0 : wanted.length - 1)) {
    return refused(`${linter.title} still reports: ${left[0]?.message ?? ''}`);
  }
  return { ok: true, fixed: reported.filter(each => gone.has(each)) };
}

/** Among equal diagnostics of one line, the one that the edit was for counts as fixed. */
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

/** A diagnostic without a rule is a syntax error. */
export function newDiagnostic(linter: Pick<Linter, 'title'>, fresh: Diagnostic): string {
  const { rule, severity, path, line, message } = fresh;
  const where = line === undefined ? path : `${path}:${line}`;
  if (rule === null && severity === 'error') return `the file no longer parses: ${message}`;
  return `it causes a new diagnostic from ${linter.title} at ${where}: ${message}`;
}
