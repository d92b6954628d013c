import { resolve } from 'node:path';
import { type Environment, usersPath } from '../platform/processes.js';

/**
 * The settings that every git process gets, so that neither the user's
 * configuration nor a hostile repository can run a program, reach the network or change the output.
 */
export const SAFE_CONFIG: ReadonlyArray<readonly [key: string, value: string]> = [
  // Programs that git would start by itself.
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.pager', 'cat'],
  // A repository with alternates would ask this program for their refs.
  ['core.alternateRefsCommand', 'true'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['log.showSignature', 'false'],
  // A bare repository planted inside the tree is not used unless named.
  ['safe.bareRepository', 'explicit'],
  // A partial clone would fetch missing objects.
  ['protocol.allow', 'never'],
  ['submodule.recurse', 'false'],
  // Settings that change what a diff looks like and have no command-line switch.
  ['core.quotePath', 'true'],
  ['core.attributesFile', '/dev/null'],
  ['core.bigFileThreshold', '512m'],
  // On macOS git would precompose the names it is given, and then not find decomposed ones.
  ['core.precomposeUnicode', 'false'],
  ['diff.suppressBlankEmpty', 'false'],
];

export const SAFE_ARGUMENTS: readonly string[] = [
  '--no-pager',
  // `git status` and friends would refresh the user's index.
  '--no-optional-locks',
  // A path is a path, never a pattern.
  '--literal-pathspecs',
  '--no-replace-objects',
  ...SAFE_CONFIG.flatMap(([key, value]) => ['-c', `${key}=${value}`]),
];

/** Those that aren't settings, for a git that gets them in its environment. */
export const SAFE_VARIABLES: Readonly<Record<string, string>> = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_LITERAL_PATHSPECS: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
};

/** Diff output that is the same whatever the user has configured. */
export const DIFF_ARGUMENTS: readonly string[] = [
  '--patch',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  // Full object ids, to read the blobs by.
  '--full-index',
  '--no-relative',
  '--find-renames=50%',
  '--find-copies=50%',
  // With more candidates than this git would spend minutes looking for renames.
  '-l1000',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '--unified=3',
  '--inter-hunk-context=0',
  '--diff-algorithm=myers',
  '--indent-heuristic',
  '--no-color-moved',
  '--ws-error-highlight=none',
  '--submodule=short',
  '--ignore-submodules=none',
  // An order file would come from the user's configuration.
  '-O/dev/null',
];

/** Variables that name the user's repository and index, most of all inside a hook. */
const USER_VIEW = new Set([
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_COMMON_DIR',
  'GIT_INDEX_FILE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
]);

/** Variables that name git's configuration files; the flags above override those. */
const CONFIG_PLACES = new Set([
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_SYSTEM',
  'GIT_CONFIG_NOSYSTEM',
  'GIT_CEILING_DIRECTORIES',
  'GIT_DISCOVERY_ACROSS_FILESYSTEM',
]);

/** Git resolves these from where it was started; we run it from the top of the work tree. */
const RELATIVE_TO_START = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_COMMON_DIR'];

/** The same environment with those made absolute. */
export function fromStart(env: Environment, cwd: string): Environment {
  const absolute: Record<string, string | undefined> = { ...env };
  for (const name of RELATIVE_TO_START) {
    const value = env[name];
    if (value !== undefined) absolute[name] = resolve(cwd, value);
  }
  return absolute;
}

/**
 * `user`: the user's or the hook's variables, `GIT_INDEX_FILE` included; for reading only.
 * `clean`: without them, for any other repository, or git would write into the user's index.
 */
export function gitEnvironment(env: Environment, view: 'user' | 'clean'): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) continue;
    const isGits = name.startsWith('GIT_');
    if (!isGits || CONFIG_PLACES.has(name) || (view === 'user' && USER_VIEW.has(name))) {
      kept[name] = value;
    }
  }
  return {
    ...kept,
    ...(kept['PATH'] === undefined ? {} : { PATH: usersPath(kept['PATH']) }),
    // Messages are matched in English.
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
  };
}

/** A fetch with these gets what was requested, and touches nothing else. */
export const QUIET_FETCH: readonly string[] = [
  '--quiet',
  '--no-tags',
  '--no-prune',
  '--no-write-fetch-head',
  '--no-recurse-submodules',
  '--no-auto-maintenance',
  '--no-write-commit-graph',
];
