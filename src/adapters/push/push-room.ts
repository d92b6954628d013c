import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OWN_NAME } from '../../core/commit-plan.js';
import { BotError, isBotError } from '../../core/failure.js';
import type { BundleCommit, BundleWish, OpenBundle, PushRoom } from '../../push/room.js';
import type { Repository } from '../../world.js';
import { askGit, askGitWord } from '../commit/git-commit-ask.js';
import { type CheckedBundle, checkBundle } from '../commit/git-commit-bundle-check.js';
import { whyForeign } from '../commit/git-commit-ours.js';
import { asObjectId } from '../commit/git-commit-tree.js';
import { runGit } from '../git/git-spawn.js';
import type { PushDoor } from './push-door.js';
import { makePushFolder } from './push-folder.js';
import { pushStep } from './push-step.js';

export interface RoomWish {
  readonly door: PushDoor;
  /** The file; the bundle lies beside it. */
  readonly outcome: string;
  readonly temp: string;
  readonly signal: AbortSignal;
}

export interface OpenRoom extends PushRoom {
  remove(): Promise<void>;
}

/** An empty folder of our own, in which there is no more of the project than the base and the bundle. */
export async function openRoom({ door, outcome, temp, signal }: RoomWish): Promise<OpenRoom> {
  const { folder, remove } = await makePushFolder(temp);
  return {
    branches: () => listBranches(door, folder),
    isPartOf: (commit, branch) => isPartOf(door, folder, { commit, branch }),
    open: async wish => {
      const repository = await fetchBase(door, folder, wish.base);
      const path = join(dirname(outcome), wish.bundle);
      const place = { repository, env: door.spot(folder).env, signal, temp: folder };
      // It lies inside ours, and goes with it.
      const announce = async (): Promise<void> => undefined;
      const check = { ...place, announce, path, base: wish.base, allow: wish.mayEdit };
      return opened(door, await asPublishing(checkBundle(check)), wish);
    },
    remove,
  };
}

async function listBranches(door: PushDoor, folder: string): Promise<Map<string, string>> {
  const listing = await door.reach(door.spot(folder), ['ls-remote', '--heads', '--', door.address]);
  const branches = new Map<string, string>();
  for (const row of listing.split('\n')) {
    const [, id, name] = /^([0-9a-f]{40,64})\trefs\/heads\/(.+)$/.exec(row) ?? [];
    if (id !== undefined && name !== undefined) branches.set(name, id);
  }
  return branches;
}

/** Asked of the history alone, without files, where the server can leave them out. */
async function isPartOf(
  door: PushDoor,
  folder: string,
  { commit, branch }: { readonly commit: string; readonly branch: string },
): Promise<boolean> {
  const gitDir = join(folder, 'history.git');
  const lean = ['--bare', '--filter=tree:0', '--single-branch', '--no-tags', '--template='];
  const clone = ['clone', '--quiet', ...lean, '--branch', branch, '--', door.address, gitDir];
  if (!existsSync(gitDir)) await door.reach(door.spot(folder), clone);
  const asked = ['merge-base', '--is-ancestor', asObjectId(commit), 'HEAD'];
  return (await runGit(door.spot(gitDir, gitDir), asked)).code === 0;
}

/** The one commit with its files, in a repository that nothing else is in. */
async function fetchBase(door: PushDoor, folder: string, base: string): Promise<Repository> {
  const gitDir = join(folder, 'base.git');
  const id = asObjectId(base);
  const format = `--object-format=${id.length === 64 ? 'sha256' : 'sha1'}`;
  const init = ['init', '--quiet', '--bare', '--template=', format];
  await askGit(door.spot(folder), [...init, '--initial-branch=apfel-bot-scratch', gitDir]);
  const wish = `+${id}:refs/apfel-bot/base`;
  await door.reach(door.spot(gitDir, gitDir), [...FETCH, '--depth=1', '--', door.address, wish]);
  return {
    gitDir,
    commonDir: gitDir,
    top: undefined,
    prefix: '',
    isShallow: existsSync(join(gitDir, 'shallow')),
    head: undefined,
    headTree: undefined,
    headParents: [],
    // Only its length counts here.
    emptyTree: id,
    mergeHeads: [],
  };
}

const FETCH = [
  '-c',
  'fetch.fsckObjects=false',
  'fetch',
  '--quiet',
  '--no-tags',
  '--no-write-fetch-head',
  '--no-recurse-submodules',
  '--no-auto-maintenance',
  '--no-write-commit-graph',
];

/** Here a file that cannot be read is a publication that failed, not a wrong command line. */
async function asPublishing<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (thrown) {
    if (!isBotError(thrown) || (thrown.code !== 'usage' && thrown.code !== 'git')) throw thrown;
    throw new BotError('publish-failed', thrown.message, {
      hint: thrown.hint ?? 'The bundle has to lie beside the outcome, as fix-lint --out wrote it',
      cause: thrown,
    });
  }
}

async function opened(
  door: PushDoor,
  { spot, branch, tip, commits }: CheckedBundle,
  { base }: BundleWish,
): Promise<OpenBundle> {
  const words = await wordsOf(spot, base, tip);
  const treeOf = (id: string): Promise<string> =>
    askGitWord(spot, ['rev-parse', '--verify', `${asObjectId(id)}^{tree}`]);
  return {
    branch,
    tip,
    commits: commits.map(commit => ({ ...commit, ...(words.get(commit.id) ?? NOBODY) })),
    whyNotOurs: async commit => {
      const wish = `+${asObjectId(commit)}:refs/apfel-bot/theirs`;
      await door.reach(spot, [...FETCH, '--', door.address, wish]);
      return whyForeign(spot, { base, tip: commit, committer: OWN_NAME });
    },
    hasSameFiles: async commit => (await treeOf(commit)) === (await treeOf(tip)),
    push: step => pushStep(door, spot, { ...step, tip }),
  };
}

type Words = Pick<BundleCommit, 'author' | 'committer' | 'message'>;
const NOBODY: Words = { author: '', committer: '', message: '' };

async function wordsOf(
  spot: CheckedBundle['spot'],
  base: string,
  tip: string,
): Promise<Map<string, Words>> {
  const format = '--format=%H%x01%an <%ae>%x01%cn <%ce>%x01%B';
  const listing = await askGit(spot, ['log', '-z', '--encoding=UTF-8', format, `${base}..${tip}`]);
  const records = listing.toString('utf8').split('\0').filter(Boolean);
  return new Map(
    records.map(record => {
      const [id = '', author = '', committer = '', ...message] = record.split('\x01');
      return [id, { author, committer, message: message.join('\x01') }];
    }),
  );
}
