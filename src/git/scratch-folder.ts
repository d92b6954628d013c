import { randomBytes } from 'node:crypto';
import { lstat, mkdir, readdir, realpath, rm, rmdir, writeFile } from 'node:fs/promises';
import { basename, isAbsolute, join, relative, sep } from 'node:path';

/** Next to the copy, not in it, so that no linter sees it. */
const MARKER = 'apfel-bot-scratch';
const OUR_NAME = /^apfel-bot-[0-9a-f]{18}$/;

/** Called with the path before the folder is created, so that a crash leaves nothing unknown. */
export type Announce = (folder: string) => Promise<void>;

export async function makeScratchFolder(temp: string, announce: Announce): Promise<string> {
  const name = `apfel-bot-${randomBytes(9).toString('hex')}`;
  const folder = join(await realpath(temp), name);
  await announce(folder);
  await mkdir(folder, { mode: 0o700 });
  try {
    await writeFile(join(folder, MARKER), 'Made by apfel-bot; safe to delete.\n', { flag: 'wx' });
  } catch (thrown) {
    await rm(folder, { recursive: true, force: true });
    throw thrown;
  }
  return folder;
}

type FolderRemoval = 'removed' | 'absent' | 'not-ours';

/** Deletes only folders with our name and our marker. Links aren't followed. */
export async function removeScratchFolder(folder: string): Promise<FolderRemoval> {
  const found = await lstatOrUndefined(folder);
  if (found === undefined) return 'absent';
  if (!found.isDirectory() || !OUR_NAME.test(basename(folder))) return 'not-ours';
  const marker = await lstatOrUndefined(join(folder, MARKER));
  if (marker === undefined) return removeUnmarked(folder);
  if (!marker.isFile()) return 'not-ours';
  // The marker is deleted last, so that an interrupted deletion can be resumed.
  for (const name of await readdir(folder)) {
    if (name !== MARKER) await rm(join(folder, name), REMOVAL);
  }
  await rm(folder, REMOVAL);
  return 'removed';
}

const REMOVAL = { recursive: true, force: true, maxRetries: 3 } as const;

/** A run that died between creating and marking the folder left it empty. */
const removeUnmarked = (folder: string): Promise<FolderRemoval> =>
  rmdir(folder).then(
    () => 'removed',
    () => 'not-ours',
  );

const lstatOrUndefined = (path: string) => lstat(path).catch(() => undefined);

/** Both absolute and without links. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
