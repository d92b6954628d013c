import type { Git } from '../world.js';

/** Nobody looks for a line in more. */
const MOST_BYTES = 8 * 1024 * 1024;

/** Files of a commit as text, through one process; those that are not there, or too large, are left out. */
export async function textsAt(
  git: Git,
  commit: string,
  paths: readonly string[],
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const keep = (path: string, bytes: Uint8Array | undefined): void => {
    if (bytes === undefined || bytes.length > MOST_BYTES) return;
    texts.set(path, new TextDecoder().decode(bytes));
  };
  const all = new Set(paths);
  const named = new Map([...all].filter(canBeAsked).map(path => [`${commit}:${path}`, path]));
  const wishes = [...named.keys()].map(id => ({ id, keep: MOST_BYTES + 1 }));
  for await (const { id, bytes } of git.blobs(wishes)) keep(named.get(id) ?? '', bytes);
  for (const path of all) if (!canBeAsked(path)) keep(path, await git.readFile(commit, path));
  return texts;
}

/** A line break would end the question, and bytes that are not UTF-8 cannot be asked for by name. */
const canBeAsked = (path: string): boolean => !/[\n\udc80-\udcff]/u.test(path);
