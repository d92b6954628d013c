// A few bytes each, and git waits for us: they are there before Node's pool of threads would be.
import { lstatSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BotError } from '../core/failure.js';
import { isFolder } from './look-in-folder.js';
import { nodeFiles } from './node-files.js';
import { writeFailure } from './scratch/scratch-failure.js';

/** A small file of ours in the git directory; what cannot be read is as good as absent. */
export async function readOwnFile(file: string, mostBytes: number): Promise<unknown> {
  try {
    const facts = lstatSync(file);
    if (!facts.isFile() || facts.size > mostBytes) return undefined;
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // Gone, half-written or not JSON: it can be made again.
    return undefined;
  }
}

/** Replaces the file in one step. */
export async function writeOwnFile(file: string, value: unknown): Promise<void> {
  try {
    makeOwnFolder(dirname(file));
    // Takes its half-written file away even when the user presses Ctrl-C.
    await nodeFiles.write(file, `${JSON.stringify(value)}\n`);
  } catch (thrown) {
    throw writeFailure(`cannot write ${file}`, thrown);
  }
}

export async function removeOwnFile(file: string): Promise<void> {
  try {
    rmSync(file, { force: true });
  } catch {
    // Not ours to remove, or a disk that cannot be written: what is in it is judged when it is read.
  }
}

/** `apfel-bot` in a git directory, or a folder in it. */
export function makeOwnFolder(folder: string): void {
  if (!isFolder(folder)) mkdirSync(folder, { recursive: true });
  // A git directory may come from somebody else: a link in our place would lead us astray.
  for (const path of [folder, dirname(folder)]) {
    if (isFolder(path)) continue;
    throw new BotError('git', `${path} is not a folder`, {
      hint: 'Remove it; apfel-bot keeps its records there',
    });
  }
}

export const ownPlace = (gitDir: string, ...names: readonly string[]): string =>
  join(gitDir, 'apfel-bot', ...names);
