import type { Diagnostic } from '../core/diagnostic.js';
import {
  compareDiagnostics,
  type LineMap,
  lineChanges,
  lineMap,
  type Moved,
} from '../lint/compare.js';
import type { Linter, LintReport } from '../lint/sandbox.js';
import { applyChanges, type EditSession, singleLines } from './edit-session.js';
import { applyFix, onlyOffer } from './order.js';
import { lastLine } from './scope.js';
import type { Fixing } from './try-edit.js';

/**
 * A fix may need another fix, and that one the formatter; more rounds mean that they undo each
 * other.
 */
const MAX_ROUNDS = 3;

/** Files after an edit, the formatter and the linters' own fixes. */
export interface Settled {
  readonly texts: ReadonlyMap<string, string>;
  /** From every linter that checks one of the files. */
  readonly reports: ReadonlyMap<Linter, LintReport>;
}

interface Settling {
  /** Suggestions may be taken as well, where an edit leaves something unused. */
  readonly isForPeople?: boolean;
  /** Run first; the others run only if `isWorth` then agrees. */
  readonly first?: Linter | undefined;
  readonly isWorth?: (report: LintReport, texts: ReadonlyMap<string, string>) => boolean;
}

/**
 * Formats edited files and fixes what only the edits cause, until nothing new is left to fix. The
 * files are already in the sandbox; their previous text is in the edit session.
 */
export async function settle(
  paths: readonly string[],
  fixing: Fixing,
  { first, isWorth = () => true, isForPeople = false }: Settling = {},
): Promise<Settled> {
  const { linters, formatters, editSession } = fixing;
  const concerned = linters.filter(linter => paths.some(path => linter.has(path)));
  const order = [...concerned].sort(
    (one, other) => Number(other === first) - Number(one === first),
  );
  for (let round = 1; ; round += 1) {
    await formatters.format(paths, editSession);
    const texts = await textsOf(paths, fixing);
    const reports = new Map<Linter, LintReport>();
    let isFollowed = false;
    for (const linter of order) {
      const own = paths.filter(path => linter.has(path));
      const report = await linter.check(own, { withSuggestions: true });
      reports.set(linter, report);
      if (round < MAX_ROUNDS && (await followUp(linter, report, { texts, fixing, isForPeople }))) {
        isFollowed = true;
        break;
      }
      if (linter === first && !isWorth(report, texts)) return { texts, reports };
    }
    if (!isFollowed) return { texts, reports };
  }
}

async function textsOf(
  paths: readonly string[],
  { sandbox, editSession }: Fixing,
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const path of paths) {
    texts.set(path, (await sandbox.read(path)) ?? editSession.file(path)?.text ?? '');
  }
  return texts;
}

interface Edited {
  readonly texts: ReadonlyMap<string, string>;
  readonly fixing: Fixing;
}

/** Fixes new diagnostics with the linter's own fixes; returns whether anything changed. */
async function followUp(
  linter: Linter,
  report: LintReport,
  { texts, fixing, isForPeople }: Edited & { readonly isForPeople: boolean },
): Promise<boolean> {
  if (!report.isWhole) return false;
  const all = introducedBy(linter, report, { texts, fixing }).filter(({ path }) => texts.has(path));
  const fresh = all.filter(({ isFixable }) => isFixable !== false);
  const isFixed = linter.canFix && (await fixFresh(linter, fresh, { report, texts, fixing }));
  return isFixed || (isForPeople && (await removeUnused(all, { texts, fixing })));
}

const UNUSED = /unused|never used|not used/i;

/** Removes what an edit leaves unused, if the linter suggests it. */
async function removeUnused(
  fresh: readonly Diagnostic[],
  { texts, fixing }: Edited,
): Promise<boolean> {
  let hasChanged = false;
  for (const [path, text] of texts) {
    const [first] = fresh.filter(
      each => each.path === path && UNUSED.test(`${each.rule} ${each.message}`),
    );
    const offer = first && onlyOffer(first);
    const after = offer && applyFix(text, offer);
    if (after === undefined || after === text) continue;
    await fixing.sandbox.write(path, after);
    hasChanged = true;
  }
  return hasChanged;
}

/** Runs the linter's own fix, for new diagnostics only. */
async function fixFresh(
  linter: Linter,
  fresh: readonly Diagnostic[],
  { report, texts, fixing }: Edited & { readonly report: LintReport },
): Promise<boolean> {
  if (fresh.length === 0) return false;
  const paths = [...new Set(fresh.map(({ path }) => path))];
  await linter.fix(paths);
  const files = new Map<string, Rewritten>();
  for (const path of await fixing.sandbox.changed()) {
    const before = texts.get(path) ?? fixing.editSession.file(path)?.text;
    const written = await fixing.sandbox.read(path);
    if (before === undefined || written === undefined) await fixing.sandbox.reset(path);
    else if (paths.includes(path) || written !== before) files.set(path, { before, written });
  }
  const rest = report.diagnostics.filter(each => !fresh.includes(each));
  const others = await fixedBy(linter, rest, files);
  let hasChanged = false;
  for (const [path, { before, written }] of files) {
    const isOfPath = (each: Diagnostic): boolean => each.path === path;
    const parts = { own: fresh.filter(isOfPath), others: others.filter(isOfPath) };
    const after = paths.includes(path) ? freshPart({ before, written, ...parts }) : before;
    if (after !== written) await fixing.sandbox.write(path, after);
    hasChanged ||= after !== before;
  }
  return hasChanged;
}

/** What a linter's own fix made of a file. */
export interface Rewritten {
  readonly before: string;
  readonly written: string;
}

/** The diagnostics that the linter's own fix has just removed; not every linter says what it can fix. */
export async function fixedBy(
  linter: Linter,
  diagnostics: readonly Diagnostic[],
  files: ReadonlyMap<string, Rewritten>,
): Promise<readonly Diagnostic[]> {
  const able = diagnostics.filter(each => each.isFixable !== false && files.has(each.path));
  const unsure = able.flatMap(({ isFixable, path }) => (isFixable ? [] : [path]));
  if (unsure.length === 0) return able;
  const paths = new Set(able.map(({ path }) => path));
  const report = await linter.check([...paths], { withSuggestions: true });
  if (!report.isWhole) return able;
  const now = report.diagnostics.filter(({ path }) => paths.has(path));
  const moved = movedBetween(
    path => files.get(path)?.before,
    path => files.get(path)?.written,
  );
  return compareDiagnostics(able, now, moved).fixed;
}

/** If no change belongs to the new diagnostics alone, the fixes in the report are used. */
function freshPart(written: Written): string {
  const { before, own } = written;
  const part = partFor(written);
  if (part !== before) return part;
  const edits = own.flatMap(({ fix }) => fix?.edits ?? []);
  return applyFix(before, { description: '', edits }) ?? before;
}

/** What a linter reports about the files that it did not report before the edits. */
function introducedBy(
  linter: Linter,
  report: LintReport,
  { texts, fixing: { editSession } }: Edited,
): readonly Diagnostic[] {
  const before = editSession.reported(linter, [...texts.keys()]);
  return compareDiagnostics(before, report.diagnostics, movedBy(texts, editSession)).introduced;
}

/** Maps a line of the edit session's text to the new one. */
export const movedBy = (texts: ReadonlyMap<string, string>, editSession: EditSession): Moved =>
  movedBetween(
    path => editSession.file(path)?.text,
    path => texts.get(path),
  );

type TextOf = (path: string) => string | undefined;

function movedBetween(textBefore: TextOf, textAfter: TextOf): Moved {
  const maps = new Map<string, LineMap>();
  return (path, line) => {
    const [before, after] = [textBefore(path), textAfter(path)];
    if (before === undefined || after === undefined || before === after) return line;
    const known = maps.get(path) ?? lineMap(before, after);
    maps.set(path, known);
    return known(line);
  };
}

interface Written extends Rewritten {
  /** What may be fixed, and what else the linter could have fixed. */
  readonly own: readonly Diagnostic[];
  readonly others: readonly Diagnostic[];
}

/**
 * Everything, if nothing else could be fixed; otherwise only the changes that belong to wanted
 * diagnostics.
 */
export function partFor({ before, written, own, others }: Written): string {
  if (others.length === 0) return written;
  const changes = lineChanges(before, written).flatMap(singleLines);
  return applyChanges(
    before,
    changes.filter(
      change =>
        own.some(each => isAbout(each, change)) && !others.some(each => isAbout(each, change)),
    ),
  );
}

/** A diagnostic without a line is about the whole file. */
export function isAbout(
  diagnostic: Diagnostic,
  change: { readonly oldLine: number; readonly removed: readonly string[] },
): boolean {
  const { line } = diagnostic;
  const endLine = lastLine(diagnostic);
  if (line === undefined || endLine === undefined) return true;
  const last = change.oldLine + Math.max(0, change.removed.length - 1);
  // Added lines come after the line above.
  const first = change.removed.length === 0 ? change.oldLine - 1 : change.oldLine;
  return line <= last && endLine >= first;
}
