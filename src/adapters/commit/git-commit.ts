import type { BuiltCommit, CommitPlan } from '../../core/commit-plan.js';
import { BotError } from '../../core/failure.js';
import type { GitSpot } from '../git/git-spawn.js';
import { writeFailure } from '../scratch/scratch-failure.js';
import { askGit } from './git-commit-ask.js';
import { asBlobs, blobId } from './git-commit-blobs.js';
import { type CommitText, commitStream } from './git-commit-stream.js';
import {
  asObjectId,
  listChanges,
  listTree,
  type TreeEntry,
  whyNotAnEdit,
} from './git-commit-tree.js';

/** Only ever seen inside the scratch repository. */
const BUILD_REF = 'refs/heads/apfel-bot-build';

export interface CommitRequest extends CommitPlan {
  /** The scratch repository; its index has to be that of `base`. */
  readonly scratch: { readonly spot: GitSpot };
}

export interface BuiltCommits {
  readonly commits: readonly BuiltCommit[];
  /** The last commit, or `base` when there was nothing to change. */
  readonly tip: string;
  /** Files that are already what was wished; a commit of nothing else is not made. */
  readonly unchanged: readonly string[];
}

/**
 * Makes commits out of whole files, in the scratch repository and nowhere else. Only files that
 * are there can change, and only in content; the result is read back and compared.
 */
export async function buildCommits(request: CommitRequest): Promise<BuiltCommits> {
  const { spot } = request.scratch;
  const base = asObjectId(request.base);
  const tree = await listTree(spot, base);
  const current = new Map(tree);
  const unchanged: string[] = [];
  const texts: CommitText[] = [];
  for (const wish of request.commits) {
    const files: Array<CommitText['files'][number]> = [];
    for (const [path, bytes] of await asBlobs({ spot, tree, wish })) {
      const entry: TreeEntry = { mode: '', id: '', ...current.get(path) };
      const id = blobId(bytes, base.length);
      if (id === entry.id) unchanged.push(path);
      else files.push([path, entry.mode, bytes]);
      current.set(path, { ...entry, id });
    }
    const from = texts.length === 0 ? base : `:${texts.length}`;
    const { author, run } = request;
    if (files.length > 0) texts.push({ message: wish.message, run, author, from, files });
  }
  const ids = texts.length === 0 ? [] : await importCommits(spot, texts);
  const commits = await checkCommits({ spot, base, texts, ids });
  return { commits, tip: ids.at(-1) ?? base, unchanged };
}

async function importCommits(spot: GitSpot, texts: readonly CommitText[]): Promise<string[]> {
  // On a Mac, where git ignores case by default, an edit of `foo.txt` would change `Foo.txt`.
  const flags = ['-c', 'core.ignorecase=false'];
  const asked = ['fast-import', '--quiet', '--done', '--force', '--date-format=raw'];
  try {
    const printed = await askGit(spot, [...flags, ...asked], commitStream(BUILD_REF, texts));
    return printed.toString('latin1').trim().split('\n').map(asObjectId);
  } catch (thrown) {
    throw writeFailure('cannot build the commits in the scratch copy', thrown);
  }
}

interface Imported {
  readonly spot: GitSpot;
  readonly base: string;
  readonly texts: readonly CommitText[];
  readonly ids: readonly string[];
}

/** Exactly our paths, all of them plain edits, with the bytes that were asked for. */
async function checkCommits({ spot, base, texts, ids }: Imported): Promise<BuiltCommit[]> {
  const commits: BuiltCommit[] = [];
  for (const [at, text] of texts.entries()) {
    const id = ids[at] ?? '';
    const changes = await listChanges(spot, ids[at - 1] ?? base, id);
    const wished = new Map(text.files.map(([path, , bytes]) => [path, blobId(bytes, base.length)]));
    const strange = changes.find(
      change => whyNotAnEdit(change) !== undefined || wished.get(change.path) !== change.after.id,
    );
    if (strange !== undefined || changes.length !== wished.size) {
      const path = strange?.path ?? [...wished.keys()].join(', ');
      throw new BotError('bug', `commit ${id} is not what was asked for: ${JSON.stringify(path)}`);
    }
    commits.push({ id, paths: changes.map(({ path }) => path) });
  }
  return commits;
}
