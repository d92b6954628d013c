import { BotError } from '../core/bot-error.js';
import { branchCandidates } from '../git/commit-plan.js';
import { type GithubPull, troubleOf } from '../github/types.js';
import type { OpenBundle, RemoteRepo } from './remote-repo.js';

/** Nobody wants a tenth try beside nine old ones. */
const MOST_NAMES = 9;
/** How often somebody else may be quicker, or an answer be lost, before we give up. */
const MOST_TRIES = 5;
const PAUSE_MS = 500;

export interface BranchOptions {
  /** The name to begin with. */
  readonly name: string;
  /** Names that are never written to. */
  readonly taken: readonly string[];
  /** Called right before each push; throws when it must not be made. */
  readonly mayPush: () => Promise<void>;
  /** The pull request by which people have said no to the branch of this name. */
  readonly declined: (name: string) => Promise<GithubPull | undefined>;
  readonly pause: (milliseconds: number) => Promise<void>;
}

export interface PlacedBranch {
  readonly name: string;
  readonly done: 'created' | 'updated' | 'unchanged';
  /** Names that were not used, and why. */
  readonly passedOver: ReadonlyArray<{ readonly name: string; readonly reason: string }>;
}

/**
 * Nothing was pushed. A push would bring back a branch that people have deleted, or take from them the
 * way to reopen the pull request: GitHub reopens none whose branch was pushed over.
 */
export interface DeclinedBranch extends Omit<PlacedBranch, 'done'> {
  readonly done: 'declined';
  readonly closed: GithubPull;
}

/**
 * Puts the commits on a branch of the remote. One that holds a commit of somebody else is left
 * alone and the next name is taken; one that moves while we look is looked at again.
 */
export async function placeBranch(
  remoteRepo: Pick<RemoteRepo, 'branches'>,
  bundle: OpenBundle,
  options: BranchOptions,
): Promise<PlacedBranch | DeclinedBranch> {
  // What a push whose answer was lost has done, should it turn out to be there.
  let lost: PlacedBranch['done'] = 'unchanged';
  const write: Write = async (branch, seen) => {
    await options.mayPush();
    lost = seen === undefined ? 'created' : 'updated';
    return (await bundle.push({ branch, seen })) === 'pushed';
  };
  for (let attempt = 1; ; attempt += 1) {
    try {
      const found = await look({ branches: await remoteRepo.branches(), bundle, options, write });
      if (found?.done === 'unchanged') return { ...found, done: lost };
      if (found !== undefined) return found;
      if (attempt === MOST_TRIES) throw overtaken(options.name);
    } catch (thrown) {
      if (attempt === MOST_TRIES || troubleOf(thrown) !== 'unsettled') throw thrown;
      await options.pause(PAUSE_MS * attempt);
    }
  }
}

/** False when the branch has moved since it was seen. */
type Write = (name: string, seen: string | undefined) => Promise<boolean>;

interface Looking {
  readonly branches: ReadonlyMap<string, string>;
  readonly bundle: OpenBundle;
  readonly options: BranchOptions;
  readonly write: Write;
}

/** Undefined when somebody was quicker. */
async function look(looking: Looking): Promise<PlacedBranch | DeclinedBranch | undefined> {
  const { branches, bundle, options, write } = looking;
  refuseBlockedFolder(options.name, branches);
  const passedOver: Array<{ name: string; reason: string }> = [];
  for (const name of branchCandidates(options.name, MOST_NAMES)) {
    const seen = branches.get(name);
    const reason = await whyNot(name, looking);
    if (reason !== undefined) {
      passedOver.push({ name, reason });
      continue;
    }
    const closed = await options.declined(name);
    if (closed !== undefined) return { name, done: 'declined', closed, passedOver };
    const isSame = seen === bundle.tip || (seen !== undefined && (await bundle.hasSameFiles(seen)));
    if (isSame) return { name, done: 'unchanged', passedOver };
    const done = seen === undefined ? 'created' : 'updated';
    return (await write(name, seen)) ? { name, done, passedOver } : undefined;
  }
  throw new BotError('publish-failed', `${options.name} and the names after it are taken`, {
    hint: 'Delete the branches you no longer need',
  });
}

function refuseBlockedFolder(name: string, branches: ReadonlyMap<string, string>): void {
  for (let slash = name.indexOf('/'); slash >= 0; slash = name.indexOf('/', slash + 1)) {
    const above = name.slice(0, slash);
    if (!branches.has(above)) continue;
    throw new BotError('publish-failed', `a branch called ${above} leaves no room for ${name}`, {
      hint: 'Rename it, or set branch.prefix in the configuration',
    });
  }
}

async function whyNot(
  name: string,
  { branches, bundle, options }: Looking,
): Promise<string | undefined> {
  const seen = branches.get(name);
  if (seen === bundle.tip) return undefined;
  const reason = whyNotThere(name, branches, options);
  return reason ?? (seen === undefined ? undefined : bundle.whyNotOurs(seen));
}

function whyNotThere(
  name: string,
  branches: ReadonlyMap<string, string>,
  { taken }: BranchOptions,
): string | undefined {
  if (taken.includes(name)) return 'it is a branch that others work on';
  const below = [...branches.keys()].find(branch => branch.startsWith(`${name}/`));
  return below === undefined ? undefined : `the branch ${below} lies below it`;
}

const overtaken = (name: string): BotError =>
  new BotError('publish-failed', `others keep moving ${name} while we look at it`, {
    hint: 'Let one run at a time publish: give the job a concurrency group, and run it again',
  });

/**
 * The branch that fixes of a commit go to when no pull request says so. A commit that no branch here
 * has may come from a fork, whose objects GitHub serves under our name as well: it goes nowhere.
 */
export async function findBaseBranch(
  remoteRepo: Pick<RemoteRepo, 'branches' | 'isPartOf'>,
  commit: string,
  defaultBranch: string,
): Promise<string> {
  const branches = await remoteRepo.branches();
  if (branches.get(defaultBranch) === commit) return defaultBranch;
  const isOld = branches.has(defaultBranch) && (await remoteRepo.isPartOf(commit, defaultBranch));
  if (isOld) return defaultBranch;
  const [other, ...more] = [...branches].filter(([, head]) => head === commit);
  if (other !== undefined && more.length === 0) return other[0];
  const names = more.length > 0 ? [other, ...more].flatMap(each => each?.[0] ?? []).join(', ') : '';
  throw new BotError(
    'publish-failed',
    names === ''
      ? `${commit.slice(0, 12)} is neither in ${defaultBranch} nor the head of another branch`
      : `${commit.slice(0, 12)} is the head of several branches (${names})`,
    { hint: 'Push your commits first, and name the pull request with --pr N if there is one' },
  );
}
