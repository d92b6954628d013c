import { lstat, mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BotError } from '../core/failure.js';
import { nodeFiles } from './node-files.js';
import { writeFailure } from './scratch/scratch-failure.js';

/** A small file of ours in the git directory; what cannot be read is as good as absent. */
export async function readOwnFile(file: string, mostBytes: number): Promise<unknown> {
  try {
    const facts = await lstat(file);
    if (!facts.isFile() || facts.size > mostBytes) return undefined;
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    // Gone, half-written or not JSON: it can be made again.
    return undefined;
  }
}

/** Replaces the file in one step. */
export async function writeOwnFile(file: string, value: unknown): Promise<void> {
  try {
    await makeOwnFolder(dirname(file));
    // Takes its half-written file away even when the user presses Ctrl-C.
    await nodeFiles.write(file, `${JSON.stringify(value)}\n`);
  } catch (thrown) {
    throw writeFailure(`cannot write ${file}`, thrown);
  }
}

export const removeOwnFile = (file: string): Promise<void> =>
  rm(file, { force: true }).catch(() => undefined);

/** `apfel-bot` in a git directory, or a folder in it. */
export async function makeOwnFolder(folder: string): Promise<void> {
  if (!(await isFolder(folder))) await mkdir(folder, { recursive: true });
  // A git directory may come from somebody else: a link in our place would lead us astray.
  for (const path of [folder, dirname(folder)]) {
    if (await isFolder(path)) continue;
    throw new BotError('git', `${path} is not a folder`, {
      hint: 'Remove it; apfel-bot keeps its records there',
    });
  }
}

export const ownPlace = (gitDir: string, ...names: readonly string[]): string =>
  join(gitDir, 'apfel-bot', ...names);

const isFolder = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(() => undefined))?.isDirectory() === true;
