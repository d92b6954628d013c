import { statSync } from 'node:fs';
import { join } from 'node:path';
import { asObjectId } from '../commit/git-commit-tree.js';
import { namesIn } from '../look-in-folder.js';
import { ownPlace, readOwnFile, removeOwnFile, writeOwnFile } from '../own-file.js';

/** Nobody reads the reviews of more commits than this; the oldest are let go. */
const MOST_ENTRIES = 200;
/** A review that brought the process down thrice is not tried again. */
const MOST_TRIES = 3;
const MOST_BYTES = 4096;

/** Commits that wait for a review, one small file each, so that nobody has to lock anything. */
export interface Queue {
  add(commit: string): Promise<void>;
  remove(commit: string): Promise<void>;
  isEmpty(): Promise<boolean>;
  /** The commit that waits longest; counts the attempt, so that a crash is not repeated for ever. */
  next(): Promise<string | undefined>;
}

export function openQueue(commonDir: string): Queue {
  const folder = ownPlace(commonDir, 'queue');
  const fileOf = (commit: string): string => join(folder, `${asObjectId(commit)}.json`);
  const remove = (commit: string): Promise<void> => removeOwnFile(fileOf(commit));
  return {
    add: async commit => {
      await writeOwnFile(fileOf(commit), { v: 1, tries: 0 });
      const entries = list(folder);
      for (const old of entries.slice(0, Math.max(0, entries.length - MOST_ENTRIES))) {
        await remove(old);
      }
    },
    remove,
    isEmpty: async () => list(folder).length === 0,
    next: async () => {
      for (const commit of list(folder)) {
        const tries = triesIn(await readOwnFile(fileOf(commit), MOST_BYTES));
        if (tries >= MOST_TRIES) await remove(commit);
        else {
          await writeOwnFile(fileOf(commit), { v: 1, tries: tries + 1 });
          return commit;
        }
      }
      return undefined;
    },
  };
}

/** Oldest first. */
function list(folder: string): string[] {
  const found: Array<{ readonly commit: string; readonly at: number }> = [];
  for (const name of namesIn(folder)) {
    const [, commit] = /^([0-9a-f]{40}|[0-9a-f]{64})\.json$/.exec(name) ?? [];
    if (commit === undefined) continue;
    const facts = statSync(join(folder, name), { throwIfNoEntry: false });
    if (facts !== undefined) found.push({ commit, at: facts.mtimeMs });
  }
  return found.toSorted((one, other) => one.at - other.at).map(({ commit }) => commit);
}

const triesIn = (value: unknown): number =>
  typeof value === 'object' && value !== null && 'tries' in value && Number.isInteger(value.tries)
    ? Number(value.tries)
    : 0;
