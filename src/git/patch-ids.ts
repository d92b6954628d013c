import { type GitContext, runGit } from './spawn.js';
import { asObjectId } from './tree.js';

/**
 * An id for the change that each commit makes, regardless of line numbers. Commits without one,
 * such as merges, are left out; so are all of them if the changes are too large.
 */
export async function patchIds(
  context: GitContext,
  commits: readonly string[],
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  if (commits.length === 0) return ids;
  const input = Buffer.from(`${commits.map(asObjectId).join('\n')}\n`);
  try {
    const patches = await runGit(context, ['diff-tree', '--stdin', ...PATCH], input);
    if (patches.code !== 0) return ids;
    const { stdout } = await runGit(context, ['patch-id', '--stable'], patches.stdout);
    for (const line of stdout.toString('latin1').split('\n')) {
      const [patch, commit] = line.split(' ');
      if (patch && commit) ids.set(commit, patch);
    }
  } catch {
    // Without an id, the caller treats them as different.
    context.signal.throwIfAborted();
  }
  return ids;
}

const PATCH = [
  '-r',
  '-p',
  '--root',
  '--full-index',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--no-renames',
  '--binary',
  '-O/dev/null',
];
