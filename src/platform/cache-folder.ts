import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Environment } from './processes.js';

/** The system's folder for files that may be deleted at any time. */
export function cacheFolder(environment: Environment, platform: string): string {
  const named = environment['XDG_CACHE_HOME'];
  // The XDG standard says to ignore a relative path.
  if (named !== undefined && isAbsolute(named)) return named;
  const home = environment['HOME'] || homedir();
  return platform === 'darwin' ? join(home, 'Library', 'Caches') : join(home, '.cache');
}
