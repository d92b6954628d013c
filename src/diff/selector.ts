import { BotError } from '../core/bot-error.js';
import type { ChangeEnds } from '../core/change.js';
import type { Selector, Task } from '../core/task.js';
import type { Git } from '../git/git.js';
import { type GitContext, runGit } from '../git/spawn.js';

/** The ends of a change, and what its new end is compared with: several parents for a merge. */
interface Resolved {
  readonly ends: ChangeEnds;
  /** Trees or commits; old line numbers refer to the first. */
  readonly parents: readonly string[];
  readonly notices: readonly string[];
}

/** Resolves revisions to full object ids, once; later code only uses ids. */
export async function resolveSelector(selector: Selector, git: Git): Promise<Resolved> {
  switch (selector.kind) {
    case 'staged':
      return staged(git);
    case 'range':
      return range(selector, git);
    case 'commit':
      return commit(await git.resolve(selector.revision), git);
    case 'default':
      return byDefault(git);
    case 'stdin':
      throw new BotError('bug', 'a diff on standard input has no revisions to resolve');
  }
}

function staged(git: Git): Resolved {
  const { head, top, emptyTree, mergeHeads } = git.repository;
  if (top === undefined) {
    throw new BotError('git', 'a bare repository has no index to review', {
      hint: 'Choose what to review: --range A..B or --commit REV',
    });
  }
  return {
    ends: { base: head ?? null, head: 'index' },
    parents: [head ?? emptyTree, ...mergeHeads],
    notices:
      mergeHeads.length === 0
        ? []
        : ['a merge is in progress: only lines that differ from every parent are reviewed'],
  };
}

const SHALLOW =
  'This clone is shallow: check out with fetch-depth: 0, or run git fetch --unshallow';

async function range(selector: Extract<Selector, { kind: 'range' }>, git: Git): Promise<Resolved> {
  const from = await git.resolve(selector.from);
  const to = await git.resolve(selector.to);
  const base = selector.symmetric ? await git.mergeBase(from, to) : from;
  if (base === undefined) {
    const names = `${JSON.stringify(selector.from)} and ${JSON.stringify(selector.to)}`;
    throw new BotError('git', `${names} have no common ancestor here`, {
      hint: git.repository.isShallow
        ? SHALLOW
        : 'Compare the two trees directly with two dots: --range A..B',
    });
  }
  return { ends: { base, head: to }, parents: [base], notices: [] };
}

async function commit(head: string, git: Git): Promise<Resolved> {
  const parents = await git.parents(head);
  const [first] = parents;
  if (first === undefined) {
    if (await git.isCutOff(head)) {
      throw new BotError('git', `the parent of commit ${head.slice(0, 12)} isn't in this clone`, {
        hint: SHALLOW,
      });
    }
    return { ends: { base: null, head }, parents: [git.repository.emptyTree], notices: [] };
  }
  return {
    ends: { base: first, head },
    parents,
    notices:
      parents.length === 1
        ? []
        : ['a merge commit: only lines that differ from every parent are reviewed'],
  };
}

/** What is staged, otherwise the branch since its upstream, otherwise the last commit. */
async function byDefault(git: Git): Promise<Resolved> {
  const { head, top } = git.repository;
  if (top !== undefined && (await git.hasStagedChange())) return staged(git);
  if (head === undefined) {
    if (top !== undefined) return staged(git);
    throw new BotError('git', 'this repository has no commit yet');
  }
  const upstream = await git.upstream();
  const base = upstream === undefined ? undefined : await git.mergeBase(upstream, head);
  if (base === undefined || base === head) return commit(head, git);
  return { ends: { base, head }, parents: [base], notices: [] };
}

/** What was reviewed, in the words of the command line: `staged changes`, `main...HEAD`. */
export async function changeName(
  { selector, pull }: Pick<Task, 'selector' | 'pull'>,
  { base, head }: ChangeEnds,
  context: GitContext,
): Promise<string> {
  if (head === 'stdin') return 'the diff on standard input';
  if (head === 'index') return 'staged changes';
  if (pull !== null) return `pull request #${pull} (${short(base ?? '')}...${short(head)})`;
  if (selector.kind === 'range') {
    return `${short(selector.from)}${selector.symmetric ? '...' : '..'}${short(selector.to)}`;
  }
  const branch = selector.kind === 'default' ? await branchName(base, head, context) : undefined;
  return branch ?? `commit ${short(head)}`;
}

/** A full id, abbreviated like git does; other names unchanged. */
const short = (name: string): string => (/^[0-9a-f]{40,64}$/.test(name) ? name.slice(0, 7) : name);

/** The default is the branch since its upstream, or its last commit. */
async function branchName(
  base: string | null,
  head: string,
  context: GitContext,
): Promise<string | undefined> {
  for (const upstream of ['@{upstream}', 'origin/HEAD']) {
    const named = await printed(context, ['rev-parse', '--abbrev-ref', upstream, '--']);
    const [name = ''] = named.split('\n');
    const start = name === '' ? '' : await printed(context, ['merge-base', name, head]);
    if (start.trim() === base) return `${name}...HEAD`;
  }
  return undefined;
}

async function printed(context: GitContext, args: readonly string[]): Promise<string> {
  const { code, stdout } = await runGit(context, args);
  return code === 0 ? stdout.toString('utf8') : '';
}
