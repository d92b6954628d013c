import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { BotError } from '../core/bot-error.js';
import { readRegular, writeFailure } from '../platform/files.js';
import type { Environment } from '../platform/processes.js';
import type { Repository } from './git.js';
import { firstLine, type GitContext, runGit } from './spawn.js';

/** Git knows these without storing them. */
const EMPTY_TREE: Readonly<Record<string, string>> = {
  sha1: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  sha256: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
};

/**
 * A bare repository is used only if the command was started in it, and then by name. One inside a
 * work tree came with that project's files, including its settings, and isn't used at all.
 */
export function namedGitDir(cwd: string): string | undefined {
  let bare: string | undefined;
  for (const folder of upwards(cwd)) {
    if (existsSync(join(folder, '.git'))) {
      for (const name of READ_BY_GIT) refusePipe(join(folder, name));
      if (statSync(join(folder, '.git')).isFile()) refuseForeignGitDir(folder);
      // The project's own git directory is created by git, never checked out.
      if (bare === undefined || isBelow(bare, join(folder, '.git'))) break;
      throw insideWorkTree(bare, folder);
    }
    if (bare === undefined && isGitDir(folder)) bare = folder;
  }
  return bare === cwd ? cwd : undefined;
}

/** A `.git` file may lead to a git directory, but not to one that came with other files. */
function refuseForeignGitDir(top: string): void {
  const gitDir = gitDirOf(top);
  for (const folder of upwards(dirname(gitDir))) {
    if (folder === top || !existsSync(join(folder, '.git'))) continue;
    if (!isBelow(gitDir, gitDirOf(folder))) throw insideWorkTree(gitDir, folder);
  }
}

/** `.git` itself, or what it names in a linked worktree, a submodule or a bare clone beside it. */
function gitDirOf(top: string): string {
  const own = join(top, '.git');
  if (!statSync(own).isFile()) return own;
  const [, named] = /^gitdir: (.+?)\s*$/m.exec(readRegular(own)) ?? [];
  return named === undefined ? own : resolve(top, named);
}

/** Git waits for ever for a pipe in place of one of these. */
const READ_BY_GIT = ['.git/shallow', '.git/info/attributes', '.git/info/exclude', '.gitattributes'];

function refusePipe(path: string): void {
  if (!existsSync(path) || statSync(path).isFile()) return;
  throw new BotError('git', `git cannot read ${path}: it isn't a file`, {
    hint: path.endsWith('shallow')
      ? 'Remove it, then get the missing commits: git fetch --unshallow'
      : 'Remove it, or put a file in its place',
  });
}

/** With GIT_DIR and GIT_WORK_TREE the command may be started outside the work tree. */
export function whereGitRuns(cwd: string, env: Environment): string {
  const named = env['GIT_WORK_TREE'];
  if (env['GIT_DIR'] === undefined || !named) return cwd;
  const top = resolve(cwd, named);
  return isBelow(cwd, top) || !existsSync(top) ? cwd : top;
}

function* upwards(from: string): Generator<string> {
  for (let at = from; ; at = dirname(at)) {
    yield at;
    if (at === dirname(at)) return;
  }
}

const isGitDir = (folder: string): boolean =>
  ['HEAD', 'objects', 'refs'].every(name => existsSync(join(folder, name)));

const isBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(`${folder}/`);

const insideWorkTree = (gitDir: string, top: string): BotError =>
  new BotError('git', `${gitDir} is a git directory inside the work tree of ${top}`, {
    hint: `It may have come with that project's files; if you trust it: GIT_DIR=${JSON.stringify(gitDir)} apfel-bot …`,
  });

/** In one process; HEAD comes last because it is an error on an unborn branch. */
export async function describeRepository(context: GitContext): Promise<Repository> {
  const { stdout, stderr } = await runGit(context, [
    'rev-parse',
    '--absolute-git-dir',
    '--git-common-dir',
    '--is-shallow-repository',
    '--show-object-format',
    '--is-inside-work-tree',
    '--show-prefix',
    '--show-cdup',
    'HEAD^{commit}',
    'HEAD^{tree}',
    // One line per parent, none for a first commit.
    'HEAD^@',
  ]);
  const lines = stdout.toString('utf8').split('\n');
  const [gitDir, commonDir, isShallow, format, hasWorkTree, prefix, up] = lines;
  if (gitDir === undefined || prefix === undefined) throw notARepository(context, stderr);
  // A bare repository prints fewer lines, so HEAD is found by its format.
  const ids = lines.slice(6).filter(line => /^[0-9a-f]{40,64}$/.test(line));
  const [head, headTree, ...headParents] = ids;
  const top = resolve(context.cwd, up ?? '');
  return {
    gitDir,
    commonDir: resolve(context.cwd, commonDir ?? gitDir),
    // Git treats a git directory that is both named and the current folder as a work tree.
    top: hasWorkTree === 'true' && !isBelow(top, gitDir) ? top : undefined,
    prefix,
    isShallow: isShallow === 'true',
    head,
    headTree,
    headParents,
    emptyTree: EMPTY_TREE[format ?? 'sha1'] ?? '',
    mergeHeads: mergeHeads(gitDir),
  };
}

function notARepository(context: GitContext, stderr: string): BotError {
  const message = firstLine(stderr);
  if (/dubious ownership/.test(stderr)) {
    return new BotError('git', `git does not trust ${context.cwd}: it belongs to somebody else`, {
      hint: `If you trust it: git config --global --add safe.directory ${JSON.stringify(context.cwd)}`,
    });
  }
  if (/not a git repository/.test(stderr)) {
    return new BotError('git', `${context.cwd} is not inside a git repository`, {
      hint: 'Run it inside one; only a diff can be reviewed elsewhere: apfel-bot review --stdin < FILE',
    });
  }
  return new BotError('git', `git cannot read this repository: ${message}`);
}

function mergeHeads(gitDir: string): string[] {
  const file = join(gitDir, 'MERGE_HEAD');
  if (!existsSync(file)) return [];
  try {
    return readRegular(file).split('\n').filter(Boolean);
  } catch (thrown) {
    throw writeFailure(`cannot read ${file}`, thrown);
  }
}
