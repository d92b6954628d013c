import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Environment } from './processes.js';

/** The place the system has for files that may be lost at any time. */
export function cacheFolder(environment: Environment, platform: string): string {
  const named = environment['XDG_CACHE_HOME'];
  // By that standard a relative path is to be ignored.
  if (named !== undefined && isAbsolute(named)) return named;
  const home = environment['HOME'] || homedir();
  return platform === 'darwin' ? join(home, 'Library', 'Caches') : join(home, '.cache');
}
