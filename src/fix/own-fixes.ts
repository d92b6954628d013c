import type { Diagnostic } from '../core/diagnostic.js';
import { type LineChange, lineChanges, lineMap } from '../lint/compare.js';
import { halves } from '../lint/hung-files.js';
import type { Linter } from '../lint/sandbox.js';
import { applyChanges, singleLines } from './edit-session.js';
import { fixedBy, isAbout, partFor, type Rewritten, type Settled, settle } from './settle.js';
import {
  accept,
  type EditVerdict,
  type Fixing,
  judgeFile,
  judgesElsewhere,
  linterFor,
  restore,
} from './try-edit.js';

interface OwnFixing extends Fixing {
  /** What may be fixed, most urgent first. */
  readonly wanted: () => readonly Diagnostic[];
  /** Everything in the files may be fixed. */
  readonly isWholeScope: boolean;
  readonly hasTime: () => boolean;
  readonly say: (notice: string) => void;
}

/** One linter's fix may give another linter something to fix. */
const MAX_ROUNDS = 3;

/**
 * Runs every linter's own fix, and again while one changes what another had fixed. If everything
 * may be fixed, the combined result is judged at once, and where it isn't good each linter's fix alone.
 */
export async function ownFixes(fixing: OwnFixing): Promise<void> {
  const done: Done = new Map();
  const able = fixing.linters.filter(({ canFix }) => canFix);
  if (fixing.isWholeScope && able.length > 1) {
    await inRounds([able], done, fixing);
    const { records } = fixing.editSession;
    for (const { path, status } of records) {
      if (status === 'rejected') for (const texts of done.values()) texts.delete(path);
    }
  }
  await inRounds(
    able.map(each => [each]),
    done,
    fixing,
  );
}

/** The text of each file after a linter's own fix was tried. */
type Done = Map<Linter, Map<string, string>>;

async function inRounds(
  groups: ReadonlyArray<readonly Linter[]>,
  done: Done,
  fixing: OwnFixing,
): Promise<void> {
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    let hasKept = false;
    for (const group of groups) {
      if (!fixing.hasTime()) return;
      hasKept = (await fixWith(group, done, fixing)) || hasKept;
    }
    if (!hasKept) return;
  }
}

/**
 * Runs the linters' own fixes, then keeps only files of the task, only lines that a wanted diagnostic is
 * about, and only if no linter reports anything new once the formatter has run.
 */
async function fixWith(group: readonly Linter[], done: Done, fixing: OwnFixing): Promise<boolean> {
  const { editSession } = fixing;
  const wanted = fixing.wanted();
  const all: Diagnostic[] = [];
  const tried = new Set<string>();
  for (const linter of group) {
    const texts = done.get(linter) ?? new Map<string, string>();
    done.set(linter, texts);
    const own = wanted.filter(each => isFor(each, linter));
    const paths = [...new Set(own.map(each => each.path))].filter(
      path => texts.get(path) !== editSession.file(path)?.text,
    );
    if (paths.length === 0) continue;
    const problem = await linter.fix(paths);
    if (problem !== undefined) fixing.say(problem);
    all.push(...own);
    for (const path of paths) tried.add(path);
  }
  if (tried.size === 0) return false;
  const touched = await takeOver(group, all, fixing);
  const kept = await keepGood(touched, { wanted: all, fixing });
  for (const linter of group) {
    for (const path of tried) done.get(linter)?.set(path, editSession.file(path)?.text ?? '');
  }
  return kept > 0;
}

const isFor = ({ tool, path, isFixable }: Diagnostic, linter: Linter): boolean =>
  tool === linter.name && isFixable !== false && linter.has(path);

/** What the linters wrote, reduced to the wanted changes; everything else is restored. */
async function takeOver(
  linters: readonly Linter[],
  wanted: readonly Diagnostic[],
  { sandbox, editSession }: OwnFixing,
): Promise<string[]> {
  const files = new Map<string, Rewritten>();
  for (const path of await sandbox.changed()) {
    const before = editSession.file(path)?.text;
    const written = await sandbox.read(path);
    if (before !== undefined && written === before) continue;
    const isWanted = wanted.some(each => each.path === path);
    if (before !== undefined && written !== undefined && isWanted)
      files.set(path, { before, written });
    else await restore([path], { sandbox, editSession });
  }
  const others: Diagnostic[] = [];
  for (const linter of linters) {
    const reported = editSession.reported(linter, [...files.keys()]);
    const rest = reported.filter(each => !wanted.includes(each));
    others.push(...(await fixedBy(linter, rest, files)));
  }
  const touched: string[] = [];
  for (const [path, { before, written }] of files) {
    const isOfPath = (each: Diagnostic): boolean => each.path === path;
    const parts = { own: wanted.filter(isOfPath), others: others.filter(isOfPath) };
    const after = partFor({ before, written, ...parts });
    if (after === before) await restore([path], { sandbox, editSession });
    else {
      if (after !== written) await sandbox.write(path, after);
      touched.push(path);
    }
  }
  return touched;
}

interface Own {
  readonly wanted: readonly Diagnostic[];
  readonly fixing: OwnFixing;
}

/**
 * Keeps the files in which nothing is new. In the others, harmless changes are found by halving; if
 * there are none, the file is restored. Returns the number of files kept.
 */
async function keepGood(paths: readonly string[], own: Own, isLast = false): Promise<number> {
  if (paths.length === 0) return 0;
  const { fixing } = own;
  const { editSession, sandbox } = fixing;
  const written = new Map<string, string>();
  for (const path of paths) written.set(path, (await sandbox.read(path)) ?? '');
  const settled = await settle(paths, fixing);
  if (judgesElsewhere(settled, fixing) !== undefined && paths.length > 1) {
    return keepHalves(written, own, isLast);
  }
  const unformatted = await settleUnformatted(written, settled, own);
  const parts: Part[] = [];
  let kept = 0;
  for (const path of paths) {
    const result = unformatted.get(path) ?? settled;
    const verdict = judgeFile(path, result, fixing);
    const after = result.texts.get(path) ?? '';
    if (verdict.ok && verdict.fixed.length > 0) {
      const { fixed } = verdict;
      const causesOf = (change: LineChange) => explain(change, fixed);
      accept({ path, after, by: 'linter', fixed, causesOf }, { settled: result, fixing });
      kept += 1;
      continue;
    }
    const before = editSession.file(path)?.text;
    if (!isLast && !verdict.ok && before !== undefined) {
      const texts = { before, written: written.get(path) ?? '', settled: after };
      parts.push(partOf(path, texts, verdict));
      continue;
    }
    reject(
      own.wanted.filter(each => each.path === path),
      verdict,
      fixing,
    );
    await restore([path], fixing);
  }
  await findGood(parts, fixing);
  for (const { path, changes, good, reason, fixed } of parts) {
    const dropped = changes.filter(change => !good.has(change));
    const asked = own.wanted.filter(
      each => fixed.includes(each) && dropped.some(change => isAbout(each, change)),
    );
    editSession.reject(asked, 'linter', reason);
    if (good.size === 0) await restore([path], fixing);
  }
  const found = parts.filter(({ good }) => good.size > 0).map(({ path }) => path);
  return kept + (await keepGood(found, own, true));
}

/**
 * A formatter that no command of the project runs may undo a fix. The files of which more is fixed without it,
 * and that result; it leaves them alone from then on.
 */
async function settleUnformatted(
  written: ReadonlyMap<string, string>,
  settled: Settled,
  { wanted, fixing }: Own,
): Promise<ReadonlyMap<string, Settled>> {
  const { formatters, sandbox } = fixing;
  const fixedIn = (path: string, result: Settled): number => {
    const verdict = judgeFile(path, result, fixing);
    return verdict.fixed.length - (verdict.ok ? 0 : verdict.fresh.length);
  };
  const paths = [...written.keys()].filter(
    path =>
      settled.texts.get(path) !== written.get(path) &&
      fixedIn(path, settled) < wanted.filter(each => each.path === path).length &&
      formatters.leaveOut(path),
  );
  if (paths.length === 0) return new Map();
  for (const path of paths) await sandbox.write(path, written.get(path) ?? '');
  const plain = await settle(paths, fixing);
  const isUsable = judgesElsewhere(plain, fixing) === undefined;
  const better = paths.filter(path => isUsable && fixedIn(path, plain) > fixedIn(path, settled));
  for (const path of paths) {
    if (better.includes(path)) continue;
    formatters.takeBack(path);
    await sandbox.write(path, settled.texts.get(path) ?? '');
  }
  return new Map(better.map(path => [path, plain]));
}

/** What the fix doesn't reach isn't rejected. */
function reject(wanted: readonly Diagnostic[], verdict: EditVerdict, fixing: OwnFixing): void {
  const { editSession } = fixing;
  if (!verdict.ok) {
    const gone = wanted.filter(each => verdict.fixed.includes(each));
    editSession.reject(gone, 'linter', verdict.reason);
    return;
  }
  for (const each of wanted) {
    const still = `${linterFor([each], fixing)?.title ?? ''} still reports: ${each.message}`;
    editSession.reject([each], 'linter', still);
  }
}

/** The changes of a file: those known to be good, and those to try. */
interface Part {
  readonly path: string;
  readonly before: string;
  readonly changes: readonly LineChange[];
  good: ReadonlySet<LineChange>;
  /** Why not all of them are good. */
  readonly reason: string;
  /** What all of them together fix. */
  readonly fixed: readonly Diagnostic[];
  readonly queue: Array<readonly LineChange[]>;
}

/** Each takes a run of the linters, for all files at once. */
const MAX_TRIES = 12;

/** Leaves each file with the changes that cause nothing new. */
async function findGood(parts: readonly Part[], fixing: OwnFixing): Promise<void> {
  const textOf = ({ before, changes }: Part, taken: ReadonlySet<LineChange>): string =>
    applyChanges(
      before,
      changes.filter(change => taken.has(change)),
    );
  for (let turn = 1; turn <= MAX_TRIES && fixing.hasTime(); turn += 1) {
    const open = parts.filter(({ queue }) => queue.length > 0);
    if (open.length === 0) break;
    const tried = new Map(open.map(part => [part, part.queue.shift() ?? []]));
    for (const [part, chunk] of tried) {
      await fixing.sandbox.write(part.path, textOf(part, new Set([...part.good, ...chunk])));
    }
    const settled = await settle(
      open.map(({ path }) => path),
      fixing,
    );
    for (const [part, chunk] of tried) {
      if (judgeFile(part.path, settled, fixing).ok) part.good = new Set([...part.good, ...chunk]);
      else if (chunk.length > 1) part.queue.unshift(...halves(chunk));
    }
  }
  for (const part of parts) await fixing.sandbox.write(part.path, textOf(part, part.good));
}

interface PartTexts {
  readonly before: string;
  /** By the linter; separate changes here may be one change once the file is formatted. */
  readonly written: string;
  readonly settled: string;
}

/** First the changes away from new diagnostics, then those next to them. */
function partOf(
  path: string,
  { before, written, settled }: PartTexts,
  { fresh, reason, fixed }: Extract<EditVerdict, { ok: false }>,
): Part {
  const changes = lineChanges(before, written).flatMap(singleLines);
  const lineWritten = lineMap(settled, written);
  let shift = 0;
  const isNear = (
    { line = 1, endLine = line }: Diagnostic,
    [first, last]: readonly [number, number],
  ): boolean =>
    (lineWritten(line) ?? line) <= last + 1 && (lineWritten(endLine) ?? endLine) >= first - 1;
  const near = changes.filter(({ oldLine, removed, added }) => {
    const first = oldLine + shift;
    const place = [first, first + Math.max(0, added.length - 1)] as const;
    shift += added.length - removed.length;
    return fresh.some(each => each.line === undefined || isNear(each, place));
  });
  const far = changes.filter(change => !near.includes(change));
  const queue = [far, near].filter(each => each.length > 0);
  return { path, before, changes, good: new Set(), reason, fixed, queue };
}

/** Edits in two files may break a third; each half is tried without the other. */
async function keepHalves(
  texts: ReadonlyMap<string, string>,
  own: Own,
  isLast: boolean,
): Promise<number> {
  await restore([...texts.keys()], own.fixing);
  let kept = 0;
  for (const half of halves([...texts])) {
    for (const [path, text] of half) await own.fixing.sandbox.write(path, text);
    const paths = half.map(([path]) => path);
    kept += await keepGood(paths, own, isLast);
  }
  return kept;
}

/** The diagnostics about those lines, or the nearest one. */
function explain(change: LineChange, fixed: readonly Diagnostic[]): readonly Diagnostic[] {
  const about = fixed.filter(each => each.line !== undefined && isAbout(each, change));
  if (about.length > 0) return about;
  const distance = (each: Diagnostic): number => Math.abs((each.line ?? 0) - change.oldLine);
  return fixed.toSorted((one, other) => distance(one) - distance(other)).slice(0, 1);
}
