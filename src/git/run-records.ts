import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BotError } from '../core/bot-error.js';
import { writeFailure } from '../platform/files.js';
import { isOwn, makeOwnFolder, ownPlace } from '../platform/own-files.js';
import { processSpace, processStart } from '../platform/processes.js';

/** A record takes a few hundred bytes. */
const MAX_RECORD_BYTES = 64 * 1024;

export interface RunRecord {
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

export interface FoundRecord {
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
  if (typeof value !== 'object' || value === null) return false;
  const { id, pid, start, space, scratch }: Partial<RunRecord> = value;
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
