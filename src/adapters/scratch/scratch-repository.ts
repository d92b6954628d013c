import { appendFile, copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToBytes } from '../../core/path-bytes.js';
import { askGit } from '../commit/git-commit-ask.js';
import { lonelyEnvironment, type Whereabouts } from '../commit/git-commit-spot.js';
import type { GitSpot } from '../git/git-spawn.js';

export interface RepositoryWish extends Whereabouts {
  /** Where the new repository goes; made if need be. */
  readonly dir: string;
  readonly isBare: boolean;
}

/**
 * A repository of its own that reads the user's objects and writes its own. Nothing is registered
 * in the user's repository; no template, hook or configuration of the user comes along.
 */
export async function scratchRepository(wish: RepositoryWish): Promise<GitSpot> {
  const { repository, dir, isBare, signal } = wish;
  await mkdir(dir, { recursive: true });
  const spot: GitSpot = {
    cwd: dir,
    env: lonelyEnvironment(wish.env),
    gitDir: isBare ? dir : join(dir, '.git'),
    signal,
  };
  const gitDir = spot.gitDir ?? dir;
  const format = repository.emptyTree.length === 64 ? 'sha256' : 'sha1';
  const init = ['init', '--quiet', '--template=', `--object-format=${format}`];
  const bare = isBare ? ['--bare'] : [];
  await askGit(spot, [...init, ...bare, '--initial-branch=apfel-bot-scratch']);
  // Nothing here outlives the run, so nobody has to wait for the disk.
  await appendFile(join(gitDir, 'config'), '[core]\n\tfsync = none\n');
  await mkdir(join(gitDir, 'objects', 'info'), { recursive: true });
  const objects = Buffer.from(join(repository.commonDir, 'objects'));
  await writeFile(join(gitDir, 'objects', 'info', 'alternates'), `${quotePath(objects)}\n`);
  if (repository.isShallow) {
    await copyFile(join(repository.commonDir, 'shallow'), join(gitDir, 'shallow'));
  }
  return spot;
}

/** In quotes, with everything but plain ASCII as octal: git reads this wherever it unquotes. */
export function quotePath(path: string | Uint8Array): string {
  const bytes = typeof path === 'string' ? pathToBytes(path) : path;
  let text = '"';
  for (const byte of bytes) {
    const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c;
    text += isPlain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`;
  }
  return `${text}"`;
}
