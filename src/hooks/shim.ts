import { BEFORE, canBlock, type HookFile, type HookName, readsStdin } from './facts.js';

/** Where the hooks look for the program, as `install` found it. */
export type Lookup = 'local' | 'global';

/**
 * The script that git starts. `hooks/` in the package has the same text to copy by hand, which looks
 * in both places. A release that changes it must still recognise the text of earlier releases.
 */
export const shim = (hook: HookName, lookup?: Lookup): string =>
  [...head(hook), ...body(hook, lookup), ''].join('\n');

/** The same with an existing hook, which runs first under its new name. */
export const chainedShim = (hook: HookName, lookup?: Lookup): string =>
  [...head(hook), ...earlierHook(hook), ...body(hook, lookup), ''].join('\n');

/** `changed`: has our header, but somebody or another release changed the rest. */
type ShimKind = 'plain' | 'chained' | 'changed' | 'other';

export function shimKind(text: string | undefined, hook: HookName): ShimKind {
  if (text === undefined) return 'other';
  const lookup = lookupIn(text);
  if (text === shim(hook, lookup)) return 'plain';
  if (text === chainedShim(hook, lookup)) return 'chained';
  return text.startsWith(`#!/bin/sh\n# apfel-bot ${hook} `) ? 'changed' : 'other';
}

/** What `install` recorded in a shim. */
export const lookupIn = (text: string): Lookup | undefined =>
  LOOKUPS.find(lookup => text.includes(`\nlookup=${lookup};`));

const LOOKUPS: readonly Lookup[] = ['local', 'global'];

export const isShim = (file: HookFile, hook: HookName): boolean =>
  file.kind === 'file' && ['plain', 'chained'].includes(shimKind(file.text, hook));

const head = (hook: HookName): string[] => [
  '#!/bin/sh',
  `# apfel-bot ${hook} hook. Skip it once with APFEL_BOT=0; take it out with: apfel-bot uninstall`,
];

/**
 * Ten lines with the two above. A desktop client starts git without the user's PATH, hence the
 * places where Node usually is; they come last, so that a node on the PATH wins, and in reverse, so
 * that the newest of several versions does. One that is too old starts the next by itself
 * (`scripts/old-node.cjs`). It must also work under `sh -e`, which is how husky runs it.
 */
const body = (hook: HookName, lookup: Lookup | undefined): string[] => [
  `lookup=${lookup ?? 'any'}; [ "$APFEL_BOT" != 0 ] || exit 0`,
  ...search(program => `exec ${program} hook ${hook} "$@"`),
  'if ! command -v node >/dev/null; then why="no node found to run it"; fix="see: brew install node"; elif [ "$lookup" != global ] && [ -f "$at/cli.cjs" ]; then why="not run, because files in $root/node_modules are tracked or not yours"; fix="see: git ls-files node_modules"; else why="not found"; fix="run npm install, or remove this hook"; fi; echo "apfel-bot: $why, so nothing was reviewed; $fix" >&2',
];

/**
 * What npm installs isn't tracked; a program that came with the branch is the branch's own, and so is
 * one that a tracked file was added to, or that is in a repository inside this one. The hook's variables
 * name another index, and in a linked worktree another repository. Where git can't say, it isn't run.
 * Above the repository, for which git has asked about the owner, it must be the user's own or root's:
 * anybody can make /tmp/node_modules.
 */
const UNTRACKED = `unset GIT_DIR GIT_INDEX_FILE GIT_WORK_TREE; git="git -c core.fsmonitor=false -c safe.bareRepository=explicit"; cd "$root" && { [ "$root" != "$top" ] || [ "$root" = "$OLDPWD" ] || [ -O node_modules ] || [ "$(find node_modules -prune -user 0)" ]; } && [ -z "$($git ls-files ":(icase)node_modules" 2>/dev/null || { [ ! -e .git ] || echo unknown; })" ] && here=$(pwd -P) && cd node_modules/apfel-bot && case $(pwd -P) in "$here"/*) [ -z "$($git ls-files . 2>/dev/null)" ] ;; esac`;

/**
 * Sets `bot` to the program on the PATH. One in the work tree, or in a folder without a full path, may
 * be the branch's own, whatever put it on the PATH. The patterns have both parentheses for bash 3.2.
 */
const ON_PATH = `bot=$(IFS=:; set -f; for bin in $PATH; do case $bin/ in ("$PWD"/*) ;; (/*) [ ! -x "$bin/apfel-bot" ] || { echo "$bin/apfel-bot"; break; } ;; esac; done) && [ "$bot" ]`;

const started = (program: string, place: Lookup): string =>
  `${program} --version >/dev/null && echo ${place} && exit`;

/** Prints where hooks with this record would find the program, having started it; nothing if they would not. */
export const lookupScript = (lookup: Lookup | undefined): string =>
  [`lookup=${lookup ?? 'any'}`, ...search(started)].join('\n');

/** The same for the line in a hook manager's file, which may call the package's own hook. */
export const lineLookupScript = (): string =>
  `${found('pre-commit', lookupScript(undefined), started('"$bot"', 'global'))} fi`;

/** A local program is in `node_modules` here, in a folder above, or in the main worktree. */
function search(start: (program: string, place: Lookup) => string): string[] {
  return [
    'for bin in ~/.local/bin ~/n/bin /nix/var/nix/profiles/default/bin ~/.nix-profile/bin ~/Library/pnpm ~/.proto/shims ~/.nodenv/shims ~/.asdf/shims ~/.local/share/mise/shims /usr/local/bin /opt/homebrew/bin ~/.volta/bin ~/.local/share/mise/installs/node/latest/bin \\',
    '  ~/.local/share/fnm/aliases/default/bin ~/Library/Application\\ Support/fnm/aliases/default/bin ~/Library/Application\\ Support/Herd/config/nvm/versions/node/v[2-9][0-9].*/bin ~/.nvm/versions/node/v[2-9][0-9].*/bin; do more=$bin:$more; done; PATH=$PATH:$more',
    `top=$PWD; until [ -z "$top" ] || [ -f "$top/node_modules/apfel-bot/dist/cli.cjs" ]; do top=\${top%/*}; done`,
    `root=\${top:-$(git rev-parse --git-common-dir || echo .)/..}; at=$root/node_modules/apfel-bot/dist`,
    `[ "$lookup" != global ] && command -v node >/dev/null && [ -f "$at/cli.cjs" ] && (${UNTRACKED}) && ${start('node "$at/cli.cjs"', 'local')}`,
    `[ "$lookup" != local ] && command -v node >/dev/null && ${ON_PATH} && ${start('"$bot"', 'global')}`,
  ];
}

/** Standard input can be read only once, and both hooks need it. */
function earlierHook(hook: HookName): string[] {
  const before = `before=\${0%/*}/${hook}${BEFORE}`;
  const failed = canBlock(hook) ? 'exit' : ':';
  if (!readsStdin(hook)) return [before, `[ ! -x "$before" ] || "$before" "$@" || ${failed}`];
  return [
    before,
    'said=$(cat)',
    `[ ! -x "$before" ] || { [ -z "$said" ] || printf '%s\\n' "$said"; } | "$before" "$@" || ${failed}`,
    '[ -z "$said" ] || exec <<END',
    '$said',
    'END',
  ];
}

/**
 * One line of shell for other people's hooks and configurations. It lets git go on where the
 * program is missing, works under `sh -e`, and has no single quote, colon-space or ` #`, so that it
 * needs no quoting in YAML, TOML and `sh -c '…'`.
 */
export const callLine = (hook: HookName, args: string): string =>
  `${call(hook, args)} else echo "apfel-bot is not installed here, so nothing was reviewed" >&2; fi`;

/** For a hook shared by many repositories: silent where the program is missing. */
export const quietCallLine = (hook: HookName, args: string): string => `${call(hook, args)} fi`;

/** For a hook in another language. */
export const callInstruction = (hook: HookName): string =>
  `make it run \`apfel-bot hook ${hook}\` with its own arguments and input (Python: subprocess.run, Node: spawnSync), and exit with the same code`;

/** Whether a line that isn't a comment calls us; people add such lines too. */
export const callsUs = (text: string, hook: HookName): boolean =>
  text
    .split('\n')
    .some(
      line =>
        !line.trimStart().startsWith('#') &&
        [`apfel-bot hook ${hook}`, `${PACKAGED}/${hook}`].some(call => line.includes(call)),
    );

function call(hook: HookName, args: string): string {
  const more = args === '' ? '' : ` ${args}`;
  return found(hook, `sh ${PACKAGED}/${hook}${more}`, `"$bot" hook ${hook}${more}`);
}

const PACKAGED = 'node_modules/apfel-bot/hooks';

const found = (hook: HookName, local: string, global: string): string =>
  `if [ -f ${PACKAGED}/${hook} ] && [ -z "$(git ls-files ":(icase)node_modules" || echo unknown)" ]; then ${local}; elif ${ON_PATH}; then ${global};`;
