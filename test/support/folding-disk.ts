import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { realpath, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * A disk in memory that ignores case and Unicode form and refuses names that aren't UTF-8, as a Mac's
 * does. On a Mac it is the temporary folder itself; on Linux a FUSE file system, served by this file
 * as a program of its own.
 */
export async function withFoldingDisk(body: (dir: string) => Promise<void>): Promise<void> {
  const dir = await realpath(mkdtempSync(join(tmpdir(), 'apfel-bot-disk-')));
  if (folds(dir)) {
    await body(dir);
    rmSync(dir, { recursive: true });
    return;
  }
  const server = spawn(process.execPath, [fileURLToPath(import.meta.url), dir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise(resolve => server.on('close', resolve));
  try {
    // It says so once it is mounted.
    await new Promise(resolve => server.stdout.once('data', resolve));
    await body(dir);
  } finally {
    spawnSync('umount', ['--lazy', dir]);
    server.kill('SIGKILL');
    await ended;
    await rmdir(dir);
  }
}

/** Why there is no such disk here; undefined where there is one. */
export function whyNoFoldingDisk(): string | undefined {
  const probe = mkdtempSync(join(tmpdir(), 'apfel-bot-disk-'));
  try {
    if (folds(probe) || (existsSync('/dev/fuse') && process.getuid?.() === 0)) return undefined;
    return 'this disk minds case, and no other can be mounted (needs root and /dev/fuse)';
  } finally {
    rmSync(probe, { recursive: true });
  }
}

/** Why no name here can have bytes that aren't UTF-8, as on a Mac; undefined where it can. */
export function whyNoRawNames(): string | undefined {
  const dir = mkdtempSync(join(tmpdir(), 'apfel-bot-disk-'));
  try {
    writeFileSync(Buffer.concat([Buffer.from(`${dir}/`), Buffer.from([0xff])]), '');
    return undefined;
  } catch {
    return "this disk takes no names that aren't UTF-8";
  } finally {
    rmSync(dir, { recursive: true });
  }
}

function folds(dir: string): boolean {
  writeFileSync(join(dir, 'a'), '');
  const isFound = existsSync(join(dir, 'A'));
  rmSync(join(dir, 'a'));
  return isFound;
}

interface Node {
  readonly id: bigint;
  mode: number;
  links: number;
  mtime: bigint;
  data: Buffer;
  /** Of a folder: by folded name, with the name as it was given. */
  readonly entries: Map<string, { name: string; node: Node }>;
}

const [FOLDER, LINK, FILE] = [0o040000, 0o120000, 0o100000];
const [ENOENT, EEXIST, ENOTDIR, ENAMETOOLONG, ENOSYS, ENOTEMPTY, EILSEQ] = [
  2, 17, 20, 36, 38, 39, 84,
];

class Failure extends Error {
  constructor(readonly code: number) {
    super(`error ${code}`);
  }
}

const fold = (name: string): string =>
  name.normalize('NFD').toLowerCase().toUpperCase().toLowerCase();

/** Answers the kernel's requests, one after the other, until it is unmounted. */
function serve(dir: string): void {
  const nodes = new Map<bigint, Node>();
  const make = (mode: number): Node => {
    const id = BigInt(nodes.size + 1);
    const node = { id, mode, links: 1, mtime: now(), data: Buffer.alloc(0), entries: new Map() };
    nodes.set(id, node);
    return node;
  };
  make(FOLDER | 0o777);
  const find = (id: bigint): Node => {
    const node = nodes.get(id);
    if (node === undefined) throw new Failure(ENOENT);
    return node;
  };
  const child = (parent: Node, name: string): Node => {
    const entry = parent.entries.get(fold(name));
    if (entry === undefined) throw new Failure(ENOENT);
    return entry.node;
  };
  const add = (parent: Node, name: string, node: Node): Buffer => {
    if (parent.entries.has(fold(name))) throw new Failure(EEXIST);
    parent.entries.set(fold(name), { name, node });
    parent.mtime = now();
    return entryOut(node);
  };
  const remove = (parent: Node, name: string): Buffer => {
    const node = child(parent, name);
    if (node.entries.size > 0) throw new Failure(ENOTEMPTY);
    node.links -= 1;
    parent.entries.delete(fold(name));
    parent.mtime = now();
    return EMPTY;
  };
  const rename = (parent: Node, target: Node, [from = '', to = '']: readonly string[]): Buffer => {
    const node = child(parent, from);
    const there = target.entries.get(fold(to))?.node;
    if (there !== undefined && there !== node) remove(target, to);
    parent.entries.delete(fold(from));
    target.entries.set(fold(to), { name: to, node });
    return EMPTY;
  };

  /** The reply to a request; undefined for those that get none. */
  const answer = (opcode: number, id: bigint, body: Buffer): Buffer | undefined => {
    switch (opcode) {
      case 1: // lookup
        return entryOut(child(find(id), namesIn(body)[0] ?? ''));
      case 2: // forget
      case 36: // interrupt
      case 42: // batch forget
        return undefined;
      case 3: // getattr
        return attributesOut(find(id));
      case 4: // setattr
        return setAttributes(find(id), body);
      case 5: // readlink
        return find(id).data;
      case 6: {
        // symlink
        const [name = '', target = ''] = namesIn(body);
        const node = make(LINK | 0o777);
        node.data = Buffer.from(target);
        return add(find(id), name, node);
      }
      case 8: // mknod
        return add(find(id), namesIn(body.subarray(16))[0] ?? '', make(body.readUInt32LE(0)));
      case 9: // mkdir
        return add(
          find(id),
          namesIn(body.subarray(8))[0] ?? '',
          make(FOLDER | (body.readUInt32LE(0) & 0o7777)),
        );
      case 10: // unlink
      case 11: // rmdir
        return remove(find(id), namesIn(body)[0] ?? '');
      case 12: // rename
        return rename(find(id), find(body.readBigUInt64LE(0)), namesIn(body.subarray(8)));
      case 45: // rename2
        return rename(find(id), find(body.readBigUInt64LE(0)), namesIn(body.subarray(16)));
      case 13: {
        // link
        const node = find(body.readBigUInt64LE(0));
        const out = add(find(id), namesIn(body.subarray(8))[0] ?? '', node);
        node.links += 1;
        return out;
      }
      case 14: // open
      case 27: // opendir
        return Buffer.alloc(16);
      case 15: {
        // read
        const at = Number(body.readBigUInt64LE(8));
        return find(id).data.subarray(at, at + body.readUInt32LE(16));
      }
      case 16:
        return write(find(id), body);
      case 17:
        return statistics();
      case 18: // release
      case 20: // fsync
      case 25: // flush
      case 29: // releasedir
      case 30: // fsyncdir
        return EMPTY;
      case 26:
        return initialised();
      case 28:
        return folderOut(find(id), Number(body.readBigUInt64LE(8)), body.readUInt32LE(16));
      case 35: {
        // create
        const node = make(FILE | (body.readUInt32LE(4) & 0o7777));
        const out = add(find(id), namesIn(body.subarray(16))[0] ?? '', node);
        return Buffer.concat([out, Buffer.alloc(16)]);
      }
      default:
        throw new Failure(ENOSYS);
    }
  };

  const fuse = openSync('/dev/fuse', 'r+');
  const options = `fd=3,rootmode=40755,user_id=0,group_id=0,allow_other,default_permissions`;
  const mounted = spawnSync('mount', ['-i', '-t', 'fuse', '-o', options, 'folding', dir], {
    stdio: ['ignore', 'inherit', 'inherit', fuse],
  });
  if (mounted.status !== 0) process.exit(1);
  process.stdout.write('mounted\n');
  const buffer = Buffer.alloc(1024 * 1024);
  for (;;) {
    const length = readRequest(fuse, buffer);
    if (length === undefined) return;
    const request = Buffer.from(buffer.subarray(0, length));
    const head = Buffer.alloc(16);
    request.copy(head, 8, 8, 16);
    let out: Buffer | undefined = EMPTY;
    try {
      out = answer(request.readUInt32LE(4), request.readBigUInt64LE(16), request.subarray(40));
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown;
      head.writeInt32LE(-thrown.code, 4);
    }
    if (out === undefined) continue;
    head.writeUInt32LE(16 + out.length, 0);
    writeSync(fuse, Buffer.concat([head, out]));
  }
}

/** Undefined once it is unmounted. */
function readRequest(fuse: number, buffer: Buffer): number | undefined {
  try {
    return readSync(fuse, buffer);
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENODEV') return undefined;
    throw thrown;
  }
}

const EMPTY = Buffer.alloc(0);
const now = (): bigint => BigInt(Date.now()) * 1_000_000n;

/** Strings with a zero byte after each. */
function namesIn(body: Buffer): string[] {
  const names = body.toString('utf8').split('\0').slice(0, -1);
  if (names.some(name => name.includes('\ufffd'))) throw new Failure(EILSEQ);
  if (names.some(name => Buffer.byteLength(name) > 255)) throw new Failure(ENAMETOOLONG);
  return names;
}

function attributes({ id, mode, links, mtime, data, entries }: Node): Buffer {
  const out = Buffer.alloc(88);
  out.writeBigUInt64LE(id, 0);
  out.writeBigUInt64LE(BigInt(data.length || entries.size), 8);
  out.writeBigUInt64LE(BigInt(Math.ceil(data.length / 512)), 16);
  for (const [at, nanosecondsAt] of [
    [24, 48],
    [32, 52],
    [40, 56],
  ] as const) {
    out.writeBigUInt64LE(mtime / 1_000_000_000n, at);
    out.writeUInt32LE(Number(mtime % 1_000_000_000n), nanosecondsAt);
  }
  out.writeUInt32LE(mode, 60);
  out.writeUInt32LE(links, 64);
  out.writeUInt32LE(4096, 80);
  return out;
}

const attributesOut = (node: Node): Buffer => Buffer.concat([Buffer.alloc(16), attributes(node)]);

function entryOut(node: Node): Buffer {
  const head = Buffer.alloc(40);
  head.writeBigUInt64LE(node.id, 0);
  return Buffer.concat([head, attributes(node)]);
}

function setAttributes(node: Node, body: Buffer): Buffer {
  const valid = body.readUInt32LE(0);
  if (valid & 1) node.mode = (node.mode & ~0o7777) | (body.readUInt32LE(68) & 0o7777);
  if (valid & 8) {
    const size = Number(body.readBigUInt64LE(16));
    node.data = Buffer.concat([node.data.subarray(0, size)], size);
  }
  if (valid & 256) node.mtime = now();
  else if (valid & 32) {
    node.mtime = body.readBigUInt64LE(40) * 1_000_000_000n + BigInt(body.readUInt32LE(60));
  }
  return attributesOut(node);
}

function write(node: Node, body: Buffer): Buffer {
  const at = Number(body.readBigUInt64LE(8));
  const size = body.readUInt32LE(16);
  const length = Math.max(node.data.length, at + size);
  const data = Buffer.concat([node.data], length);
  body.copy(data, at, 40, 40 + size);
  node.data = data;
  node.mtime = now();
  const out = Buffer.alloc(8);
  out.writeUInt32LE(size, 0);
  return out;
}

function statistics(): Buffer {
  const out = Buffer.alloc(80);
  for (const at of [0, 8, 16, 24, 32]) out.writeBigUInt64LE(1_000_000n, at);
  for (const [at, value] of [
    [40, 4096],
    [44, 255],
    [48, 4096],
  ] as const)
    out.writeUInt32LE(value, at);
  return out;
}

function initialised(): Buffer {
  const out = Buffer.alloc(64);
  out.writeUInt32LE(7, 0);
  out.writeUInt32LE(31, 4);
  // Writes of more than a page.
  out.writeUInt32LE(32, 12);
  out.writeUInt32LE(128 * 1024, 20);
  return out;
}

function folderOut({ mode, entries }: Node, from: number, max: number): Buffer {
  if ((mode & 0o170000) !== FOLDER) throw new Failure(ENOTDIR);
  const rows: Buffer[] = [];
  let size = 0;
  for (const [at, { name, node }] of [...entries.values()].entries()) {
    if (at < from) continue;
    const bytes = Buffer.from(name);
    const row = Buffer.alloc(24 + 8 * Math.ceil(bytes.length / 8));
    row.writeBigUInt64LE(node.id, 0);
    row.writeBigUInt64LE(BigInt(at + 1), 8);
    row.writeUInt32LE(bytes.length, 16);
    row.writeUInt32LE((node.mode >> 12) & 15, 20);
    bytes.copy(row, 24);
    size += row.length;
    if (size > max) break;
    rows.push(row);
  }
  return Buffer.concat(rows);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) serve(process.argv[2] ?? '');
