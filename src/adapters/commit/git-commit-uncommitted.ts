import { type GitSpot, runGit } from '../git/git-spawn.js';

/** Runs where git looks, and tells nothing about new files: there may be very many. */
const STATUS = ['status', '--porcelain', '-z', '--untracked-files=no', '--ignore-submodules=all'];

/**
 * Whether the work tree or the index differ from HEAD. Programs of the user's that would turn files
 * into blobs are not run for it, so a file behind one may be called changed when it is only newer.
 * Undefined when git cannot tell.
 */
export async function hasUncommitted(spot: GitSpot): Promise<boolean | undefined> {
  const { code, stdout } = await runGit(spot, [...(await withoutFilters(spot)), ...STATUS]);
  return code === 0 ? stdout.length > 0 : undefined;
}

async function withoutFilters(spot: GitSpot): Promise<string[]> {
  const asked = ['config', '-z', '--name-only', '--get-regexp', '^filter\\.'];
  const { stdout } = await runGit(spot, asked);
  const keys = stdout.toString('utf8').split('\0').filter(Boolean);
  const drivers = new Set(keys.map(key => key.slice(0, key.lastIndexOf('.'))));
  // A name with an equals sign in it cannot be said this way.
  return [...drivers]
    .filter(driver => !driver.includes('='))
    .flatMap(driver => [
      ...['-c', `${driver}.clean=`, '-c', `${driver}.process=`],
      ...['-c', `${driver}.required=false`],
    ]);
}
