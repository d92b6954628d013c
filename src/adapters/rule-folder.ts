import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Where the work tree has rules of the user's own, tracked or not yet. */
export const ruleFolder = {
  /** Names of the plain files in a folder; none when there is no such folder. */
  async names(folder: string): Promise<readonly string[]> {
    try {
      const entries = await readdir(folder, { withFileTypes: true });
      return entries.filter(entry => entry.isFile()).map(entry => entry.name);
    } catch {
      // No folder, no rules: the ordinary case.
      return [];
    }
  },

  /** A link may lead out of the repository, and what it shows would be put to a model. */
  async isPlainFile(top: string, path: string): Promise<boolean> {
    try {
      return (await lstat(join(top, path))).isFile();
    } catch {
      return false;
    }
  },
};
