import { lstat } from 'node:fs/promises';
import { pathToBytes } from '../../core/path-bytes.js';
import { isRegular, type TreeEntry } from '../commit/git-commit-tree.js';

/** So many files are looked at side by side. */
const AT_ONCE = 200;

/**
 * A disk that ignores case or the form of Unicode has one file where the commit has two, and the
 * one written last is in the place of both. Gives every path that such a file belongs to, with the
 * reason why nobody may take its content for the path's.
 */
export async function clashingPaths(
  dir: string,
  tracked: ReadonlyMap<string, TreeEntry>,
): Promise<Map<string, string>> {
  const paths = [...tracked].filter(([, { mode }]) => mode !== SUBMODULE).map(([path]) => path);
  const clashing = new Map<string, string>();
  const firstAt = new Map<string, string>();
  for (let from = 0; from < paths.length; from += AT_ONCE) {
    const some = paths.slice(from, from + AT_ONCE);
    const found = await Promise.all(some.map(path => lookAt(dir, path)));
    for (const [at, path] of some.entries()) {
      const file = found[at];
      // What the disk cannot hold at all was reported when the commit was copied.
      if (file === undefined) continue;
      const first = firstAt.get(file.id);
      if (file.isFolder) clashing.set(path, 'on this disk it is a folder');
      else if (first === undefined) firstAt.set(file.id, path);
      else {
        clashing.set(path, `on this disk it is the same file as ${first}`);
        clashing.set(first, `on this disk it is the same file as ${path}`);
      }
    }
  }
  return clashing;
}

const SUBMODULE = '160000';

async function lookAt(
  dir: string,
  path: string,
): Promise<{ id: string; isFolder: boolean } | undefined> {
  const place = Buffer.concat([Buffer.from(`${dir}/`), pathToBytes(path)]);
  const found = await lstat(place, { bigint: true }).catch(() => undefined);
  return found && { id: `${found.dev}:${found.ino}`, isFolder: found.isDirectory() };
}

/** The regular files that may be read from the copy and written to it. */
export const usableFiles = (
  tracked: ReadonlyMap<string, TreeEntry>,
  clashing: ReadonlyMap<string, string>,
): string[] =>
  [...tracked]
    .filter(([path, { mode }]) => isRegular(mode) && !clashing.has(path))
    .map(([path]) => path);
