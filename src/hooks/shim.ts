import { canBlock, type HookFile, type HookName, readsStdin } from './facts.js';

/** Where a hook that was there before is kept, in the same folder. */
export const BEFORE = '.before-apfel-bot';

/**
 * The script that git starts. `hooks/` in the package has the same text for copying by hand.
 * A release that changes it must go on recognising the text of the one before.
 */
export const shim = (hook: HookName): string => [...head(hook), ...body(hook), ''].join('\n');

/** The same after a hook that was there before: that one runs first, under its new name. */
export const chainedShim = (hook: HookName): string =>
  [...head(hook), ...earlierHook(hook), ...body(hook), ''].join('\n');

/** `changed`: carries our mark, but somebody or another release wrote a part of it. */
export type ShimKind = 'plain' | 'chained' | 'changed' | 'other';

export function shimKind(text: string | undefined, hook: HookName): ShimKind {
  if (text === undefined) return 'other';
  if (text === shim(hook)) return 'plain';
  if (text === chainedShim(hook)) return 'chained';
  return text.startsWith(`#!/bin/sh\n# apfel-bot ${hook} `) ? 'changed' : 'other';
}

export const isShim = (file: HookFile, hook: HookName): boolean =>
  file.kind === 'file' && ['plain', 'chained'].includes(shimKind(file.text, hook));

const head = (hook: HookName): string[] => [
  '#!/bin/sh',
  `# apfel-bot ${hook} hook. Skip it once with APFEL_BOT=0; take it out with: apfel-bot uninstall`,
];

/**
 * Ten lines with the two above. A desktop client starts git without the user's PATH, hence the
 * places where Node usually is; they come last, so a PATH that has a node keeps it. Versions below
 * 20 are passed over. Only `npx -c` looks for the program in the folders above this one, without
 * the network. It must also hold under `sh -e`, which is how husky runs it.
 */
const body = (hook: HookName): string[] => [
  '[ "$APFEL_BOT" != 0 ] || exit 0',
  'for bin in ~/.volta/bin /opt/homebrew/bin /usr/local/bin ~/.local/share/fnm/aliases/default/bin \\',
  '  ~/.local/share/mise/installs/node/latest/bin ~/.nvm/versions/node/v[2-9][0-9].*/bin; do PATH=$PATH:$bin; done',
  'bot=node_modules/apfel-bot/dist/cli.cjs',
  '[ -f "$bot" ] || bot=$(git rev-parse --git-common-dir || echo .)/../$bot',
  `command -v node >/dev/null && [ -f "$bot" ] && exec node "$bot" hook ${hook} "$@"`,
  `command -v node >/dev/null && bot=$(command -v apfel-bot || npx --no-install -c 'command -v apfel-bot' </dev/null 2>/dev/null) && exec "$bot" hook ${hook} "$@"`,
  "echo 'apfel-bot: not found, or no node to run it, so nothing was reviewed; see: npm install --save-dev apfel-bot' >&2",
];

/** What git says on standard input is read once and told twice. */
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
 * program is missing, keeps `sh -e` going, and holds no single quote, colon-space or ` #`, so it
 * can stand in YAML, TOML and `sh -c '…'` as it is.
 */
export const callLine = (hook: HookName, args: string): string =>
  `${found(hook, args)} else echo "apfel-bot is not installed here, so nothing was reviewed" >&2; fi`;

/** For a hook that serves many repositories: says nothing where the program is missing. */
export const quietCallLine = (hook: HookName, args: string): string => `${found(hook, args)} fi`;

/** For a hook in another language, whatever that is. */
export const callInWords = (hook: HookName): string =>
  `have it start \`apfel-bot hook ${hook}\` with its own arguments and input (Python: subprocess.run, Node: spawnSync), and leave with that exit code`;

/** A line that was put there by us or by hand, and is not a comment. */
export const callsUs = (text: string, hook: HookName): boolean =>
  text
    .split('\n')
    .some(line => !line.trimStart().startsWith('#') && line.includes(`apfel-bot hook ${hook}`));

function found(hook: HookName, args: string): string {
  const shim = `node_modules/apfel-bot/hooks/${hook}`;
  const more = args === '' ? '' : ` ${args}`;
  return `if [ -f ${shim} ]; then sh ${shim}${more}; elif command -v apfel-bot >/dev/null; then apfel-bot hook ${hook}${more};`;
}
