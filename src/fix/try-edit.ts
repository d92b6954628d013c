import { countingKey, type Diagnostic } from '../core/diagnostic.js';
import { compareDiagnostics } from '../lint/compare.js';
import { forbidEdit } from '../lint/forbid-edit.js';
import type { Linter, LintReport, LintSandbox } from '../lint/sandbox.js';
import {
  type EditSession,
  type EditSource,
  type KeptEdit,
  placeKey,
  withoutEmptied,
} from './edit-session.js';
import type { Formatters } from './formatters.js';
import { movedBy, type Settled, settle } from './settle.js';

interface Attempt {
  readonly path: string;
  readonly after: string;
  readonly by: EditSource;
  /** From one linter about one file; lines are those of the current file. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface Fixing {
  readonly sandbox: LintSandbox;
  /** Linters that gave a complete report at first. */
  readonly linters: readonly Linter[];
  readonly formatters: Formatters;
  readonly editSession: EditSession;
}

/**
 * Keeps an edit if nothing forbids it, its diagnostics are gone, and no linter reports anything new
 * after the formatter and the linters' own fixes have run.
 */
export async function tryEdit(attempt: Attempt, fixing: Fixing): Promise<EditVerdict> {
  const { sandbox, editSession } = fixing;
  const { path, by, diagnostics: wanted } = attempt;
  const file = editSession.file(path);
  const linter = linterFor(wanted, fixing);
  if (file === undefined || linter === undefined) return refused(`${path} may not be edited`);
  const before = file.text;
  const isByModel = by === 'model';
  // In Markdown an empty line is a separator.
  const after = /\.mdx?$|\.markdown$/i.test(path)
    ? attempt.after
    : withoutEmptied(before, attempt.after);
  const forbidden = forbidEdit({ path, before, after, diagnostics: wanted, isByModel });
  if (forbidden !== undefined) return refused(forbidden);
  await sandbox.write(path, after);
  const isWorth = (report: LintReport, texts: ReadonlyMap<string, string>): boolean =>
    judgeEdit(
      { path, wanted, wants: 'some' },
      { texts, reports: new Map([[linter, report]]) },
      fixing,
    ).ok;
  const settled = await settle([path], fixing, { first: linter, isWorth, isForPeople: isByModel });
  const verdict = judgeEdit({ path, wanted, wants: 'some' }, settled, fixing);
  if (!verdict.ok) {
    await restore([path], fixing);
    return verdict;
  }
  const { fixed } = verdict;
  accept({ path, after: settled.texts.get(path) ?? after, by, fixed }, { settled, fixing });
  return verdict;
}

/** The linter that reported it, of several with the same name. */
export function linterFor(
  [first]: readonly Diagnostic[],
  { linters, editSession }: Pick<Fixing, 'linters' | 'editSession'>,
): Linter | undefined {
  const able = linters.filter(each => each.name === first?.tool && each.has(first.path));
  return able.find(each => first && editSession.isReportedBy(each, first)) ?? able[0];
}

/** `fixed` is what is gone with the edit, good or not; the reason is shown to the model. */
export type EditVerdict = { readonly fixed: readonly Diagnostic[] } & (
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: string; readonly fresh: readonly Diagnostic[] }
);

const refused = (
  reason: string,
  fresh: readonly Diagnostic[] = [],
  fixed: readonly Diagnostic[] = [],
): EditVerdict => ({ ok: false, reason, fresh, fixed });

/** A file is good if no linter reports anything new about it. */
export function judgeFile(path: string, { texts, reports }: Settled, fixing: Fixing): EditVerdict {
  const { editSession } = fixing;
  const moved = movedBy(texts, editSession);
  const all: Diagnostic[] = [];
  let refusal: ((fixed: readonly Diagnostic[]) => EditVerdict) | undefined;
  for (const [linter, report] of reports) {
    if (!linter.has(path) && !linter.isForAll) continue;
    if (!report.isWhole) {
      return refused(`${linter.title} can no longer judge the file: ${report.problems[0] ?? ''}`);
    }
    const before = about(path, editSession.reported(linter, [path]));
    const { fixed, introduced } = compareDiagnostics(
      before,
      about(path, report.diagnostics),
      moved,
    );
    const [fresh] = introduced;
    if (fresh !== undefined)
      refusal ??= gone => refused(newDiagnostic(linter, fresh), introduced, gone);
    const known = new Set(all.map(placeKey));
    all.push(...fixed.filter(each => !known.has(placeKey(each))));
  }
  return refusal?.(all) ?? { ok: true, fixed: all };
}

const about = (path: string, all: readonly Diagnostic[]): Diagnostic[] =>
  all.filter(each => each.path === path);

/** New diagnostics in files that weren't edited, or that a linter no longer finishes. */
export function judgesElsewhere({ texts, reports }: Settled, fixing: Fixing): string | undefined {
  const { editSession } = fixing;
  for (const [linter, report] of reports) {
    if (!report.isWhole) return `${linter.title} fails: ${report.problems[0] ?? ''}`;
    if (!linter.isForAll) continue;
    const others = (all: readonly Diagnostic[]) => all.filter(({ path }) => !texts.has(path));
    const before = others(editSession.reported(linter, []));
    const [fresh] = compareDiagnostics(
      before,
      others(report.diagnostics),
      (_, line) => line,
    ).introduced;
    if (fresh !== undefined) return newDiagnostic(linter, fresh);
  }
  return undefined;
}

interface Judged {
  readonly path: string;
  /** The diagnostics that the edit is for. */
  readonly wanted: readonly Diagnostic[];
  /** Whether all of them must be fixed. */
  readonly wants: 'all' | 'some';
}

/** An edit is good if it removes a diagnostic and causes none, in its own file or another. */
export function judgeEdit(
  { path, wanted, wants }: Judged,
  settled: Settled,
  fixing: Fixing,
): EditVerdict {
  const verdict = judgeFile(path, settled, fixing);
  if (!verdict.ok) return verdict;
  const elsewhere = judgesElsewhere(settled, fixing);
  if (elsewhere !== undefined) return refused(elsewhere);
  const gone = exchangeTwins(verdict.fixed, wanted);
  const left = wanted.filter(each => !gone.has(each));
  if (left.length > (wants === 'all' ? 0 : wanted.length - 1)) {
    const title = linterFor(wanted, fixing)?.title ?? '';
    return refused(`${title} still reports: ${left[0]?.message ?? ''}`);
  }
  return { ok: true, fixed: [...gone] };
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

/** Records a good file: its text, and every linter's current report. */
export function accept(
  edit: KeptEdit,
  { settled, fixing: { editSession } }: { readonly settled: Settled; readonly fixing: Fixing },
): void {
  editSession.keep(edit);
  for (const [linter, { diagnostics }] of settled.reports) {
    const now = about(edit.path, diagnostics);
    const others = linter.isForAll ? stillReported(linter, diagnostics, settled, editSession) : [];
    if (linter.isForAll || linter.has(edit.path)) {
      const elsewhere = others.filter(({ path }) => path !== edit.path);
      editSession.setReported(linter, [edit.path], [...elsewhere, ...now]);
    }
  }
}

/** An edit can also fix diagnostics of files that were not edited with it. */
function stillReported(
  linter: Linter,
  now: readonly Diagnostic[],
  { texts }: Settled,
  editSession: EditSession,
): Diagnostic[] {
  const before = editSession.reported(linter, []);
  const untouched = (all: readonly Diagnostic[]) => all.filter(({ path }) => !texts.has(path));
  const { fixed } = compareDiagnostics(untouched(before), untouched(now), (_, line) => line);
  return before.filter(each => !fixed.includes(each));
}

/** Writes the edit session's texts back into the sandbox. */
export async function restore(
  paths: readonly string[],
  { sandbox, editSession }: Pick<Fixing, 'sandbox' | 'editSession'>,
): Promise<void> {
  for (const path of paths) {
    const file = editSession.file(path);
    if (!file?.isEdited) await sandbox.reset(path);
    else await sandbox.write(path, file.text);
  }
}

/** How parsers phrase errors; linters whose rules have no names phrase theirs differently. */
const NOT_PARSED = /pars(?:e|ing)\b|syntax|expected|unterminated/i;

function newDiagnostic(linter: Pick<Linter, 'title'>, fresh: Diagnostic): string {
  const { rule, severity, path, line, message } = fresh;
  const where = line === undefined ? path : `${path}:${line}`;
  if (rule === null && severity === 'error' && NOT_PARSED.test(message))
    return `the file no longer parses: ${message}`;
  return `it causes a new diagnostic from ${linter.title} at ${where}: ${message}`;
}
