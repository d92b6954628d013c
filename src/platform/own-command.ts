import { existsSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';

/**
 * Each package manager starts a project's programs in its own way; the lockfile shows which one it
 * is.
 */
const MANAGERS: ReadonlyArray<readonly [lockfile: string, starter: string, adds: string]> = [
  ['pnpm-workspace.yaml', 'pnpm exec', 'pnpm add --save-dev --workspace-root'],
  ['pnpm-lock.yaml', 'pnpm exec', 'pnpm add --save-dev'],
  ['yarn.lock', 'yarn', 'yarn add --dev'],
  ['bun.lock', 'bunx', 'bun add --dev'],
  ['bun.lockb', 'bunx', 'bun add --dev'],
];

export const managerIn = (folder: string): (typeof MANAGERS)[number] | undefined =>
  MANAGERS.find(([lockfile]) => existsSync(join(folder, lockfile)));

/** Installs the packages that the project in this folder lists. */
export const installsPackages = (folder: string): string =>
  `${managerIn(folder)?.[2].split(' ', 1)[0] ?? 'npm'} install`;

/**
 * What to put before `apfel-bot` so that the shell finds it: nothing if it is installed globally.
 * `script` is the file that Node was started with, links not followed.
 */
export function starterFor(script: string, cwd: string): string {
  if (process.versions['pnp'] !== undefined) return 'yarn ';
  const [project = '', inPackages] = script.split(`${sep}node_modules${sep}`);
  if (inPackages === undefined) return '';
  if (project.includes(`${sep}_npx${sep}`)) return 'npx ';
  // A global installation is also in a `node_modules`, but not above the user's files.
  if (!`${cwd}${sep}`.startsWith(`${project}${sep}`)) return '';
  return `${managerIn(project)?.[1] ?? 'npx'} `;
}

/** Replaces each `apfel-bot COMMAND` in a message with the form that works here. */
export function asRun(text: string): string {
  const starter = starterFor(resolve(process.argv[1] ?? ''), process.cwd());
  // Elsewhere it is just our name in a sentence.
  return text.replace(
    /(?<=^|: {1,2}|; |&& |\b[Rr]un |\| |… )apfel-bot (?=[a-z-])/g,
    `${starter}$&`,
  );
}
