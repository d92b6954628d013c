import { lstat, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BotError } from '../core/bot-error.js';
import { objectOf } from '../core/json-fields.js';
import { sinceMs } from '../platform/clock.js';
import { writeFailure } from '../platform/files.js';
import { isOwn, makeOwnFolder, ownPlace, removeUnfinishedFiles } from '../platform/own-files.js';
import { isAlive, processSpace, processStart } from '../platform/processes.js';
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

/** A record takes a few hundred bytes. */
const MAX_RECORD_BYTES = 64 * 1024;

interface RunRecord {
  readonly id: string;
  readonly pid: number;
  readonly start: string | undefined;
  /** The machine or container that the process id belongs to. */
  readonly space: string;
  readonly scratch: readonly string[];
}

/** A recorded run; if it dies, the next run removes its scratch folders. */
interface RecordedRun {
  readonly addScratch: (folder: string) => Promise<void>;
  end(): Promise<void>;
}

export async function startRun(commonDir: string, id: string): Promise<RecordedRun> {
  if (!/^[0-9A-Za-z-]{1,64}$/.test(id)) throw new BotError('bug', `${id} isn't a valid run id`);
  const file = join(makeOwnFolder(ownPlace(commonDir, 'runs')), `${id}.json`);
  const { pid } = process;
  const start = await processStart(pid);
  const scratch: string[] = [];
  const record: RunRecord = { id, pid, start, space: await processSpace(), scratch };
  await writeRecord(file, record);
  return {
    addScratch: folder => {
      scratch.push(folder);
      return writeRecord(file, record);
    },
    end: () => rm(file, { force: true }),
  };
}

async function writeRecord(file: string, record: RunRecord): Promise<void> {
  try {
    await writeFile(`${file}.tmp`, `${JSON.stringify(record)}\n`);
    await rename(`${file}.tmp`, file);
  } catch (thrown) {
    await rm(`${file}.tmp`, { force: true }).catch(() => undefined);
    throw writeFailure(`cannot record the run in ${file}`, thrown);
  }
}

interface FoundRecord {
  readonly file: string;
  readonly changedAt: number;
  /** Undefined if it can't be read. */
  readonly record: RunRecord | undefined;
}

/** All records, newest first. */
export async function listRecords(commonDir: string): Promise<FoundRecord[]> {
  const folder = ownPlace(commonDir, 'runs');
  if (!isOwn(folder)) return [];
  const found: FoundRecord[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    if (!/^[0-9A-Za-z-]{1,64}\.json(\.tmp)?$/.test(name)) continue;
    const file = join(folder, name);
    const facts = await stat(file).catch(() => undefined);
    if (!facts?.isFile()) continue;
    const isReadable = facts.size <= MAX_RECORD_BYTES && name.endsWith('.json');
    const record = isReadable ? await readRecord(file) : undefined;
    found.push({ file, changedAt: facts.mtimeMs, record });
  }
  return found.sort((one, other) => other.changedAt - one.changedAt);
}

async function readRecord(file: string): Promise<RunRecord | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    return isRecord(value) ? value : undefined;
  } catch {
    // Half-written or already gone; the caller decides by its age.
    return undefined;
  }
}

function isRecord(value: unknown): value is RunRecord {
  const { id, pid, start, space, scratch } = objectOf(value);
  return (
    typeof id === 'string' &&
    Number.isSafeInteger(pid) &&
    Number(pid) > 0 &&
    (start === undefined || typeof start === 'string') &&
    typeof space === 'string' &&
    Array.isArray(scratch) &&
    scratch.every(folder => typeof folder === 'string')
  );
}
