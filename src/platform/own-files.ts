import { lstatSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BotError } from '../core/bot-error.js';
import { isFolder, namesIn, writeFailure, writeText } from './files.js';
import { isAlive } from './processes.js';

// Synchronous: git waits for us, and for a few bytes that is faster than Node's thread pool.

/** One of our small JSON files in the git directory; undefined if it can't be read. */
export async function readOwnFile(file: string, mostBytes: number): Promise<unknown> {
  try {
    const facts = lstatSync(file);
    if (!facts.isFile() || facts.size > mostBytes) return undefined;
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // Gone, half-written or not JSON: it can be recreated.
    return undefined;
  }
}

/** What it says about the code is for its owner. */
export const PRIVATE = 0o600;

/** Replaces the file in one step. */
export async function writeOwnFile(file: string, value: unknown): Promise<void> {
  try {
    makeOwnFolder(dirname(file));
    // Removes its half-written file even on Ctrl-C.
    await writeText(file, `${JSON.stringify(value)}\n`, PRIVATE);
  } catch (thrown) {
    throw writeFailure(`cannot write ${file}`, thrown);
  }
}

export async function removeOwnFile(file: string): Promise<void> {
  try {
    rmSync(file, { force: true });
  } catch {
    // Not ours or not writable: its content is checked when it is read.
  }
}

/** Creates `apfel-bot` in a git directory, or a folder in it. */
export function makeOwnFolder(folder: string): string {
  const paths = [dirname(folder), folder];
  try {
    // One by one: with `recursive`, a read-only disk is reported as a missing folder.
    for (const path of paths) makeFolder(path);
  } catch (thrown) {
    throw writeFailure(`cannot write ${folder}`, thrown);
  }
  // The git directory may come from somebody else, with a link here that points elsewhere.
  const other = paths.find(path => !isFolder(path));
  if (other === undefined) return folder;
  throw new BotError('git', `${other} is a link or not a folder`, {
    hint: 'Remove it; apfel-bot keeps its records there',
  });
}

export const ownPlace = (gitDir: string, ...names: readonly string[]): string =>
  join(gitDir, 'apfel-bot', ...names);

/** How `writeText` names a file until it is complete. */
const UNFINISHED = /\.([0-9]{1,10})\.tmp$/;

/**
 * Removes files that a killed apfel-bot process was writing. Files of a live process stay; so do
 * those whose process id was reused, until next time.
 */
export async function removeUnfinishedFiles(gitDir: string): Promise<void> {
  const places = [ownPlace(gitDir), ownPlace(gitDir, 'queue')];
  await Promise.all(places.map(removeIn));
}

async function removeIn(folder: string): Promise<void> {
  for (const name of namesIn(folder)) {
    const [, pid] = UNFINISHED.exec(name) ?? [];
    if (pid === undefined || (await isAlive(Number(pid), undefined))) continue;
    await removeOwnFile(join(folder, name));
  }
}

/** Whether it is a real folder: a git directory from somebody else may have links there. */
export const isOwn = (folder: string): boolean => [dirname(folder), folder].every(isFolder);

function makeFolder(path: string): void {
  try {
    mkdirSync(path);
  } catch (thrown) {
    const isThere = thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST';
    if (!isThere) throw thrown;
  }
}
