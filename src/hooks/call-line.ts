import type { HookName } from './hook-name.js';

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
