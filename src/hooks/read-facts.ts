import { lstatSync, readFileSync, readlinkSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { BotError } from '../core/bot-error.js';
import { fromStart, gitEnvironment } from '../git/flags.js';
import type { Repository } from '../git/git.js';
import { describeRepository, namedGitDir } from '../git/repository.js';
import { type GitContext, gitFailure, runGit } from '../git/spawn.js';
import type { Environment } from '../platform/processes.js';
import { isAtLeast, printedBy } from '../platform/run-program.js';
import {
  type CommitStage,
  type ConfigFacts,
  type ConfigFormat,
  HOOK_NAMES,
  type HookFacts,
  type HookFile,
  type HookFolder,
  type HookName,
  type HuskyFacts,
  type ManagerFacts,
} from './facts.js';
import { LEFTHOOK_FILES } from './lefthook.js';
import { PRE_COMMIT_FILE } from './pre-commit-framework.js';
import { BEFORE } from './shim.js';

export interface HookFactsOptions {
  readonly cwd: string;
  readonly env: Environment;
  readonly signal: AbortSignal;
}

/** Looks at the repository and changes nothing. */
export async function readHookFacts(options: HookFactsOptions): Promise<HookFacts> {
  const context: GitContext = {
    cwd: options.cwd,
    env: gitEnvironment(fromStart(options.env, options.cwd), 'user'),
    gitDir: options.env['GIT_DIR'] === undefined ? namedGitDir(options.cwd) : undefined,
    signal: options.signal,
  };
  const repository = await describeRepository(context);
  const look: Look = { context, repository, roots: rootsOf(repository), options };
  const setting = await hooksPath(context);
  const own = join(repository.commonDir, 'hooks');
  const path =
    setting === undefined ? own : resolve(repository.top ?? repository.gitDir, setting.value);
  const folder = await readFolder(look, path, setting);
  return {
    top: repository.top,
    commonDir: repository.commonDir,
    folder,
    unused: folder.path === own ? undefined : await readFolder(look, own, undefined),
    managers: await readManagers(look, folder.path),
  };
}

interface Look {
  readonly context: GitContext;
  readonly repository: Repository;
  /** The folders that make up the repository, links followed. */
  readonly roots: readonly string[];
  readonly options: HookFactsOptions;
}

/** In a linked worktree the main checkout belongs to the repository too. */
function rootsOf({ top, gitDir, commonDir }: Repository): string[] {
  const main = basename(commonDir) === '.git' ? [dirname(commonDir)] : [];
  return [...(top === undefined ? [] : [top]), gitDir, commonDir, ...main].map(root =>
    realOf(root),
  );
}

interface HooksPath {
  readonly scope: string;
  readonly value: string;
}

/** The last value counts; ours, which switches hooks off for our own git, comes after it. */
async function hooksPath(context: GitContext): Promise<HooksPath | undefined> {
  const asked = ['config', '--get-all', '--show-scope', '--type=path', '-z', 'core.hooksPath'];
  const { code, stdout, stderr } = await runGit(context, asked);
  if (code !== 0) throw gitFailure(asked, stderr);
  const fields = stdout.toString('utf8').split('\0');
  let found: HooksPath | undefined;
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [scope = '', value = ''] = fields.slice(at, at + 2);
    if (scope !== 'command') found = { scope, value };
  }
  return found;
}

async function readFolder(
  look: Look,
  path: string,
  setting: HooksPath | undefined,
): Promise<HookFolder> {
  return {
    path,
    setBy: setBy(setting?.scope),
    // Git makes no folder of an empty value.
    isInside: setting?.value !== '' && isInside(look, path),
    isTracked: await isTracked(look, path),
    files: forEachHook(hook => ({
      now: readHookFile(join(path, hook)),
      before: readHookFile(join(path, hook + BEFORE)),
      legacy: readHookFile(join(path, `${hook}.legacy`)),
    })),
  };
}

function setBy(scope: string | undefined): HookFolder['setBy'] {
  if (scope === undefined) return 'none';
  return scope === 'global' || scope === 'system' ? scope : 'repository';
}

async function readManagers(look: Look, folder: string): Promise<ManagerFacts[]> {
  const { top } = look.repository;
  if (top === undefined) return [];
  const lefthook = LEFTHOOK_FILES.find(([name]) => isFile(join(top, name)));
  const found: Array<ManagerFacts | undefined> = [
    await readHusky(look, folder, join(top, '.husky')),
    lefthook === undefined ? undefined : await readConfig(look, 'lefthook', lefthook),
    isFile(join(top, PRE_COMMIT_FILE))
      ? await readConfig(look, 'pre-commit', [PRE_COMMIT_FILE, 'yaml'])
      : undefined,
  ];
  return found.filter(manager => manager !== undefined);
}

/** husky has git look in `.husky/_`, older ones in `.husky`; in a monorepo it may lie deeper. */
async function readHusky(
  look: Look,
  folder: string,
  usual: string,
): Promise<HuskyFacts | undefined> {
  const named = [dirname(folder), folder].find(path => basename(path) === '.husky');
  const path = named ?? usual;
  if (!isFolder(path)) return undefined;
  return {
    manager: 'husky',
    path,
    isInside: isInside(look, path),
    isTracked: await isTracked(look, path),
    files: forEachHook(hook => readHookFile(join(path, hook))),
  };
}

async function readConfig(
  look: Look,
  manager: ConfigFacts['manager'],
  [name, format]: readonly [name: string, format: ConfigFormat],
): Promise<ConfigFacts> {
  const path = realOf(join(look.repository.top ?? '', name));
  return {
    manager,
    path,
    format,
    isInside: isInside(look, path),
    isTracked: await isTracked(look, path),
    text: readHookText(path),
    stage: manager === 'pre-commit' ? await commitStage(look.options) : 'commit',
  };
}

/** Has files in it, or is one, that git tracks. */
async function isTracked(look: Look, path: string): Promise<boolean> {
  const { top } = look.repository;
  if (top === undefined || !isBelow(realOf(path), realOf(top))) return false;
  const asked = ['ls-files', '-z', '--', relative(realOf(top), realOf(path)) || '.'];
  const { code, stdout, stderr } = await runGit({ ...look.context, cwd: top }, asked);
  if (code !== 0) throw gitFailure(asked, stderr);
  return stdout.length > 0;
}

const isInside = (look: Look, path: string): boolean =>
  look.roots.some(root => isBelow(realOf(path), root));

const isBelow = (path: string, root: string): boolean =>
  path === root || path.startsWith(`${root}/`);

const forEachHook = <Value>(read: (hook: HookName) => Value): Record<HookName, Value> =>
  // The keys are the hook names, which fromEntries cannot know.
  Object.fromEntries(HOOK_NAMES.map(hook => [hook, read(hook)])) as Record<HookName, Value>;

/** A link that leads nowhere is a file all the same: it is in the way. */
const isFile = (path: string): boolean => lstatOf(path)?.isDirectory() === false;

const isFolder = (path: string): boolean => statOf(path)?.isDirectory() === true;

/** Longer than any hook or configuration that people write; what is longer is not read. */
const MOST_BYTES = 1024 * 1024;

export function readHookFile(path: string): HookFile {
  const own = lookAt(path);
  if (own === undefined) return { kind: 'absent' };
  const isLink = own.isSymbolicLink();
  const stats = isLink ? statOf(path) : own;
  if (stats !== undefined && !stats.isFile()) return { kind: 'odd' };
  return {
    kind: 'file',
    text: readHookText(path),
    isExecutable: stats !== undefined && (stats.mode & 0o111) !== 0,
    target: isLink ? readlinkSync(path) : undefined,
  };
}

/** Undefined when it is not text, is far too long, or cannot be read. */
export function readHookText(path: string): string | undefined {
  const stats = statOf(path);
  // Reading a pipe would wait for ever.
  if (stats === undefined || !stats.isFile() || stats.size > MOST_BYTES) return undefined;
  try {
    const bytes = readFileSync(path);
    if (bytes.includes(0)) return undefined;
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new BotError('git', `cannot look at ${path}: ${String(code)}`, {
      hint: 'Check the permissions of its folder',
      cause: thrown,
    });
  }
}

/** With all links followed; of a path that is not there yet, as far as it is. */
export function realOf(path: string, hops = MOST_HOPS): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    if (parent === path || hops === 0) return path;
    const isLink = lstatOf(path)?.isSymbolicLink() === true;
    if (isLink) return realOf(resolve(parent, readlinkSync(path)), hops - 1);
    return join(realOf(parent, hops), basename(path));
  }
}

/** As many links in a row as Linux follows; a circle has no end. */
const MOST_HOPS = 40;

/** Of the link itself; undefined when there is nothing, or it cannot be seen. */
export const lstatOf = (path: string): Stats | undefined => attempt(() => lstatSync(path));

/** Of what a link leads to, which may be nothing. */
export const statOf = (path: string): Stats | undefined => attempt(() => statSync(path));

function attempt(look: () => Stats): Stats | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

/** The first release that knows the name of the git hook; from 4.0 on the other one is warned about. */
const RENAMED_IN = '3.2';
/** Python starts in a quarter of a second; on a busy machine it takes its time. */
const MOST_MS = 5_000;

interface Place {
  readonly env: Environment;
  readonly signal: AbortSignal;
}

/** What the pre-commit framework on this machine calls the stage of a commit. */
export async function commitStage({ env, signal }: Place): Promise<CommitStage> {
  const printed = await printedBy('pre-commit', ['--version'], {
    env: { PATH: env['PATH'] ?? '' },
    bound: { ms: MOST_MS, signal },
  });
  const [version] = /\d{1,6}\.\d{1,6}/.exec((printed ?? '').slice(0, 1000)) ?? [];
  // The old name is understood by all of them.
  return version !== undefined && isAtLeast(version, RENAMED_IN) ? 'pre-commit' : 'commit';
}
