import {
  accessSync,
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  type Stats,
  statSync,
  unlinkSync,
} from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { BotError, isBotError } from '../core/bot-error.js';
import { isAlive } from './processes.js';

/** An outcome with thousands of findings takes a few megabytes. */
const MAX_BYTES = 256 * 1024 * 1024;
/** Nobody writes a longer configuration or rule. */
const MAX_OWN_BYTES = 1024 * 1024;

/** Reads only a regular file of limited size: a device never ends, and a pipe blocks. */
export function readRegular(
  path: string,
  max = MAX_OWN_BYTES,
  encoding: 'utf8' | 'latin1' = 'utf8',
): string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const facts = fstatSync(file);
    if (!facts.isFile()) throw new Error(`it is ${kindOf(facts)}, not a file`);
    if (facts.size > max) throw new Error(`it has ${facts.size} bytes; at most ${max} are read`);
    // Faster for small files than starting Node's thread pool.
    return readFileSync(file, encoding);
  } finally {
    closeSync(file);
  }
}

function kindOf(facts: Stats): string {
  if (facts.isDirectory()) return 'a folder';
  return facts.isFIFO() ? 'a pipe' : 'a device or socket';
}

/** A pipe or a device that the user named: waits for it, but reads a limited amount. */
async function readDevice(path: string): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of createReadStream(path)) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error(`it does not end within ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function attempt(
  path: string,
  read: () => string | Promise<string>,
): Promise<string | undefined> {
  try {
    return await read();
  } catch (thrown) {
    if (hasCode(thrown, ['ENOENT', 'ENOTDIR'])) return undefined;
    throw new BotError('usage', `cannot read ${path}: ${reasonOf(thrown)}`, { cause: thrown });
  }
}

/** Half-written files; removed if the process exits before they are done. */
const unfinished = new Set<string>();

/** Registered here and not in `cli.ts`: each bundle has its own list. */
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

/** A file that the user named. Undefined if there is no such file. */
export const readText = (path: string): Promise<string | undefined> =>
  attempt(path, () => (isDevicePath(path) ? readDevice(path) : readRegular(path, MAX_BYTES)));

/** A file in a repository: at most 1 MiB, and not a link that leads outside. */
export async function readTextIn(top: string, name: string): Promise<string | undefined> {
  const path = join(top, name);
  return attempt(path, () => {
    if (!`${realpathSync(path)}/`.startsWith(`${realpathSync(top)}/`)) {
      throw new Error('it is a link that leads out of the repository');
    }
    return readRegular(path);
  });
}

/** Replaces the file atomically, so that a reader never sees half of it. */
export async function writeText(path: string, text: string, mode = 0o666): Promise<void> {
  const beside = `${path}.${process.pid}.tmp`;
  try {
    if (isDevicePath(path)) return await writeFile(path, text);
    await removeLeftovers(path);
    begin(beside);
    await writeFile(beside, text, { mode });
    await rename(beside, path);
    finish(beside);
  } catch (thrown) {
    removeUnfinished();
    throw new BotError('publish-failed', `cannot write ${path}: ${reasonOf(thrown)}`, {
      hint: 'Check the folder and its permissions, then run it again',
      cause: thrown,
    });
  }
}

/**
 * `/dev/null` or `>(cat)`: must not be replaced. Judged by name alone: anything elsewhere is replaced,
 * because writing through a pipe could hang and writing through a link could hit another file.
 */
const isDevicePath = (path: string): boolean => /^\/(dev(?!\/shm\/)|proc)\//.test(path);

/** Removes what a killed run started to write here. */
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
    // Already renamed, never created, or somebody else's.
  }
}

const hasCode = (thrown: unknown, codes: readonly string[]): boolean =>
  thrown instanceof Error && 'code' in thrown && codes.includes(String(thrown.code));

const reasonOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);

/** Doesn't follow links; false if it can't be read. */
export function isFolder(path: string): boolean {
  try {
    return lstatSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** The names in a folder; none if it can't be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const FREE_SPACE = 'Free some space on that disk, then run it again';
const CHECK_RIGHTS = 'Check who may write there, and how the disk is mounted';

/** System errors, as git or Node word them, and what to do about them. */
const CAUSES: ReadonlyArray<readonly [sign: RegExp, reason: string, hint: string]> = [
  [/No space left on device|^ENOSPC: /m, 'the disk is full', FREE_SPACE],
  [/Disk quota exceeded|^EDQUOT: /m, 'the disk quota is used up', FREE_SPACE],
  [/File too large|SIGXFSZ|^EFBIG: /m, 'a file is larger than allowed here', 'See: ulimit -f'],
  [/Read-only file system|^EROFS: /m, 'the disk is read-only', CHECK_RIGHTS],
  [/Permission denied|insufficient permission|^(EACCES|EPERM): /m, 'not permitted', CHECK_RIGHTS],
];

/** A failure that says what couldn't be done, where and why; an abort is returned unchanged. */
export function writeFailure(what: string, thrown: unknown): unknown {
  if (!(thrown instanceof Error) || thrown.name === 'AbortError') return thrown;
  const cause = causeIn(complaintOf(thrown));
  if (cause === undefined && isBotError(thrown)) return thrown;
  const more = { cause: thrown, ...(cause === undefined ? {} : { hint: cause.hint }) };
  return new BotError('git', `${what}: ${cause?.reason ?? thrown.message}`, more);
}

export function causeIn(text: string): { reason: string; hint: string } | undefined {
  const found = CAUSES.find(([sign]) => sign.test(text));
  return found === undefined ? undefined : { reason: found[1], hint: found[2] };
}

/** The message of an error and of its cause. */
export function complaintOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  return thrown.cause instanceof Error
    ? `${thrown.message}\n${thrown.cause.message}`
    : thrown.message;
}

/** Fails before the work, not after it, if `--out FILE` can't be written. */
export function mustBeWritable(file: string | undefined): void {
  if (file === undefined) return;
  const problem = problemWith(file);
  if (problem === undefined) return;
  throw new BotError('usage', `cannot write ${file}: ${problem}`, {
    hint: 'Name a file in an existing folder that you can write to',
  });
}

function problemWith(file: string): string | undefined {
  if (isDevicePath(file)) return undefined;
  const there = factsOf(file);
  if (there?.isDirectory()) return `${file} is a folder`;
  // Opening a pipe that nobody reads would hang, even on Ctrl-C.
  if (there !== undefined && !there.isFile()) return `${file} is a pipe or a device`;
  const folder = dirname(file);
  const kind = factsOf(folder);
  if (kind === undefined) return `there is no folder ${folder}`;
  if (!kind.isDirectory()) return `${folder} is not a folder`;
  try {
    accessSync(folder, constants.W_OK);
    return undefined;
  } catch {
    return `${folder} is not writable`;
  }
}

function factsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
