import { readFileSync, unlinkSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { BotError } from '../core/failure.js';
import type { Files } from '../world.js';

/** Half-written files; removed when the process leaves in the middle. */
const unfinished = new Set<string>();

/** Told here and not by `cli.ts`: every part of the program that is loaded late has its own list. */
function begin(path: string): void {
  if (unfinished.size === 0) process.once('exit', removeUnfinished);
  unfinished.add(path);
}

function finish(path: string): void {
  unfinished.delete(path);
  if (unfinished.size === 0) process.off('exit', removeUnfinished);
}

function removeUnfinished(): void {
  for (const path of unfinished) {
    try {
      unlinkSync(path);
    } catch {
      // Already renamed or never made: nothing is left behind either way.
    }
  }
  unfinished.clear();
}

export const nodeFiles: Files = {
  async read(path) {
    try {
      // A small file is there before Node's pool of threads would have started.
      return readFileSync(path, 'utf8');
    } catch (thrown) {
      if (hasCode(thrown, ['ENOENT', 'ENOTDIR'])) return undefined;
      throw new BotError('usage', `cannot read ${path}: ${reasonOf(thrown)}`, { cause: thrown });
    }
  },

  async write(path, text) {
    const beside = `${path}.${process.pid}.tmp`;
    begin(beside);
    try {
      await writeFile(beside, text);
      await rename(beside, path);
      finish(beside);
    } catch (thrown) {
      removeUnfinished();
      throw new BotError('publish-failed', `cannot write ${path}: ${reasonOf(thrown)}`, {
        hint: 'Check the folder and its permissions, then run it again',
        cause: thrown,
      });
    }
  },
};

const hasCode = (thrown: unknown, codes: readonly string[]): boolean =>
  thrown instanceof Error && 'code' in thrown && codes.includes(String(thrown.code));

const reasonOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);
