import { existsSync, mkdirSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { dirname, join } from 'node:path';
import { cacheFolder } from './platform/cache-folder.js';

/** The types are those of Node 20. */
type NewerModule = typeof nodeModule & { enableCompileCache?: (folder: string) => unknown };

/** Node 22.1 and newer: compile once, not at every commit. */
function cacheCompiledCode(): void {
  const { enableCompileCache }: NewerModule = nodeModule;
  if (enableCompileCache === undefined || process.env['NODE_DISABLE_COMPILE_CACHE']) return;
  const folder = join(cacheFolder(process.env, process.platform), 'apfel-bot', 'compiled');
  if (isInRepository(folder)) return;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    enableCompileCache(folder);
  } catch {
    // The home directory isn't writable: compile every time.
  }
}

/** If the home or cache directory is in a repository, our files would show in `git status`. */
function isInRepository(folder: string): boolean {
  if (existsSync(join(folder, '.git'))) return true;
  return dirname(folder) !== folder && isInRepository(dirname(folder));
}

cacheCompiledCode();
void import('./cli.js');
