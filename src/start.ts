import { existsSync, mkdirSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { dirname, join } from 'node:path';
import { cacheFolder } from './platform/cache-folder.js';

/** The types are those of Node 20. */
type NewerModule = typeof nodeModule & { enableCompileCache?: (folder: string) => unknown };

/** Node 22.1 and newer: what was compiled once need not be compiled at the next commit. */
function keepCompiledCode(): void {
  const { enableCompileCache }: NewerModule = nodeModule;
  if (enableCompileCache === undefined || process.env['NODE_DISABLE_COMPILE_CACHE']) return;
  const folder = join(cacheFolder(process.env, process.platform), 'apfel-bot', 'compiled');
  if (isInRepository(folder)) return;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    enableCompileCache(folder);
  } catch {
    // A home that cannot be written to: it is compiled each time.
  }
}

/** Whoever has a home or a cache in a repository would find our files in `git status`. */
function isInRepository(folder: string): boolean {
  if (existsSync(join(folder, '.git'))) return true;
  return dirname(folder) !== folder && isInRepository(dirname(folder));
}

keepCompiledCode();
void import('./cli.js');
