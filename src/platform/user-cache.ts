import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseJson } from '../core/json-fields.js';
import { cacheFolder } from './cache-folder.js';
import { readText, writeText } from './files.js';
import type { Environment } from './processes.js';

/** JSON files in the system's cache folder, which may be deleted at any time. */
export interface UserCache {
  /** Undefined if it is missing, unreadable or not JSON. */
  read(name: string): Promise<unknown>;
  /** False if it can't be written, which isn't a failure. */
  write(name: string, value: unknown): Promise<boolean>;
}

/** A larger file wasn't written by us. */
const MAX_BYTES = 8 * 1024 * 1024;

export function openUserCache(environment: Environment, platform = process.platform): UserCache {
  const folder = join(cacheFolder(environment, platform), 'apfel-bot');
  return {
    read: async name => {
      const file = join(folder, name);
      try {
        const { size } = await plainFile(file);
        return size > MAX_BYTES ? undefined : parseJson((await readText(file)) ?? '');
      } catch {
        // Missing or not readable: same as empty.
        return undefined;
      }
    },
    write: async (name, value) => {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeText(join(folder, name), `${JSON.stringify(value)}\n`);
        return true;
      } catch {
        // A full disk or a read-only home; the caller reports it if it matters.
        return false;
      }
    },
  };
}

/** Reading from a pipe or a device could hang. */
async function plainFile(file: string): Promise<{ size: number }> {
  const found = await stat(file);
  if (!found.isFile()) throw new Error(`${file} is not a file`);
  return found;
}
