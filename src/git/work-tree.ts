import { type GitContext, runGit } from './spawn.js';

/**
 * The only git commands that read the user's work tree. Git may read a file through a filter, so
 * the repository's filters are off: somebody else may have configured them.
 */
async function askWorkTree(context: GitContext, args: readonly string[]): Promise<string> {
  const env = { ...context.env, ...(await withoutFilters(context)) };
  const { code, stdout } = await runGit({ ...context, env }, args);
  return code === 0 ? stdout.toString('utf8') : '';
}

/** Whether the work tree or the index differs from HEAD. Untracked files, of which there may be many, don't count. */
export const hasUncommitted = async (context: GitContext): Promise<boolean> =>
  (await askWorkTree(context, [
    'status',
    '--porcelain',
    '-z',
    '-uno',
    '--ignore-submodules=all',
  ])) !== '';

/** Files that are neither tracked nor ignored. */
export const untrackedFiles = async (context: GitContext): Promise<string[]> =>
  (await askWorkTree(context, ['ls-files', '-z', '--others', '--exclude-standard']))
    .split('\0')
    .filter(Boolean);

/** How many files have changes that aren't staged. */
export async function unstagedFiles(context: GitContext): Promise<number> {
  const args = ['diff-files', '--raw', '--no-abbrev', '-z', '--ignore-submodules=all'];
  const fields = (await askWorkTree(context, args)).split('\0');
  const changed = new Map<string, string>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [oldMode = '', newMode = '', blob = '', , status = ''] = (fields[at] ?? '').split(' ');
    const isTextAlone = status === 'M' && oldMode === `:${newMode}` && /^10/.test(newMode);
    changed.set(fields[at + 1] ?? '', isTextAlone ? blob : '');
  }
  // For git a file that is merely newer than the index counts as changed.
  const maybe = [...changed].filter(([, blob]) => blob !== '').slice(0, MAX_COMPARED);
  if (maybe.length === 0) return changed.size;
  const paths = maybe.map(([path]) => path);
  const hashes = await askWorkTree(context, ['hash-object', '--no-filters', '--', ...paths]);
  const now = hashes.trim().split('\n');
  return changed.size - maybe.filter(([, blob], at) => blob === now[at]).length;
}

/** With more, the exact number doesn't matter. */
const MAX_COMPARED = 50;

/** In the environment: a name with an equals sign can't be passed as an argument. */
async function withoutFilters(context: GitContext): Promise<Record<string, string>> {
  const args = ['config', '-z', '--show-scope', '--name-only', '--get-regexp', '^filter\\.'];
  const fields = (await runGit(context, args)).stdout.toString('utf8').split('\0');
  const drivers = new Set<string>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const key = fields[at + 1] ?? '';
    if (/^(?:local|worktree)$/.test(fields[at] ?? ''))
      drivers.add(key.slice(0, key.lastIndexOf('.')));
  }
  const settings = [...drivers].flatMap(driver => [
    [`${driver}.clean`, ''],
    [`${driver}.process`, ''],
    [`${driver}.required`, 'false'],
  ]);
  return Object.fromEntries([
    ['GIT_CONFIG_COUNT', `${settings.length}`],
    ...settings.flatMap(([key = '', value = ''], at) => [
      [`GIT_CONFIG_KEY_${at}`, key],
      [`GIT_CONFIG_VALUE_${at}`, value],
    ]),
  ]);
}
