import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { rename, rm, stat, writeFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Repository } from '../git/git.js';
import { asObjectId } from '../git/tree.js';
import { isFolder, namesIn } from '../platform/files.js';
import {
  makeOwnFolder,
  ownPlace,
  readOwnFile,
  removeOwnFile,
  writeOwnFile,
} from '../platform/own-files.js';
import { type Environment, isAlive, processSpace, processStart } from '../platform/processes.js';

const MOST_LOCK_BYTES = 4096;
const HALF_WRITTEN_MS = 10_000;
/** Far longer than any run of ours. */
const ELSEWHERE_MS = 60 * 60_000;

/**
 * Starts the run that works off the queue: a session of its own, every stream closed, nothing of
 * the hook's environment. Whoever reads git's output would otherwise wait for it.
 */
export const startBackground = (repository: Repository, env: Environment): void =>
  startIn(repository.top ?? repository.gitDir, env);

/** The same from where the repository itself is: a linked worktree may be removed meanwhile. */
export function startInHome({ commonDir }: Repository, env: Environment): void {
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
  // Without a listener this would be the hook's failure; the queue waits for the next commit.
  child.on('error', () => undefined);
  child.unref();
}

/** The user's own work comes first. */
export function stepBack(): void {
  try {
    setPriority(constants.priority.PRIORITY_LOW);
  } catch {
    // A container may forbid it; the work is the same.
  }
}

/** One at a time per repository. False when another run has it. */
export async function takeTurn(commonDir: string): Promise<boolean> {
  const file = turnIn(commonDir);
  await makeOwnFolder(dirname(file));
  const start = await processStart(process.pid);
  const mine = { pid: process.pid, start: start ?? null, space: await processSpace() };
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const isTaken = await writeFile(file, `${JSON.stringify(mine)}\n`, { flag: 'wx' }).then(
      () => false,
      (thrown: NodeJS.ErrnoException) => {
        if (thrown.code === 'EEXIST') return true;
        throw thrown;
      },
    );
    if (!isTaken) return true;
    if ((await isHeld(file, mine.space)) || !(await discard(file, mine.space))) return false;
  }
  return false;
}

export const endTurn = (commonDir: string): Promise<void> => rm(turnIn(commonDir), { force: true });

const turnIn = (commonDir: string): string => ownPlace(commonDir, 'background.lock');

async function isHeld(file: string, space: string): Promise<boolean> {
  const ageMs = Date.now() - ((await stat(file).catch(() => undefined))?.mtimeMs ?? 0);
  const value = await readOwnFile(file, MOST_LOCK_BYTES);
  // It may just be being written.
  if (typeof value !== 'object' || value === null) return ageMs < HALF_WRITTEN_MS;
  const { pid, start, space: where }: Partial<Record<'pid' | 'start' | 'space', unknown>> = value;
  // Of another machine nothing can be told; the disk is shared, so it is believed for a while.
  if (where !== space) return ageMs < ELSEWHERE_MS;
  if (!Number.isSafeInteger(pid) || Number(pid) <= 0) return false;
  return isAlive(Number(pid), typeof start === 'string' ? start : undefined);
}

/** Of two that find it stale one may be late, and must not take away what the other has put there. */
async function discard(file: string, space: string): Promise<boolean> {
  const aside = `${file}.${process.pid}.tmp`;
  const isMoved = await rename(file, aside).then(
    () => true,
    () => false,
  );
  if (!isMoved) return true;
  const isAnothers = await isHeld(aside, space);
  if (isAnothers) await rename(aside, file).catch(() => undefined);
  await rm(aside, { force: true });
  return !isAnothers;
}

/** Nobody reads the reviews of more commits than this; the oldest are let go. */
const MOST_ENTRIES = 200;
/** A review that brought the process down thrice is not tried again. */
const MOST_TRIES = 3;
const MOST_BYTES = 4096;

/** Commits that wait for a review, one small file each, so that nobody has to lock anything. */
export interface Queue {
  add(commit: string): Promise<void>;
  remove(commit: string): Promise<void>;
  isEmpty(): Promise<boolean>;
  /** The commit that waits longest; counts the attempt, so that a crash is not repeated for ever. */
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
      for (const old of entries.slice(0, Math.max(0, entries.length - MOST_ENTRIES))) {
        await remove(old);
      }
    },
    remove,
    isEmpty: async () => list(folder).length === 0,
    next: async () => {
      for (const commit of list(folder)) {
        const tries = triesIn(await readOwnFile(fileOf(commit), MOST_BYTES));
        if (tries >= MOST_TRIES) await remove(commit);
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
