import type { ChangeEnds } from '../core/change.js';
import type { Task } from '../core/task.js';
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

async function printed(context: GitContext, asked: readonly string[]): Promise<string> {
  const { code, stdout } = await runGit(context, asked);
  return code === 0 ? stdout.toString('utf8') : '';
}
