import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export interface FoundEslint {
  readonly folder: string;
  readonly version: string;
}

/** The first that reads `eslint.config.mjs` without being told to. */
const FIRST_MAJOR = 9;

/** ESLint as the current folder has it; undefined when there is none, or an old one. */
export async function findEslint(cwd: string): Promise<FoundEslint | undefined> {
  try {
    const manifest = createRequire(join(cwd, 'any.js')).resolve('eslint/package.json');
    const { version }: { version?: unknown } = JSON.parse(await readFile(manifest, 'utf8'));
    if (typeof version !== 'string' || !(Number.parseInt(version, 10) >= FIRST_MAJOR)) {
      return undefined;
    }
    return { folder: dirname(manifest), version };
  } catch {
    // Not there, or not what it should be: the toy linter does as well.
    return undefined;
  }
}
