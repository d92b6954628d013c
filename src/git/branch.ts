import type { SimpleGit } from 'simple-git';
import { BotError } from '../core/bot-error.js';
import { complaintOf, writeFailure } from '../platform/files.js';
import {
  branchAbove,
  branchCandidates,
  isPlainBranch,
  OWN_SIGNATURE,
  runOfMessage,
} from './commit-plan.js';
import { QUIET_FETCH } from './flags.js';
import { withSimpleGit } from './remote.js';
import { askGit, type GitContext, runGit } from './spawn.js';
import { asObjectId } from './tree.js';

/** With this many old branches, one more helps nobody. */
const MAX_NAMES = 99;
/** How often the branch may move while we work before we give up. */
const MAX_TRIES = 5;

interface BringRequest {
  /** The repository that has the commits: a scratch copy or an opened bundle. */
  readonly from: GitContext;
  readonly base: string;
  readonly tip: string;
  /** The user's repository. */
  readonly into: GitContext;
  /** Without `refs/heads/`. */
  readonly branch: string;
  /** Why an older apfel-bot branch isn't replaced, by its tip; undefined if it can be. */
  readonly whyKept?: (tip: string) => Promise<string | undefined>;
}

export interface BranchUpdate {
  /** The branch that now has the commits; not always the requested one. */
  readonly branch: string;
  readonly done: 'created' | 'updated' | 'unchanged';
  /** Names that weren't used, and why. */
  readonly passedOver: ReadonlyArray<{ readonly branch: string; readonly reason: string }>;
}

/**
 * Puts commits on a branch of the user's repository. A branch that is checked out, or has somebody
 * else's commit, is left alone and the next free name is used. No ref is deleted.
 */
export async function bringOver(request: BringRequest): Promise<BranchUpdate> {
  const ids = { base: asObjectId(request.base), tip: asObjectId(request.tip) };
  if (!isPlainBranch(request.branch)) {
    throw new BotError('usage', `${JSON.stringify(request.branch)} isn't a usable branch name`);
  }
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await place({ ...request, ...ids });
    } catch (thrown) {
      // Somebody moved the branch after we read it: start again.
      if (attempt === MAX_TRIES || !isOvertaken(complaintOf(thrown))) throw thrown;
    }
  }
}

const isOvertaken = (text: string): boolean =>
  /but expected|reference already exists|non-fast-forward|reference is missing/.test(text);

async function place(request: BringRequest): Promise<BranchUpdate> {
  const branches = await listBranches(request.into, request.branch);
  const above = branchAbove(request.branch, branches);
  if (above !== undefined) {
    throw new BotError('git', `a branch called ${above} blocks the name ${request.branch}`, {
      hint: `Rename it: git branch -m ${above} ${above}-old; or set branch.prefix in the configuration`,
    });
  }
  const passedOver: Array<{ branch: string; reason: string }> = [];
  for (const branch of branchCandidates(request.branch, MAX_NAMES)) {
    const old = branches.get(branch);
    if (old?.id === request.tip) return { branch, done: 'unchanged', passedOver };
    const reason = whyFolder(branch, branches) ?? (old && (await whyNotOurs(request, old)));
    const refusal = reason ?? (await write(request, branch, old?.id));
    if (refusal === undefined) {
      return { branch, done: old === undefined ? 'created' : 'updated', passedOver };
    }
    passedOver.push({ branch, reason: refusal });
  }
  throw new BotError('git', `${request.branch} and ${MAX_NAMES - 1} names after it are taken`, {
    hint: 'Delete the branches you no longer need',
  });
}

interface Branch {
  readonly id: string;
  /** Where it is checked out; empty if it isn't. */
  readonly worktree: string;
}

/** All branches that begin with the first part of the name, including that part alone. */
async function listBranches(context: GitContext, name: string): Promise<Map<string, Branch>> {
  const format = '--format=%(objectname) %(refname:lstrip=2)%00%(worktreepath)%00';
  const first = name.split('/', 1)[0] ?? name;
  const candidates = branchCandidates(name, MAX_NAMES).map(branch => `refs/heads/${branch}`);
  const places = name.includes('/') ? [`refs/heads/${first}`] : candidates;
  const listing = await askGit(context, ['for-each-ref', format, ...places]);
  const fields = listing.toString('utf8').split('\0');
  const branches = new Map<string, Branch>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [id = '', branch = ''] = fields[at]?.trim().split(' ') ?? [];
    branches.set(branch, { id, worktree: fields[at + 1] ?? '' });
  }
  return branches;
}

function whyFolder(name: string, branches: ReadonlyMap<string, Branch>): string | undefined {
  const below = [...branches.keys()].find(branch => branch.startsWith(`${name}/`));
  return below === undefined ? undefined : `there is a branch ${below}`;
}

async function whyNotOurs(request: BringRequest, old: Branch): Promise<string | undefined> {
  if (old.worktree !== '') return `it is checked out in ${old.worktree}`;
  const foreign = await whyForeign(request.into, { base: request.base, tip: old.id });
  return foreign ?? request.whyKept?.(old.id);
}

/** Returns the reason if git refuses because the branch is in use. */
async function write(
  request: BringRequest,
  branch: string,
  old: string | undefined,
): Promise<string | undefined> {
  try {
    // Creates the branch with everything it needs, in one step.
    if (old === undefined) await fetch(request, `${request.tip}:refs/heads/${branch}`);
    else {
      await fetch(request, request.tip);
      await moveBranch(request, { branch, old });
    }
    return undefined;
  } catch (thrown) {
    const refusal = /refusing to fetch into branch .*/.exec(complaintOf(thrown));
    if (refusal !== null) return 'it is checked out or being worked on';
    throw thrown;
  }
}

type FetchRequest = Pick<BringRequest, 'from' | 'into' | 'tip'>;

/** From one known commit to another, fast-forward or not; fails if the branch is checked out. */
async function moveBranch(
  request: FetchRequest,
  { branch, old }: { readonly branch: string; readonly old: string },
): Promise<void> {
  // A dry run first: fetch knows every work tree, rebase and bisect that uses the branch.
  await fetch(request, `+${request.tip}:refs/heads/${branch}`, ['--dry-run']);
  const step = `start\nupdate refs/heads/${branch} ${request.tip} ${old}\nprepare\ncommit\n`;
  const update = ['update-ref', '-m', 'apfel-bot: made again', '--stdin'];
  try {
    await withSimpleGit(request.into, git => git.raw(update), { input: Buffer.from(step) });
  } catch (thrown) {
    throw refFailure(`cannot update the branch ${branch}`, thrown);
  }
}

/** By id, so that a rewritten URL can't supply other commits. */
async function fetch(
  { from, into }: FetchRequest,
  refspec: string,
  more: readonly string[] = [],
): Promise<void> {
  const options = [...QUIET_FETCH, '--no-show-forced-updates', ...more];
  const run = (git: SimpleGit) => git.fetch(from.gitDir ?? from.cwd, refspec, options);
  try {
    await withSimpleGit(into, run, { settings: LOCAL });
  } catch (thrown) {
    throw refFailure('cannot transfer the commits to the repository', thrown);
  }
}

const LOCAL = [
  'protocol.file.allow=always',
  // With fewer objects than this git writes loose objects, so there is never a half-written pack.
  'fetch.unpackLimit=10000',
];

function refFailure(what: string, thrown: unknown): unknown {
  const lock = /Unable to create '([^']*\.lock)': File exists/.exec(complaintOf(thrown))?.[1];
  if (lock === undefined) return writeFailure(what, thrown);
  return new BotError('git', `${what}: ${lock} is in the way`, {
    hint: 'Another git is running, or one was killed; the next run removes a lock of apfel-bot that is older than a minute',
    cause: thrown,
  });
}

/** A branch with more commits than this isn't ours. */
const MAX_COMMITS = 1000;

/** Why the commits from `base` to `tip` aren't ours to replace; undefined if they are. */
export async function whyForeign(
  context: GitContext,
  { base, tip }: { readonly base: string; readonly tip: string },
): Promise<string | undefined> {
  const ancestry = await runGit(context, ['merge-base', '--is-ancestor', base, tip]);
  if (ancestry.code !== 0) return 'it starts from another commit';
  const format = '--format=%cn <%ce>%n%B';
  const args = ['log', '-z', '--encoding=UTF-8', `--max-count=${MAX_COMMITS + 1}`, format];
  const listing = await askGit(context, [...args, `${base}..${tip}`, '--']);
  const commits = listing.toString('utf8').split('\0').filter(Boolean);
  if (commits.length === 0 || commits.length > MAX_COMMITS) return 'it has no commits of apfel-bot';
  const isOurs = (text: string): boolean =>
    text.slice(0, text.indexOf('\n')) === OWN_SIGNATURE && runOfMessage(text) !== undefined;
  return commits.every(isOurs) ? undefined : 'it has commits of somebody else';
}
