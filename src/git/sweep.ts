import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sinceMs } from '../platform/clock.js';
import { isOwn, ownPlace, removeUnfinishedFiles } from '../platform/own-files.js';
import { isAlive, processSpace } from '../platform/processes.js';
import { type FoundRecord, listRecords, type RunRecord } from './run-records.js';
import { removeScratchFolder } from './scratch-folder.js';

const MINUTE_MS = 60_000;
/** Nothing of ours needs a folder in the git directory for this long. */
const FOLDER_MS = 60 * MINUTE_MS;
/** Until then a run on another machine counts as alive. */
const ELSEWHERE_MS = 24 * 60 * MINUTE_MS;
/** Records whose folders can't be removed are kept for another try, up to this many. */
const MAX_RECORDS = 100;
/** Our branches are few, and one or two folders deep. */
const MAX_DEPTH = 8;

interface Sweep {
  readonly folders: readonly string[];
  readonly locks: readonly string[];
  /** What was left, and why. */
  readonly left: readonly string[];
  /** Runs that are still in progress. */
  readonly alive: number;
}

/**
 * Removes what dead runs left behind: their scratch folders, and our own ref locks if no run is
 * alive. Never prunes, never touches the user's locks, never fails.
 */
export async function sweepRuns(commonDir: string, now: number): Promise<Sweep> {
  const space = await processSpace();
  const left: string[] = [];
  const folders: string[] = [];
  let alive = 0;
  for (const [at, found] of (await listRecords(commonDir)).entries()) {
    if (await isRunning(found, { space, now })) {
      alive += 1;
      continue;
    }
    const isRemoved = await removeFolders(found.record, { folders, left });
    if (isRemoved || at >= MAX_RECORDS)
      await rm(found.file, { force: true }).catch(() => undefined);
  }
  const locks = alive === 0 ? await removeLocks(commonDir, now) : [];
  await removeScratchFolders(commonDir, now);
  await removeUnfinishedFiles(commonDir);
  return { folders, locks, left, alive };
}

async function isRunning(
  { record, changedAt }: FoundRecord,
  { space, now }: { readonly space: string; readonly now: number },
): Promise<boolean> {
  // An unreadable one may be about to be written.
  if (record === undefined) return sinceMs(changedAt, now) < MINUTE_MS;
  if (record.space !== space) return sinceMs(changedAt, now) < ELSEWHERE_MS;
  return isAlive(record.pid, record.start);
}

async function removeFolders(
  record: RunRecord | undefined,
  report: { readonly folders: string[]; readonly left: string[] },
): Promise<boolean> {
  let isRemoved = true;
  for (const folder of record?.scratch ?? []) {
    const ending = await removeScratchFolder(folder).catch(() => 'failed' as const);
    if (ending === 'removed') report.folders.push(folder);
    if (ending === 'not-ours') report.left.push(`${folder} has no marker file of apfel-bot`);
    if (ending === 'failed') report.left.push(`${folder} could not be deleted`);
    isRemoved &&= ending !== 'failed';
  }
  return isRemoved;
}

async function removeLocks(commonDir: string, now: number): Promise<string[]> {
  const candidates = [
    join(commonDir, 'refs', 'notes', 'apfel-bot.lock'),
    ...(await findLocks(join(commonDir, 'refs', 'heads', 'apfel-bot'), MAX_DEPTH)),
  ];
  const removed: string[] = [];
  for (const lock of candidates) {
    const facts = await lstat(lock).catch(() => undefined);
    if (!facts?.isFile() || sinceMs(facts.mtimeMs, now) < MINUTE_MS) continue;
    const isGone = await rm(lock).then(
      () => true,
      () => false,
    );
    if (isGone) removed.push(lock);
  }
  return removed;
}

async function findLocks(folder: string, depth: number): Promise<string[]> {
  const facts = await lstat(folder).catch(() => undefined);
  if (!facts?.isDirectory() || depth === 0) return [];
  const locks: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) locks.push(...(await findLocks(path, depth - 1)));
    else if (entry.name.endsWith('.lock')) locks.push(path);
  }
  return locks;
}

async function removeScratchFolders(commonDir: string, now: number): Promise<void> {
  const parent = ownPlace(commonDir, 'scratch');
  if (!isOwn(parent)) return;
  for (const name of await readdir(parent).catch(() => [])) {
    const folder = join(parent, name);
    const facts = await lstat(folder).catch(() => undefined);
    const isOld = facts?.isDirectory() && sinceMs(facts.mtimeMs, now) >= FOLDER_MS;
    if (!isOld || !/^(?:notes|remote)-[0-9a-f]{18}$/.test(name)) continue;
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}
