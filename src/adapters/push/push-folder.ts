import { createHash, randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { lstat, mkdir, readdir, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { BotError } from '../../core/failure.js';
import { isAlive, processSpace } from '../records/run-records-process.js';

/** The name says whose it is from the moment it exists: the machine or container, and the process. */
const NAME = /^apfel-bot-push-([0-9a-f]{8})-([0-9]{1,10})-[0-9a-f]{18}$/;
/** Ten minutes is what a push takes at most; one of another machine is left alone until then. */
const DAY_MS = 24 * 60 * 60_000;
const REMOVAL = { recursive: true, force: true, maxRetries: 3 } as const;

export interface PushFolder {
  readonly folder: string;
  remove(): Promise<void>;
}

/** Those of this process. */
const inUse = new Set<string>();

/**
 * An empty folder in the temporary one. There is no repository to record it in, as other scratch
 * folders are: a signal takes it away with the process, and what a killed one left the next removes.
 */
export async function makePushFolder(temp: string): Promise<PushFolder> {
  const folder = await makeFolder(temp).catch(thrown => {
    throw new BotError('publish-failed', `cannot make a folder in ${temp}: ${words(thrown)}`, {
      hint: 'Point TMPDIR at a folder that can be written to, with room on its disk',
      cause: thrown,
    });
  });
  const removeNow = (): void => {
    try {
      rmSync(folder, REMOVAL);
    } catch {
      // Git may be writing there to the last; then the next run removes it.
    }
  };
  process.once('exit', removeNow);
  const remove = async (): Promise<void> => {
    await rm(folder, REMOVAL);
    inUse.delete(folder);
    process.off('exit', removeNow);
  };
  return { folder, remove };
}

async function makeFolder(temp: string): Promise<string> {
  const place = await realpath(temp);
  const space = createHash('sha256').update(await processSpace());
  const mark = space.digest('hex').slice(0, 8);
  await sweep(place, mark);
  const name = `apfel-bot-push-${mark}-${process.pid}-${randomBytes(9).toString('hex')}`;
  const folder = join(place, name);
  inUse.add(folder);
  await mkdir(folder, { mode: 0o700 });
  return folder;
}

const words = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : '');

/** Never fails: what cannot be removed is somebody else's, or left for the next time. */
async function sweep(place: string, mark: string): Promise<void> {
  for (const name of await readdir(place).catch(() => [])) {
    const [, space, pid] = NAME.exec(name) ?? [];
    if (pid === undefined) continue;
    const folder = join(place, name);
    const isLeft = await isLeftBehind(folder, { isHere: space === mark, pid: Number(pid) });
    if (isLeft) await rm(folder, REMOVAL).catch(() => undefined);
  }
}

async function isLeftBehind(
  folder: string,
  { isHere, pid }: { readonly isHere: boolean; readonly pid: number },
): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined);
  // In a temporary folder that all share anybody can make one of that name.
  const isOurs = found?.isDirectory() === true && found.uid === process.getuid?.();
  if (!isOurs || inUse.has(folder)) return false;
  if (Date.now() - found.mtimeMs >= DAY_MS) return true;
  // In a container the numbers are few: ours may have been another's before.
  return isHere && (pid === process.pid || !(await isAlive(pid, undefined)));
}
