import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseJson } from '../core/json-fields.js';
import { cacheFolder } from './cache-folder.js';
import { nodeFiles } from './files.js';
import type { Environment } from './processes.js';

/** JSON files that may be lost at any time, in the place the system has for such files. */
export interface UserCache {
  /** Undefined when it is not there, not to be read, or not JSON. */
  read(name: string): Promise<unknown>;
  /** False when it cannot be written: a cache is nothing to fail for. */
  write(name: string, value: unknown): Promise<boolean>;
}

/** What is larger was not written by us. */
const MOST_BYTES = 8 * 1024 * 1024;

export function openUserCache(environment: Environment, platform = process.platform): UserCache {
  const folder = join(cacheFolder(environment, platform), 'apfel-bot');
  return {
    read: async name => {
      const file = join(folder, name);
      try {
        const { size } = await plainFile(file);
        return size > MOST_BYTES ? undefined : parseJson((await nodeFiles.read(file)) ?? '');
      } catch {
        // Missing, or not ours to read: as good as empty.
        return undefined;
      }
    },
    write: async (name, value) => {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await nodeFiles.write(join(folder, name), `${JSON.stringify(value)}\n`);
        return true;
      } catch {
        // A full disk or a home that cannot be written to; the caller says so if it matters.
        return false;
      }
    },
  };
}

/** Reading from a pipe or a device could wait for ever. */
async function plainFile(file: string): Promise<{ size: number }> {
  const found = await stat(file);
  if (!found.isFile()) throw new Error(`${file} is not a file`);
  return found;
}
