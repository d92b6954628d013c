import { lstatSync, readFileSync, readlinkSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { BotError } from '../core/bot-error.js';
import { field, parseJson, stringOf } from '../core/json-fields.js';
import { nearest } from '../core/nearest.js';
import { fromStart, gitEnvironment } from '../git/flags.js';
import type { Repository } from '../git/git.js';
import { describeRepository, namedGitDir } from '../git/repository.js';
import { type GitContext, gitFailure, runGit } from '../git/spawn.js';
import type { Environment } from '../platform/processes.js';
import { isAtLeast, printedBy } from '../platform/run-program.js';
import { forTerminal } from '../platform/safe-text.js';

/** The hooks that apfel-bot can run in. */
export const HOOK_NAMES = [
  'pre-commit',
  'post-commit',
  'post-rewrite',
  'pre-push',
  'prepare-commit-msg',
] as const;

export type HookName = (typeof HOOK_NAMES)[number];

export const DEFAULT_HOOKS: readonly HookName[] = ['pre-commit', 'post-commit', 'post-rewrite'];

/** Git passes these their data on standard input, which can be read only once. */
export const readsStdin = (hook: HookName): boolean =>
  hook === 'post-rewrite' || hook === 'pre-push';

/** Git stops when one of these fails; it ignores failures of the others. */
export const canBlock = (hook: HookName): boolean => hook.startsWith('pre');

/** `--hooks LIST`: names with commas or spaces between them, in any order, each once. */
export function hookNames(list: string): readonly HookName[] {
  const wanted = list.split(/[\s,]+/).filter(Boolean);
  for (const name of wanted) {
    if (!isHookName(name)) throw unknownHook(name);
  }
  if (wanted.length === 0) {
    throw new BotError('usage', '--hooks names no hook', { hint: `Choose from: ${known}` });
  }
  return HOOK_NAMES.filter(name => wanted.includes(name));
}

const known = HOOK_NAMES.join(', ');

const isHookName = (name: string): name is HookName => HOOK_NAMES.some(hook => hook === name);

function unknownHook(name: string): BotError {
  const meant = nearest(name.slice(0, MAX_WORD), HOOK_NAMES);
  const hint = meant === undefined ? `Choose from: ${known}` : `Did you mean ${meant}?`;
  return new BotError('usage', `unknown hook ${JSON.stringify(name.slice(0, MAX_WORD))}`, {
    hint,
  });
}

/** Longer words aren't typos, and comparing them takes time. */
const MAX_WORD = 60;

/** A path for people: relative to the work tree if it is in there. */
export const shownPath = (path: string, top: string | undefined): string =>
  forTerminal(top !== undefined && path.startsWith(`${top}/`) ? path.slice(top.length + 1) : path);

/** What install bases its decisions on, from the disk and git's configuration. */
export interface HookFacts {
  /** The top of the work tree; undefined in a bare repository. */
  readonly top: string | undefined;
  /** The git directory that all worktrees share. */
  readonly commonDir: string;
  /** Where git looks for hooks here. */
  readonly folder: HookFolder;
  /** The repository's own folder when git looks elsewhere: old shims may still be there. */
  readonly unused: HookFolder | undefined;
  readonly managers: readonly ManagerFacts[];
}

export interface HookFolder {
  /** Absolute. */
  readonly path: string;
  /** Who set `core.hooksPath`; `none` when nobody did. */
  readonly setBy: 'none' | 'repository' | 'global' | 'system';
  /** In the git directory or the work tree, after following links. */
  readonly isInside: boolean;
  /** Has files that git tracks, so a change reaches everyone. */
  readonly isTracked: boolean;
  readonly files: Readonly<Record<HookName, HookFiles>>;
}

/** A hook and the hooks that were renamed to make room for it. */
export interface HookFiles {
  readonly now: HookFile;
  /** The hook that we renamed. */
  readonly before: HookFile;
  /** The hook that the pre-commit framework renamed; it still runs it. */
  readonly legacy: HookFile;
}

export type HookFile =
  | { readonly kind: 'absent' }
  /** A folder, a socket: something that git can't run. */
  | { readonly kind: 'odd' }
  | {
      readonly kind: 'file';
      /** Undefined when it isn't text or can't be read. */
      readonly text: string | undefined;
      readonly isExecutable: boolean;
      /** Its target if it is a symbolic link. */
      readonly target: string | undefined;
    };

export type ManagerFacts = HuskyFacts | ConfigFacts;

export interface HuskyFacts {
  readonly manager: 'husky';
  /** Absolute; the folder that holds the user's hooks. */
  readonly path: string;
  readonly isInside: boolean;
  readonly isTracked: boolean;
  readonly files: Readonly<Record<HookName, HookFile>>;
}

export interface ConfigFacts {
  readonly manager: 'lefthook' | 'pre-commit' | 'simple-git-hooks';
  /** Absolute, after following links. */
  readonly path: string;
  readonly isInside: boolean;
  readonly isTracked: boolean;
  readonly format: ConfigFormat;
  /** Undefined when it isn't text or can't be read. */
  readonly text: string | undefined;
  /** The name of the stage; releases of the pre-commit framework differ in it. */
  readonly stage: CommitStage;
}

export type CommitStage = 'commit' | 'pre-commit';

export type ConfigFormat = 'yaml' | 'toml' | 'json';

/** The command that makes git call a manager that it doesn't call yet, or call its new hooks. */
export const START = {
  husky: 'npx husky',
  lefthook: 'npx lefthook install',
  'pre-commit': 'pre-commit install',
  'simple-git-hooks': 'npx simple-git-hooks',
} as const;

/** Text that identifies each manager's own hooks. */
export const SIGNS = {
  lefthook: 'call_lefthook',
  'pre-commit': 'File generated by pre-commit',
  'simple-git-hooks': 'SKIP_SIMPLE_GIT_HOOKS',
} as const;

/** The suffix that an existing hook gets; it stays in the same folder. */
export const BEFORE = '.before-apfel-bot';

const ENDINGS: ReadonlyArray<readonly [ending: string, format: ConfigFormat]> = [
  ['yml', 'yaml'],
  ['yaml', 'yaml'],
  ['json', 'json'],
  ['jsonc', 'json'],
  ['toml', 'toml'],
];

/** What lefthook reads: the first of these that exists. */
const LEFTHOOK_FILES: ReadonlyArray<readonly [name: string, format: ConfigFormat]> =
  ENDINGS.flatMap(([ending, format]) =>
    ['lefthook', '.lefthook', '.config/lefthook'].map(
      name => [`${name}.${ending}`, format] as const,
    ),
  );

const PRE_COMMIT_FILE = '.pre-commit-config.yaml';

export interface HookFactsOptions {
  readonly cwd: string;
  readonly env: Environment;
  readonly signal: AbortSignal;
}

export async function readHookFacts(options: HookFactsOptions): Promise<HookFacts> {
  const context: GitContext = {
    cwd: options.cwd,
    env: gitEnvironment(fromStart(options.env, options.cwd), 'user'),
    gitDir: options.env['GIT_DIR'] === undefined ? namedGitDir(options.cwd) : undefined,
    signal: options.signal,
  };
  const repository = await describeRepository(context);
  const reader: Reader = { context, repository, roots: rootsOf(repository), options };
  const setting = await hooksPath(context);
  const own = join(repository.commonDir, 'hooks');
  const path =
    setting === undefined ? own : resolve(repository.top ?? repository.gitDir, setting.value);
  const folder = await readFolder(reader, path, setting);
  return {
    top: repository.top,
    commonDir: repository.commonDir,
    folder,
    unused: folder.path === own ? undefined : await readFolder(reader, own, undefined),
    managers: await readManagers(reader, folder.path),
  };
}

interface Reader {
  readonly context: GitContext;
  readonly repository: Repository;
  /** The folders that make up the repository, after following links. */
  readonly roots: readonly string[];
  readonly options: HookFactsOptions;
}

/** In a linked worktree, the main work tree belongs to the repository too. */
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

/** The last value wins, except the one that we pass to turn hooks off for our own git. */
async function hooksPath(context: GitContext): Promise<HooksPath | undefined> {
  const args = ['config', '--get-all', '--show-scope', '--type=path', '-z', 'core.hooksPath'];
  const { code, stdout, stderr } = await runGit(context, args);
  if (code !== 0) throw gitFailure(args, stderr);
  const fields = stdout.toString('utf8').split('\0');
  let found: HooksPath | undefined;
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [scope = '', value = ''] = fields.slice(at, at + 2);
    if (scope !== 'command') found = { scope, value };
  }
  return found;
}

async function readFolder(
  reader: Reader,
  path: string,
  setting: HooksPath | undefined,
): Promise<HookFolder> {
  return {
    path,
    setBy: setBy(setting?.scope),
    // An empty value names no folder.
    isInside: setting?.value !== '' && isInside(reader, path),
    isTracked: await isTracked(reader, path),
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

async function readManagers(reader: Reader, folder: string): Promise<ManagerFacts[]> {
  const { top } = reader.repository;
  if (top === undefined) return [];
  const lefthook = LEFTHOOK_FILES.find(([name]) => isFile(join(top, name)));
  const found: Array<ManagerFacts | undefined> = [
    await readHusky(reader, folder, join(top, '.husky')),
    lefthook === undefined ? undefined : await readConfig(reader, 'lefthook', lefthook),
    isFile(join(top, PRE_COMMIT_FILE))
      ? await readConfig(reader, 'pre-commit', [PRE_COMMIT_FILE, 'yaml'])
      : undefined,
    await readSimple(reader, top),
  ];
  return found.filter(manager => manager !== undefined);
}

/** husky has git look in `.husky/_`, older ones in `.husky`; in a monorepo it may be in a subfolder. */
async function readHusky(
  reader: Reader,
  folder: string,
  usual: string,
): Promise<HuskyFacts | undefined> {
  const named = [dirname(folder), folder].find(path => basename(path) === '.husky');
  const path = named ?? usual;
  if (!isFolder(path) && !startsHusky(dirname(usual))) return undefined;
  return {
    manager: 'husky',
    path,
    isInside: isInside(reader, path),
    isTracked: await isTracked(reader, path),
    files: forEachHook(hook => readHookFile(join(path, hook))),
  };
}

/** Whether the next installation of packages will have git call husky, from release 9 if only listed. */
function startsHusky(project: string): boolean {
  const manifest = parseJson(readHookText(join(project, 'package.json')) ?? '');
  const texts = (holder: string, names: readonly string[]): string[] =>
    names.flatMap(name => stringOf(field(field(manifest, holder), name)) ?? []);
  return (
    texts('scripts', ['prepare', 'postinstall']).some(script => /\bhusky\b/.test(script)) ||
    ['devDependencies', 'dependencies']
      .flatMap(kind => texts(kind, ['husky']))
      .some(version => Number(/\d{1,6}/.exec(version)?.[0] ?? HUSKY_9) >= HUSKY_9)
  );
}

/** Older ones are set up in other ways. */
const HUSKY_9 = 9;

/** simple-git-hooks reads its own files first; those that are programs can't be edited. */
async function readSimple(reader: Reader, top: string): Promise<ConfigFacts | undefined> {
  const own = ['.simple-git-hooks.json', 'simple-git-hooks.json'].find(name =>
    isFile(join(top, name)),
  );
  const manifest = own === undefined ? (readHookText(join(top, 'package.json')) ?? '') : '';
  if (own === undefined && !/"simple-git-hooks"\s*:\s*\{/.test(manifest)) return undefined;
  return readConfig(reader, 'simple-git-hooks', [own ?? 'package.json', 'json']);
}

async function readConfig(
  reader: Reader,
  manager: ConfigFacts['manager'],
  [name, format]: readonly [name: string, format: ConfigFormat],
): Promise<ConfigFacts> {
  const path = realOf(join(reader.repository.top ?? '', name));
  return {
    manager,
    path,
    format,
    isInside: isInside(reader, path),
    isTracked: await isTracked(reader, path),
    text: readHookText(path),
    stage: manager === 'pre-commit' ? await commitStage(reader.options) : 'commit',
  };
}

/** Has files in it, or is one, that git tracks. */
async function isTracked(reader: Reader, path: string): Promise<boolean> {
  const { top } = reader.repository;
  if (top === undefined || !isBelow(realOf(path), realOf(top))) return false;
  const args = ['ls-files', '-z', '--', relative(realOf(top), realOf(path)) || '.'];
  const { code, stdout, stderr } = await runGit({ ...reader.context, cwd: top }, args);
  if (code !== 0) throw gitFailure(args, stderr);
  return stdout.length > 0;
}

const isInside = (reader: Reader, path: string): boolean =>
  reader.roots.some(root => isBelow(realOf(path), root));

const isBelow = (path: string, root: string): boolean =>
  path === root || path.startsWith(`${root}/`);

const forEachHook = <Value>(read: (hook: HookName) => Value): Record<HookName, Value> =>
  // The keys are the hook names, which the type of fromEntries can't express.
  Object.fromEntries(HOOK_NAMES.map(hook => [hook, read(hook)])) as Record<HookName, Value>;

/** A broken link counts as a file: it is in the way. */
const isFile = (path: string): boolean => lstatOf(path)?.isDirectory() === false;

const isFolder = (path: string): boolean => statOf(path)?.isDirectory() === true;

/** Longer than any hook or configuration that people write. */
const MAX_BYTES = 1024 * 1024;

export function readHookFile(path: string): HookFile {
  const own = lstatOrThrow(path);
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

/** Undefined when it isn't text, is far too long, or can't be read. */
export function readHookText(path: string): string | undefined {
  const stats = statOf(path);
  // Reading a pipe would wait forever.
  if (stats === undefined || !stats.isFile() || stats.size > MAX_BYTES) return undefined;
  try {
    const bytes = readFileSync(path);
    if (bytes.includes(0)) return undefined;
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function lstatOrThrow(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new BotError('git', `can't read ${path}: ${String(code)}`, {
      hint: 'Check the permissions of its folder',
      cause: thrown,
    });
  }
}

/** The real path; for one that doesn't exist yet, of the part that exists. */
export function realOf(path: string, hops = MAX_HOPS): string {
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

/** As many links in a row as Linux follows. */
const MAX_HOPS = 40;

const lstatOf = (path: string): Stats | undefined => attempt(() => lstatSync(path));

const statOf = (path: string): Stats | undefined => attempt(() => statSync(path));

function attempt(read: () => Stats): Stats | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** The first release with the new stage name; 4.0 warns about the old one. */
const RENAMED_IN = '3.2';
/** Python usually starts in a quarter of a second, but far slower on a busy machine. */
const MAX_MS = 5_000;

/** The name of the commit stage in the pre-commit framework on this machine. */
export async function commitStage({
  env,
  signal,
}: Pick<HookFactsOptions, 'env' | 'signal'>): Promise<CommitStage> {
  const printed = await printedBy('pre-commit', ['--version'], {
    env: { PATH: env['PATH'] ?? '' },
    bound: { ms: MAX_MS, signal },
  });
  const [version] = /\d{1,6}\.\d{1,6}/.exec((printed ?? '').slice(0, 1000)) ?? [];
  // All releases understand the old name.
  return version !== undefined && isAtLeast(version, RENAMED_IN) ? 'pre-commit' : 'commit';
}
