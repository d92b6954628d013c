import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { BotError } from '../../core/failure.js';
import type { Repository } from '../../world.js';
import { type GitSpot, runGit } from './git-spawn.js';

/** A repository that came with the files is anybody's: its settings and hooks would run here. */
export async function refuseInsideRemote(
  remote: string,
  spot: GitSpot,
  { top, commonDir }: Repository,
): Promise<void> {
  const roots = [top, commonDir].flatMap(root => (root === undefined ? [] : [root, real(root)]));
  for (const address of await addressesOf(remote, spot)) {
    const path = localPath(address);
    if (path === undefined) continue;
    const place = resolve(spot.cwd, path);
    const isInside = [place, real(place)].some(each =>
      roots.some(root => each === root || each.startsWith(`${root}/`)),
    );
    if (!isInside) continue;
    throw new BotError('git', `the remote ${remote} is ${address}, inside this repository`, {
      hint: 'A repository that came with the files is not used; move it elsewhere, and: git remote set-url',
    });
  }
}

/** For fetching and for pushing, as git would rewrite them. */
async function addressesOf(remote: string, spot: GitSpot): Promise<string[]> {
  const asked = [
    ['ls-remote', '--get-url', '--', remote],
    ['remote', 'get-url', '--all', '--push', '--', remote],
  ];
  const answers = await Promise.all(asked.map(args => runGit(spot, args)));
  return answers.flatMap(({ code, stdout }) =>
    code === 0 ? stdout.toString('utf8').split('\n').filter(Boolean) : [],
  );
}

/** As git tells a path from an address: a colon before the first slash names a host. */
function localPath(address: string): string | undefined {
  if (/^file:\/\//i.test(address)) return address.slice('file://'.length);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(address)) return undefined;
  return /^[^/]*:/.test(address) ? undefined : address;
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Git tries it with endings as well; the name itself says where it is.
    return path;
  }
}
