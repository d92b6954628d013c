import type { ChangeEnds } from '../core/change.js';
import type { Task } from '../core/task.js';
import type { Git } from '../git/git.js';
import { type GitContext, runGit } from '../git/spawn.js';

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

/** A full id as git abbreviates it; a name as it is. */
const short = (name: string): string => (/^[0-9a-f]{40,64}$/.test(name) ? name.slice(0, 7) : name);

/** By default the branch since its upstream is reviewed, else its last commit. */
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

/**
 * How many files have changes that aren't staged. Text is compared without filters, because one could
 * run a program of the repository's configuration; where a filter applies, size and time decide.
 */
export async function unstagedFiles(git: Git, context: GitContext): Promise<number> {
  const { top } = git.repository;
  if (top === undefined) return 0;
  const place = { ...context, cwd: top };
  const asked = ['diff-files', '--raw', '--no-abbrev', '-z', '--ignore-submodules=all'];
  const fields = (await printed(place, asked)).split('\0');
  const changed = new Map<string, string>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [oldMode = '', newMode = '', blob = '', , status = ''] = (fields[at] ?? '').split(' ');
    const isTextAlone = status === 'M' && oldMode === `:${newMode}` && /^10/.test(newMode);
    changed.set(fields[at + 1] ?? '', isTextAlone ? blob : '');
  }
  const maybe = [...changed].filter(([, blob]) => blob !== '').slice(0, MOST_COMPARED);
  if (maybe.length === 0) return changed.size;
  const paths = maybe.map(([path]) => path);
  const hashes = await printed(place, ['hash-object', '--no-filters', '--', ...paths]);
  const now = hashes.trim().split('\n');
  return changed.size - maybe.filter(([, blob], at) => blob === now[at]).length;
}

/** With more, the exact number doesn't matter. */
const MOST_COMPARED = 50;

async function printed(context: GitContext, asked: readonly string[]): Promise<string> {
  const { code, stdout } = await runGit(context, asked);
  return code === 0 ? stdout.toString('utf8') : '';
}
