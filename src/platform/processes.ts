import { ChildProcess, execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { delimiter, isAbsolute } from 'node:path';
import { promisify } from 'node:util';

/** Enough for `ps`; no answer in time counts as "still alive". */
const MAX_PS_MS = 2000;

/**
 * Where a process id is valid: other machines and containers have their own. macOS has no `/proc`,
 * and its host name changes with the network, but each boot has an id.
 */
export async function processSpace(): Promise<string> {
  const space = await readlink('/proc/self/ns/pid').catch(() => undefined);
  return space === undefined ? ((await bootSession()) ?? hostname()) : `${hostname()} ${space}`;
}

async function bootSession(): Promise<string | undefined> {
  const { stdout } = await promisify(execFile)('sysctl', ['-n', 'kern.bootsessionuuid'], {
    env: { PATH: '/usr/sbin:/sbin' },
    timeout: MAX_PS_MS,
  }).catch(() => ({ stdout: '' }));
  return stdout.trim() || undefined;
}

/** When the process started, only to be compared; undefined if unknown. */
export async function processStart(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined);
  // The name in brackets may contain anything; the start time is the 20th field after it.
  if (stat !== undefined) return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  try {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)], {
      env: { PATH: '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' },
      timeout: MAX_PS_MS,
    });
    return stdout.trim() || undefined;
  } catch {
    // No such process, or no ps: then the process id alone decides.
    return undefined;
  }
}

export async function isAlive(pid: number, start: string | undefined): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (thrown) {
    // Not allowed to signal it: it exists and belongs to somebody else.
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM')) return false;
  }
  const now = await processStart(pid);
  return now === undefined || start === undefined || now === start;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Where to look for the user's programs. npx, npm and husky put a project's `node_modules/.bin`
 * first on the PATH, and a branch may track a `git` there; a relative folder may be controlled by
 * the branch too.
 */
export const usersPath = (path: string): string =>
  path
    .split(delimiter)
    .filter(folder => isAbsolute(folder) && !/\/node_modules\/\.bin\/*$/.test(folder))
    .join(delimiter);

/**
 * If too many files are open, Node gives a child that was never started the process id 0, and
 * killing that kills our whole process group: the user's git, and the shell that waits for it.
 */
export function guardKill(): void {
  const { kill } = ChildProcess.prototype;
  ChildProcess.prototype.kill = function guarded(signal) {
    return this.pid === undefined ? false : kill.call(this, signal);
  };
}

/** The tokens of the model's own server aren't keys to anything else. */
const OWN = new Set(['APFEL_TOKEN', 'APFEL_BOT_API_KEY']);

/** By the end of the name: tokens of GitHub, registries, clouds, OIDC and the runner. */
const TOKEN =
  /(?:TOKEN(?:_REQUEST_URL)?|PASSWORD|PASSWD|PASSPHRASE|SECRETS?|CREDENTIALS?|WEBHOOK(?:_URL)?|(?:^|_)(?:PAT|PASS|AUTH|JWT|BEARER)|_(?:PWD|AUTH_CONFIG)|(?<!CACHE|PUBLIC|HOST)_KEY|(?:ACCESS|API|PRIVATE|SECRET|SIGNING)_?KEY(?:_BASE)?)$/i;

/** By the value: an address with a password in it, or a token of GitHub's form. */
const TOKEN_VALUE =
  /^[a-z][a-z0-9+.-]{1,20}:\/\/[^/@\s]{0,200}:[^/@\s]{1,500}@|^(?:gh[opsu]_|github_pat_)\w{20}/i;

/** Variables that hold a token, a password or a key. */
export const tokenNames = (env: Environment): string[] =>
  Object.entries(env).flatMap(([name, value]) =>
    value && !OWN.has(name) && (TOKEN.test(name) || TOKEN_VALUE.test(value)) ? [name] : [],
  );

/**
 * For a child process. It can still read its parent's environment, so this isn't enough by itself.
 */
export const withoutTokens = (env: Environment): Environment => {
  const names = new Set(tokenNames(env));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.has(name)));
};
