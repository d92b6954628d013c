import { userSpot } from '../adapters/git/git.js';
import { runGit } from '../adapters/git/git-spawn.js';
import { isBotError } from '../core/failure.js';
import type { Git } from '../world.js';
import { type Desk, isInHook, type Opened } from './desk.js';

/** The commit whose linters a review may start, or one line that says why there is none. */
export type Trusted =
  | { readonly commit: string }
  | { readonly commit: undefined; readonly why: string | undefined };

/**
 * A linter is a program, and its configuration decides what it runs. A review takes both from the
 * default branch: from the commit where the change left it, whoever made the change.
 */
export async function trustedCommit(
  base: string,
  { desk, opened }: { readonly desk: Desk; readonly opened: Opened },
): Promise<Trusted> {
  const { git, task } = opened;
  const { head, top } = git?.repository ?? {};
  // A hook has no time for it, and without a work tree nothing is installed.
  if (git === undefined || head === undefined || top === undefined || isInHook(desk)) {
    return none(undefined);
  }
  const main = task.configBase ?? (await defaultBranch(git)) ?? (isInCi(desk) ? undefined : head);
  if (main === undefined) return none('the default branch is not known here');
  const commit = await git.mergeBase(main, base);
  if (commit === undefined)
    return none('the change has no commit in common with the default branch');
  // What is installed belongs to what is checked out.
  if ((await git.mergeBase(commit, head)) !== commit) return none('the change is not checked out');
  const file = await installationFile(git, { desk, from: commit, to: head });
  return file === undefined ? { commit } : none(`${file} may have changed what is installed here`);
}

const none = (why: string | undefined): Trusted => ({ commit: undefined, why });

/** In CI a checkout may be anybody's. */
const isInCi = ({ env }: Desk): boolean => env['CI'] !== undefined || !!env['GITHUB_EVENT_PATH'];

const DEFAULT_BRANCHES = [
  'refs/remotes/origin/HEAD',
  'refs/remotes/origin/main',
  'refs/remotes/origin/master',
  'refs/heads/main',
  'refs/heads/master',
];

async function defaultBranch(git: Git): Promise<string | undefined> {
  for (const name of DEFAULT_BRANCHES) {
    try {
      return await git.resolve(name);
    } catch (thrown) {
      if (!isBotError(thrown)) throw thrown;
    }
  }
  return undefined;
}

/** Files that decide what a package manager installs; disks that ignore case are fooled by none. */
const INSTALLS =
  /(?:^|\/)(?:package\.json|package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|pnpm-workspace\.yaml|\.pnpmfile\.cjs|bun\.lockb?|\.npmrc|\.yarnrc(?:\.yml)?|bunfig\.toml)$|(?:^|\/)\.yarn\//i;
const INSTALLED = /(?:^|\/)node_modules(?:\/|$)/i;

/** A file with which the checkout could bring a linter of its own, or choose another. */
async function installationFile(
  git: Git,
  { desk, from, to }: { readonly desk: Desk; readonly from: string; readonly to: string },
): Promise<string | undefined> {
  const tracked = (await git.listPaths('index')).find(path => INSTALLED.test(path));
  if (tracked !== undefined) return tracked;
  const asked = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', from, to];
  const { code, stdout } = await runGit(userSpot(desk), asked);
  if (code !== 0) return 'a file';
  const changed = stdout.toString('utf8').split('\0');
  return changed.find(path => INSTALLS.test(path) || INSTALLED.test(path));
}
