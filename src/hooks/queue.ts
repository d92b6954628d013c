import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Repository } from '../git/git.js';
import { asObjectId } from '../git/tree.js';
import { isFolder, namesIn } from '../platform/files.js';
import { ownPlace, readOwnFile, removeOwnFile, writeOwnFile } from '../platform/own-files.js';
import type { Environment } from '../platform/processes.js';

/**
 * Starts the background run: detached, with every stream closed and without git's variables.
 * Otherwise a program that reads git's output would wait for it.
 */
export const startBackground = (repository: Repository, env: Environment): void =>
  startIn(repository.top ?? repository.gitDir, env);

/** The same from the main work tree: a linked one may be removed at any time. */
export function startInMainWorktree({ commonDir }: Repository, env: Environment): void {
  const top = dirname(commonDir);
  startIn(basename(commonDir) === '.git' && isFolder(top) ? top : commonDir, env);
}

function startIn(cwd: string, env: Environment): void {
  const [, program] = process.argv;
  if (program === undefined) return;
  const child = spawn(process.execPath, [program, 'hook', 'background'], {
    cwd,
    env: Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_'))),
    detached: true,
    stdio: 'ignore',
    windowsHide: true,
  });
  // Without a listener this would crash the hook; the queue waits for the next commit.
  child.on('error', () => undefined);
  child.unref();
}

/** The oldest are dropped beyond this. */
const MAX_ENTRIES = 200;
/** A review that crashed the process three times isn't tried again. */
const MAX_TRIES = 3;
const MAX_BYTES = 4096;

/** Commits waiting for a review, one small file each, so that no lock is needed. */
export interface Queue {
  add(commit: string): Promise<void>;
  remove(commit: string): Promise<void>;
  isEmpty(): Promise<boolean>;
  /** The oldest commit; counts the attempt, so that a crash isn't repeated forever. */
  next(): Promise<string | undefined>;
}

export function openQueue(commonDir: string): Queue {
  const folder = ownPlace(commonDir, 'queue');
  const fileOf = (commit: string): string => join(folder, `${asObjectId(commit)}.json`);
  const remove = (commit: string): Promise<void> => removeOwnFile(fileOf(commit));
  return {
    add: async commit => {
      await writeOwnFile(fileOf(commit), { v: 1, tries: 0 });
      const entries = list(folder);
      for (const old of entries.slice(0, Math.max(0, entries.length - MAX_ENTRIES))) {
        await remove(old);
      }
    },
    remove,
    isEmpty: async () => list(folder).length === 0,
    next: async () => {
      for (const commit of list(folder)) {
        const tries = triesIn(await readOwnFile(fileOf(commit), MAX_BYTES));
        if (tries >= MAX_TRIES) await remove(commit);
        else {
          await writeOwnFile(fileOf(commit), { v: 1, tries: tries + 1 });
          return commit;
        }
      }
      return undefined;
    },
  };
}

/** Oldest first. */
function list(folder: string): string[] {
  const found: Array<{ readonly commit: string; readonly at: number }> = [];
  for (const name of namesIn(folder)) {
    const [, commit] = /^([0-9a-f]{40}|[0-9a-f]{64})\.json$/.exec(name) ?? [];
    if (commit === undefined) continue;
    const facts = statSync(join(folder, name), { throwIfNoEntry: false });
    if (facts !== undefined) found.push({ commit, at: facts.mtimeMs });
  }
  return found.toSorted((one, other) => one.at - other.at).map(({ commit }) => commit);
}

const triesIn = (value: unknown): number =>
  typeof value === 'object' && value !== null && 'tries' in value && Number.isInteger(value.tries)
    ? Number(value.tries)
    : 0;
