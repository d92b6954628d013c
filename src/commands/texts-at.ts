import type { Git } from '../world.js';

/** Each is a process; findings in more files than this are taken for gone. */
const MOST_FILES = 100;
/** Nobody looks for a line in more. */
const MOST_BYTES = 8 * 1024 * 1024;

/** Files of a commit as text; those that are not there, or too large, are left out. */
export async function textsAt(
  git: Git,
  commit: string,
  paths: readonly string[],
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const path of [...new Set(paths)].slice(0, MOST_FILES)) {
    const bytes = await git.readFile(commit, path);
    if (bytes !== undefined && bytes.length <= MOST_BYTES) {
      texts.set(path, new TextDecoder().decode(bytes));
    }
  }
  return texts;
}
