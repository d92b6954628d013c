import type { Diagnostic } from '../core/diagnostic.js';
import { type LineChange, lineChanges, lineMap } from '../lint/compare.js';
import { halves } from '../lint/hung-files.js';
import type { Linter } from '../lint/sandbox.js';
import { applyChanges, singleLines } from './edit-session.js';
import { isAbout, partFor, settle } from './settle.js';
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
 * may be fixed, the combined result is judged at once.
 */
export async function ownFixes(fixing: OwnFixing): Promise<void> {
  const done = new Map<Linter, Map<string, string>>();
  const able = fixing.linters.filter(({ canFix }) => canFix);
  const groups = fixing.isWholeScope ? [able] : able.map(each => [each]);
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
async function fixWith(
  group: readonly Linter[],
  done: Map<Linter, Map<string, string>>,
  fixing: OwnFixing,
): Promise<boolean> {
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
  const touched: string[] = [];
  for (const path of await sandbox.changed()) {
    const file = editSession.file(path);
    const written = await sandbox.read(path);
    if (file !== undefined && written === file.text) continue;
    const own = wanted.filter(each => each.path === path);
    const others = linters
      .flatMap(linter => editSession.reported(linter, [path]))
      .filter(each => each.path === path && each.isFixable !== false && !own.includes(each));
    const after =
      file !== undefined && written !== undefined && own.length > 0
        ? partFor({ before: file.text, written, own, others })
        : undefined;
    if (after === undefined || after === file?.text)
      await restore([path], { sandbox, editSession });
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
  const parts: Part[] = [];
  let kept = 0;
  for (const path of paths) {
    const verdict = judgeFile(path, settled, fixing);
    const after = settled.texts.get(path) ?? '';
    if (verdict.ok && verdict.fixed.length > 0) {
      const { fixed } = verdict;
      const causesOf = (change: LineChange) => explain(change, fixed);
      accept({ path, after, by: 'linter', fixed, causesOf }, { settled, fixing });
      kept += 1;
      continue;
    }
    const before = editSession.file(path)?.text;
    if (!isLast && !verdict.ok && before !== undefined) {
      const texts = { before, written: written.get(path) ?? '', settled: after };
      parts.push(partOf(path, texts, verdict));
      continue;
    }
    for (const each of own.wanted.filter(each => each.path === path)) {
      const still = `${linterFor([each], fixing)?.title ?? ''} still reports: ${each.message}`;
      editSession.reject([each], 'linter', verdict.ok ? still : verdict.reason);
    }
    await restore([path], fixing);
  }
  await findGood(parts, fixing);
  for (const { path, changes, good, reason } of parts) {
    const dropped = changes.filter(change => !good.has(change));
    const asked = own.wanted.filter(
      each => each.path === path && dropped.some(change => isAbout(each, change)),
    );
    editSession.reject(asked, 'linter', reason);
    if (good.size === 0) await restore([path], fixing);
  }
  const found = parts.filter(({ good }) => good.size > 0).map(({ path }) => path);
  return kept + (await keepGood(found, own, true));
}

/** The changes of a file: those known to be good, and those to try. */
interface Part {
  readonly path: string;
  readonly before: string;
  readonly changes: readonly LineChange[];
  good: ReadonlySet<LineChange>;
  /** Why not all of them are good. */
  readonly reason: string;
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
  { fresh, reason }: Extract<EditVerdict, { ok: false }>,
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
  return { path, before, changes, good: new Set(), reason, queue };
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
