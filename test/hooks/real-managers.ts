import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

const exec = promisify(execFile);

/** A program that is here, or why it is not. */
type Found =
  | { readonly path: string; readonly absent: undefined }
  | { readonly path: undefined; readonly absent: string };

const found = (path: string): Found => ({ path, absent: undefined });
const missing = (absent: string): Found => ({ path: undefined, absent });

export function findHusky(): Found {
  const path = resolve('node_modules/husky/bin.js');
  return existsSync(path) ? found(path) : missing('husky is not installed (npm ci)');
}

export function findPreCommit(): Found {
  const isHere = spawnSync('pre-commit', ['--version']).status === 0;
  return isHere ? found('pre-commit') : missing('pre-commit is not installed');
}

/** Where lefthook is kept when the project does not depend on it. */
const CACHE = resolve('node_modules/.cache/apfel-bot-lefthook');

/** Enough for one small package on a slow line. */
const MAX_INSTALL_MS = 30_000;

/**
 * Not a dependency, because its install script would put hooks into this very repository. So it is
 * fetched once, without scripts, beside the dependencies.
 */
export async function findLefthook(): Promise<Found> {
  const places = [resolve('node_modules/.bin/lefthook'), `${CACHE}/node_modules/.bin/lefthook`];
  const here = places.find(path => existsSync(path));
  if (here !== undefined) return found(here);
  try {
    await mkdir(CACHE, { recursive: true });
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
    await exec('npm', ['install', '--prefix', CACHE, ...quiet, 'lefthook@2'], {
      cwd: CACHE,
      timeout: MAX_INSTALL_MS,
    });
    return found(`${CACHE}/node_modules/.bin/lefthook`);
  } catch {
    return missing('lefthook is not installed and could not be fetched');
  }
}
