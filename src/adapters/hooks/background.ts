import { spawn } from 'node:child_process';
import { rename, rm, stat, writeFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { basename, dirname } from 'node:path';
import type { Repository } from '../../world.js';
import type { Environment } from '../git/git-flags.js';
import { isFolder } from '../look-in-folder.js';
import { makeOwnFolder, ownPlace, readOwnFile } from '../own-file.js';
import { isAlive, processSpace, processStart } from '../records/run-records-process.js';

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
export function startAtHome({ commonDir }: Repository, env: Environment): void {
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
