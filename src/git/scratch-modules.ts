import type { Dirent } from 'node:fs';
import { lstat, mkdir, readdir, readlink, realpath, symlink } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isInside } from './scratch-folder.js';

/** Linking more packages than this would take too long. */
const MAX_LINKS = 20_000;

interface ModulesOptions {
  /** The top of the user's work tree. */
  readonly top: string;
  /** The top of the copy. */
  readonly dir: string;
  /** Folders with a `package.json`, from the top; the top itself is the empty one. */
  readonly folders: readonly string[];
}

interface Shadow {
  readonly links: number;
  readonly remarks: readonly string[];
}

/**
 * Gives the copy its own `node_modules`: real folders with a link per package. A package that is
 * part of the work tree is linked to its copy, so that no tool reads uncommitted files; what tools
 * write in `node_modules` doesn't reach the user's.
 */
export async function scratchModules(options: ModulesOptions): Promise<Shadow> {
  const work = { ...options, top: await realpath(options.top), links: 0, remarks: [] as string[] };
  for (const folder of options.folders) {
    const from = await realpath(join(options.top, folder, 'node_modules')).catch(() => undefined);
    const to = join(options.dir, folder, 'node_modules');
    // A tracked link stays as committed.
    if (from === undefined || (await lstatOrUndefined(to))?.isSymbolicLink()) continue;
    if (!(await lstatOrUndefined(dirname(to)))?.isDirectory()) continue;
    await shadowFolder(work, { from, to, modules: from });
  }
  if (work.links >= MAX_LINKS) work.remarks.push(`only ${MAX_LINKS} packages were linked`);
  return { links: work.links, remarks: work.remarks };
}

interface Work extends ModulesOptions {
  links: number;
  readonly remarks: string[];
}

interface Pair {
  readonly from: string;
  readonly to: string;
  /** The `node_modules` that `from` is, or is in. */
  readonly modules: string;
}

async function shadowFolder(work: Work, pair: Pair): Promise<void> {
  const entries = await readdir(pair.from, { withFileTypes: true }).catch(() => []);
  if (entries.length === 0) return;
  await mkdir(pair.to, { recursive: true });
  const isModules = pair.from === pair.modules;
  for (const entry of entries) {
    const inner = { ...pair, from: join(pair.from, entry.name), to: join(pair.to, entry.name) };
    const isGroup = isModules && (entry.name === '.bin' || entry.name.startsWith('@'));
    if (isGroup && entry.isDirectory()) await shadowFolder(work, inner);
    // No caches; programs that pnpm installs start in its store, by a path relative to `.bin`.
    else if (!entry.name.startsWith('.') || entry.name === '.pnpm')
      await shadowEntry(work, inner, entry);
  }
}

async function shadowEntry(work: Work, pair: Pair, entry: Dirent): Promise<void> {
  if (work.links >= MAX_LINKS) return;
  const target = entry.isSymbolicLink() ? await linkTarget(work, pair) : pair.from;
  if (target === undefined) return;
  try {
    await symlink(target, pair.to);
    work.links += 1;
  } catch (thrown) {
    // What the commit already has there stays.
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST')) throw thrown;
  }
}

async function linkTarget(work: Work, pair: Pair): Promise<string | undefined> {
  const text = await readlink(pair.from).catch(() => '');
  // `.bin/tsc -> ../typescript/bin/tsc` resolves through the copy's own links.
  if (isWithinShadow(pair, text)) return text;
  const real = await realpath(pair.from).catch(() => undefined);
  if (real === undefined) return undefined;
  const inside = relative(work.top, real);
  if (!isInside(work.top, real) || inside.split(sep).includes('node_modules')) return real;
  const copy = join(work.dir, inside);
  if ((await lstatOrUndefined(copy)) !== undefined) return copy;
  const name = relative(work.top, pair.from);
  work.remarks.push(`${name} links to ${inside}, which isn't in the commit`);
  return undefined;
}

function isWithinShadow(pair: Pair, text: string): boolean {
  if (text === '' || isAbsolute(text) || dirname(pair.from) === pair.modules) return false;
  const [first = '', second] = relative(pair.modules, resolve(dirname(pair.from), text)).split(sep);
  return second !== undefined && !first.startsWith('.');
}

const lstatOrUndefined = (path: string) => lstat(path).catch(() => undefined);
