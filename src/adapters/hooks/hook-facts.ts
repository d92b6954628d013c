import { basename, dirname, join, relative, resolve } from 'node:path';
import type {
  ConfigFacts,
  ConfigFormat,
  HookFacts,
  HookFolder,
  HuskyFacts,
  ManagerFacts,
} from '../../hooks/hook-facts.js';
import { HOOK_NAMES, type HookName } from '../../hooks/hook-name.js';
import { LEFTHOOK_FILES } from '../../hooks/lefthook.js';
import { PRE_COMMIT_FILE } from '../../hooks/pre-commit-framework.js';
import { BEFORE } from '../../hooks/shim.js';
import type { Repository } from '../../world.js';
import { type Environment, fromStart, gitEnvironment } from '../git/git-flags.js';
import { describeRepository, namedGitDir } from '../git/git-repository.js';
import { type GitSpot, gitFailure, runGit } from '../git/git-spawn.js';
import { readHookFile, readHookText } from './hook-file.js';
import { lstatOf, realOf, statOf } from './hook-path.js';
import { commitStage } from './hook-stage.js';

export interface HookFactsOptions {
  readonly cwd: string;
  readonly env: Environment;
  readonly signal: AbortSignal;
}

/** Looks at the repository and changes nothing. */
export async function readHookFacts(options: HookFactsOptions): Promise<HookFacts> {
  const spot: GitSpot = {
    cwd: options.cwd,
    env: gitEnvironment(fromStart(options.env, options.cwd), 'user'),
    gitDir: options.env['GIT_DIR'] === undefined ? namedGitDir(options.cwd) : undefined,
    signal: options.signal,
  };
  const repository = await describeRepository(spot);
  const look: Look = { spot, repository, roots: rootsOf(repository), options };
  const setting = await hooksPath(spot);
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
  readonly spot: GitSpot;
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
async function hooksPath(spot: GitSpot): Promise<HooksPath | undefined> {
  const asked = ['config', '--get-all', '--show-scope', '--type=path', '-z', 'core.hooksPath'];
  const { code, stdout, stderr } = await runGit(spot, asked);
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
  const { code, stdout, stderr } = await runGit({ ...look.spot, cwd: top }, asked);
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
