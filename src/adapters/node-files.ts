import { readFileSync, unlinkSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { BotError } from '../core/failure.js';
import type { Files } from '../world.js';
import { namesIn } from './look-in-folder.js';
import { isAlive } from './records/run-records-process.js';

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
  for (const path of unfinished) remove(path);
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
    try {
      if (isOfTheSystem(path)) return await writeFile(path, text);
      await removeLeftovers(path);
      begin(beside);
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

/**
 * `/dev/null` or `>(cat)`: never to be replaced. By its name alone: what lies elsewhere is replaced
 * whatever it is, because a pipe or a link in our own place would make us wait or lead us astray.
 */
export const isOfTheSystem = (path: string): boolean => /^\/(dev|proc)\//.test(path);

/** What a run that was killed had begun to write here. */
async function removeLeftovers(path: string): Promise<void> {
  const folder = dirname(path);
  for (const name of namesIn(folder)) {
    if (!name.startsWith(`${basename(path)}.`)) continue;
    const [, pid] = /^\.(\d{1,10})\.tmp$/.exec(name.slice(basename(path).length)) ?? [];
    if (pid !== undefined && !(await isAlive(Number(pid), undefined))) remove(join(folder, name));
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Already renamed, never made or somebody else's: in the first two cases nothing is left.
  }
}

const hasCode = (thrown: unknown, codes: readonly string[]): boolean =>
  thrown instanceof Error && 'code' in thrown && codes.includes(String(thrown.code));

const reasonOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);
