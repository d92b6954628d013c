import * as fs from 'node:fs';
import { mkdirSync, readFileSync, rmdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { BotError, isBotError } from '../core/bot-error.js';
import type { HookFacts } from './facts.js';
import type { FileStep, InstallPlan } from './install-plan.js';
import { realOf } from './read-facts.js';

/** The calls that change the disk, so that a test can make any of them fail. */
export type Disk = Pick<
  typeof fs,
  | 'chmodSync'
  | 'copyFileSync'
  | 'mkdirSync'
  | 'renameSync'
  | 'rmdirSync'
  | 'unlinkSync'
  | 'writeFileSync'
>;

/**
 * Does all steps or none: when one fails, those before it are undone. Nothing here waits, so that
 * Ctrl-C cannot come in between. Gives the folders that had to be made.
 */
export function applyPlan(plan: Pick<InstallPlan, 'steps'>, disk: Disk = fs): string[] {
  const done: Done[] = [];
  try {
    for (const step of plan.steps) perform(step, disk, done);
  } catch (thrown) {
    throw failure(thrown, undo(done));
  }
  for (const { spare } of done) {
    if (spare !== undefined) removeQuietly(spare, disk);
  }
  return done.flatMap(({ path, isFolder }) => (isFolder ? [path] : []));
}

interface Done {
  readonly path: string;
  readonly undo: () => void;
  /** What the step replaced, kept until all is done. */
  readonly spare?: string;
  /** One that was not there before. */
  readonly isFolder?: true;
}

function perform(step: FileStep, disk: Disk, done: Done[]): void {
  if (step.kind === 'move') {
    mustBe(step.to, undefined);
    disk.renameSync(step.from, step.to);
    done.push({ path: step.from, undo: () => disk.renameSync(step.to, step.from) });
    return;
  }
  mustBe(step.path, step.replaces);
  if (step.kind === 'remove') {
    const spare = `${step.path}.${process.pid}.old`;
    disk.renameSync(step.path, spare);
    done.push({ path: step.path, spare, undo: () => disk.renameSync(spare, step.path) });
    return;
  }
  makeFolder(dirname(step.path), disk, done);
  write(step satisfies Writing, disk, done);
}

type Writing = Extract<FileStep, { kind: 'write' }>;

/** By a new file that takes the place of the old one, so that git never starts half a hook. */
function write({ path, text, isExecutable }: Writing, disk: Disk, done: Done[]): void {
  const old = fs.statSync(path, { throwIfNoEntry: false });
  const fresh = `${path}.${process.pid}.new`;
  const spare = `${path}.${process.pid}.old`;
  try {
    disk.writeFileSync(fresh, text, { flag: 'wx', mode: isExecutable ? 0o777 : 0o666 });
    if (old !== undefined) disk.chmodSync(fresh, (old.mode & 0o7777) | (isExecutable ? 0o111 : 0));
    if (old === undefined) {
      disk.renameSync(fresh, path);
      done.push({ path, undo: () => disk.unlinkSync(path) });
      return;
    }
    disk.copyFileSync(path, spare, fs.constants.COPYFILE_EXCL);
    done.push({ path, spare, undo: () => disk.renameSync(spare, path) });
    disk.renameSync(fresh, path);
  } catch (thrown) {
    removeQuietly(fresh, disk);
    throw thrown;
  }
}

/** The step itself is done or undone; a file left beside it harms nobody. */
function removeQuietly(path: string, disk: Disk): void {
  try {
    disk.unlinkSync(path);
  } catch {
    // Not there, or not to be removed: see above.
  }
}

function makeFolder(folder: string, disk: Disk, done: Done[]): void {
  if (fs.existsSync(folder)) return;
  makeFolder(dirname(folder), disk, done);
  disk.mkdirSync(folder);
  done.push({ path: folder, isFolder: true, undo: () => disk.rmdirSync(folder) });
}

/** The plan was made from what was read a moment ago; somebody may have been quicker. */
function mustBe(path: string, text: string | undefined): void {
  const isThere = fs.lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  if (text === undefined ? !isThere : isThere && fs.readFileSync(path, 'utf8') === text) return;
  throw new BotError('git', `${path} changed while the hooks were being installed`, {
    hint: 'Nothing was changed; run it again',
  });
}

/** What could not be undone, in words. */
function undo(done: readonly Done[]): string[] {
  const problems: string[] = [];
  for (const { path, undo: back } of done.toReversed()) {
    try {
      back();
    } catch (thrown) {
      problems.push(`${path} could not be put back (${reasonOf(thrown)})`);
    }
  }
  return problems;
}

function failure(thrown: unknown, problems: readonly string[]): unknown {
  if (problems.length === 0 && isBotError(thrown)) return thrown;
  const path = thrown instanceof Error && 'path' in thrown ? String(thrown.path) : 'the hooks';
  const message = isBotError(thrown) ? thrown.message : `cannot write ${path}: ${reasonOf(thrown)}`;
  return new BotError('git', [message, ...problems].join('; '), {
    hint: `${problems.length === 0 ? 'Nothing was changed. ' : ''}See what to add by hand with: apfel-bot install --print`,
    cause: thrown,
  });
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'no permission to write there',
  EPERM: 'no permission to write there',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a part of the path is not a folder',
  EEXIST: 'something is there already',
};

function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  return ('code' in thrown ? REASONS[String(thrown.code)] : undefined) ?? thrown.message;
}

/** Nobody nests hooks deeper, and the file may come from anybody. */
const MOST_FOLDERS = 50;

/** Folders that install had to make, so that uninstall takes away those and no others. */
export function rememberFolders({ commonDir }: HookFacts, made: readonly string[]): void {
  if (made.length === 0) return;
  const file = placeIn(commonDir);
  try {
    mkdirSync(dirname(file), { recursive: true });
    const all = [...new Set([...readFolders(file), ...made])].slice(0, MOST_FOLDERS);
    writeFileSync(file, `${JSON.stringify(all)}\n`);
  } catch {
    // Then an empty folder is left behind one day; the hooks themselves are in place.
  }
}

/** Takes away those that are empty now; gives their paths. */
export function removeMadeFolders(facts: HookFacts): string[] {
  const file = placeIn(facts.commonDir);
  // The deepest first.
  const made = readFolders(file).sort((one, other) => other.length - one.length);
  const removed = made.filter(path => isOurs(path, facts) && attempt(() => rmdirSync(path)));
  if (made.length > 0) attempt(() => unlinkSync(file));
  // Where we remember other things as well it is not empty, and stays.
  if (made.length > 0) attempt(() => rmdirSync(dirname(file)));
  return removed;
}

const placeIn = (commonDir: string): string => join(commonDir, 'apfel-bot', 'hook-folders.json');

function readFolders(file: string): string[] {
  try {
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const paths = Array.isArray(read) ? read : [];
    return paths.filter(path => typeof path === 'string').slice(0, MOST_FOLDERS);
  } catch {
    // Nothing was made, or nobody can tell any more.
    return [];
  }
}

/** In this repository, whatever the file says. */
const isOurs = (path: string, { top, commonDir }: HookFacts): boolean =>
  isAbsolute(path) &&
  [top, commonDir].some(root => root !== undefined && realOf(path).startsWith(`${realOf(root)}/`));

function attempt(act: () => void): boolean {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}
