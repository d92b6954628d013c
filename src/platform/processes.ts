import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { promisify } from 'node:util';

/** Enough for `ps`; a machine that needs longer gets no answer, which counts as "still alive". */
const MOST_ANSWER_MS = 2000;

/** Where a process number means something: another machine or container has its own. */
export async function processSpace(): Promise<string> {
  const space = await readlink('/proc/self/ns/pid').catch(() => '');
  return `${hostname()} ${space}`.trim();
}

/** When the process began, in words that are only compared; undefined when it cannot be told. */
export async function processStart(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined);
  // The name in brackets may hold anything; the start is the 20th word behind it.
  if (stat !== undefined) return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  try {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)], {
      env: { PATH: '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' },
      timeout: MOST_ANSWER_MS,
    });
    return stdout.trim() || undefined;
  } catch {
    // No such process, or no ps: who is alive is then decided by the number alone.
    return undefined;
  }
}

export async function isAlive(pid: number, start: string | undefined): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (thrown) {
    // Not allowed to signal it: it is there, and somebody else's.
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM')) return false;
  }
  const now = await processStart(pid);
  return now === undefined || start === undefined || now === start;
}

export type Environment = Readonly<Record<string, string | undefined>>;
