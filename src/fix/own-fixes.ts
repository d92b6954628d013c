import type { Diagnostic } from '../core/diagnostic.js';
import { compareDiagnostics, type LineChange, lineChanges } from '../lint/compare.js';
import type { Linter } from '../lint/sandbox.js';
import { applyChanges, ownerOf, singleLines } from './edit-session.js';
import { lastLine } from './scope.js';
import { type Fixing, newDiagnostic } from './try-edit.js';

interface OwnFixing extends Fixing {
  /** What may be fixed, most urgent first. */
  readonly wanted: () => readonly Diagnostic[];
  readonly say: (notice: string) => void;
}

/**
 * Runs the linter's own fix, then keeps only files of the task, only lines that a wanted diagnostic is
 * about, and only if the linter reports nothing new afterwards.
 */
export async function ownFixes(linter: Linter, fixing: OwnFixing): Promise<void> {
  const wanted = fixing.wanted().filter(each => isFor(each, linter));
  const paths = [...new Set(wanted.map(each => each.path))];
  if (!linter.canFix || paths.length === 0) return;
  const problem = await linter.fix(paths);
  if (problem !== undefined) fixing.say(problem);
  const touched = await takeOver(linter, wanted, fixing);
  if (touched.size === 0) return;
  const report = await linter.check([...touched.keys()], { withSuggestions: true });
  if (!report.isWhole) {
    fixing.say(
      `${linter.title}: its own fixes were dropped because it could not check them afterwards`,
    );
    await restore([...touched.keys()], fixing);
    return;
  }
  await keepGoodFiles(linter, { touched, now: report.diagnostics, wanted }, fixing);
}

const isFor = ({ tool, path, isFixable }: Diagnostic, linter: Linter): boolean =>
  tool === linter.name && isFixable !== false && linter.files.includes(path);

/** What the linter has written, reduced to what was wanted; everything else is restored. */
async function takeOver(
  linter: Linter,
  wanted: readonly Diagnostic[],
  { sandbox, editSession }: OwnFixing,
): Promise<Map<string, string>> {
  const touched = new Map<string, string>();
  for (const path of await sandbox.changed()) {
    const file = editSession.file(path);
    const written = await sandbox.read(path);
    if (file !== undefined && written === file.text) continue;
    const own = wanted.filter(each => each.path === path);
    const isOurs = file !== undefined && written !== undefined && own.length > 0;
    const after = isOurs
      ? wantedPart(lineChanges(file.text, written).flatMap(singleLines), {
          before: file.text,
          written,
          own,
          reported: editSession.reported(linter, [path]).filter(each => each.path === path),
        })
      : undefined;
    if (after === undefined || after === file?.text)
      await restore([path], { sandbox, editSession });
    else {
      if (after !== written) await sandbox.write(path, after);
      touched.set(path, after);
    }
  }
  return touched;
}

interface Written {
  readonly before: string;
  readonly written: string;
  readonly own: readonly Diagnostic[];
  readonly reported: readonly Diagnostic[];
}

/**
 * Everything, when all that could be fixed was wanted; else the changes that belong only to wanted
 * diagnostics. The others are tried later with their own edits, if the report has them.
 */
function wantedPart(changes: readonly LineChange[], file: Written): string {
  const { before, written, own, reported } = file;
  const others = reported.filter(each => each.isFixable !== false && !own.includes(each));
  if (others.length === 0) return written;
  return applyChanges(
    before,
    changes.filter(
      change =>
        own.some(each => isAbout(each, change)) && !others.some(each => isAbout(each, change)),
    ),
  );
}

/** A diagnostic without a line is about the whole file. */
function isAbout(diagnostic: Diagnostic, change: LineChange): boolean {
  const { line } = diagnostic;
  const endLine = lastLine(diagnostic);
  if (line === undefined || endLine === undefined) return true;
  const last = change.oldLine + Math.max(0, change.removed.length - 1);
  // Added lines are between a line and the one above it.
  const first = change.removed.length === 0 ? change.oldLine - 1 : change.oldLine;
  return line <= last && endLine >= first;
}

async function restore(
  paths: readonly string[],
  { sandbox, editSession }: Pick<Fixing, 'sandbox' | 'editSession'>,
): Promise<void> {
  for (const path of paths) {
    const file = editSession.file(path);
    if (file === undefined || file.text === file.base) await sandbox.reset(path);
    else await sandbox.write(path, file.text);
  }
}

interface Done {
  readonly touched: ReadonlyMap<string, string>;
  readonly now: readonly Diagnostic[];
  readonly wanted: readonly Diagnostic[];
}

/** File by file, so that one bad fix doesn't revert the others. */
async function keepGoodFiles(linter: Linter, done: Done, fixing: OwnFixing): Promise<void> {
  const { editSession } = fixing;
  for (const [path, after] of done.touched) {
    const of = (all: readonly Diagnostic[]): Diagnostic[] => all.filter(each => each.path === path);
    const { fixed, introduced } = compareDiagnostics(
      of(editSession.reported(linter, [path])),
      of(done.now),
    );
    const [fresh] = introduced;
    const asked = of(done.wanted);
    if (fresh !== undefined || fixed.length === 0) {
      const still = `${linter.title} still reports: ${asked[0]?.message ?? ''}`;
      const reason = fresh === undefined ? still : newDiagnostic(linter, fresh);
      editSession.reject(asked, 'linter', reason);
      await restore([path], fixing);
      continue;
    }
    const ownersOf = (change: LineChange): ReadonlySet<string> => explain(change, fixed);
    editSession.keep({ path, after, by: 'linter', fixed, ownersOf });
    if (!linter.isForAll) editSession.setReported(linter, [path], of(done.now));
  }
  if (linter.isForAll) editSession.setReported(linter, [], done.now);
}

/** The rules of the diagnostics about those lines, or of the nearest one. */
function explain(change: LineChange, fixed: readonly Diagnostic[]): ReadonlySet<string> {
  const about = fixed.filter(each => each.line !== undefined && isAbout(each, change));
  if (about.length > 0) return new Set(about.map(ownerOf));
  const distance = (each: Diagnostic): number => Math.abs((each.line ?? 0) - change.oldLine);
  const [nearest] = [...fixed].sort((one, other) => distance(one) - distance(other));
  return new Set(nearest === undefined ? [] : [ownerOf(nearest)]);
}
