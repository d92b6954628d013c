import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { SimpleGit } from 'simple-git';
import { BotError, isBotError } from '../core/bot-error.js';
import { readRegular, writeFailure } from '../platform/files.js';
import { makeOwnFolder, ownPlace } from '../platform/own-files.js';
import type { Environment } from '../platform/processes.js';
import { type RepositoryLocation, writeContext } from './commit-plan.js';
import { gitEnvironment, QUIET_FETCH } from './flags.js';
import type { Repository } from './git.js';
import { withSimpleGit } from './remote.js';
import { askGit, askGitWord, type GitContext, runGit } from './spawn.js';
import { findCommit } from './tree.js';

export interface RemoteLocation extends RepositoryLocation {
  /** Reports once which settings of the repository aren't used. */
  readonly say?: (line: string) => void;
}

/**
 * Reaches a remote as the user would, with the user's own configuration and credentials. The
 * repository's configuration may come from somebody else and can name programs in more keys than
 * anybody can list. So git never sees it here: it works in a separate git directory, which shares
 * the objects and has a copy of the refs and of the few settings that are only data.
 */
export const withRemoteGit = <Value>(
  place: RemoteLocation,
  remote: string,
  work: (git: SimpleGit) => PromiseLike<Value>,
  settings: readonly string[] = [],
): Promise<Value> =>
  withGitDir(place, async context => {
    await refuseRemote(remote, context, place.repository);
    return withSimpleGit(context, work, { settings: [...REACH, ...settings] });
  });

/** Fetches `ref` as `own`, one of our refs in the user's repository, and returns its object id. */
const fetchAs = (
  place: RemoteLocation,
  { remote, ref, own }: { readonly remote: string; readonly ref: string; readonly own: string },
): Promise<string> =>
  withGitDir(place, async context => {
    await refuseRemote(remote, context, place.repository);
    const fetch = (git: SimpleGit) => git.fetch(remote, `+${ref}:${own}`, [...QUIET_FETCH]);
    await withSimpleGit(context, fetch, { settings: REACH });
    const id = await askGitWord(context, ['rev-parse', '--verify', own]);
    const update = ['update-ref', '-m', 'apfel-bot: fetch', own, id];
    await withSimpleGit(writeContext(place), git => git.raw(update));
    return id;
  });

/** The usual transports and no others. */
const REACH: readonly string[] = [
  ...['https', 'http', 'ssh', 'git', 'file'].map(name => `protocol.${name}.allow=always`),
  // When a remote is dead, git's helper process outlives git; a live remote sends something by
  // then.
  'http.lowSpeedLimit=1',
  'http.lowSpeedTime=60',
];

/** Inside the user's git directory, so that `includeIf gitdir` in the user's settings matches. */
async function withGitDir<Value>(
  place: RemoteLocation,
  work: (context: GitContext) => Promise<Value>,
): Promise<Value> {
  const { repository, env, signal } = place;
  const { config, unused } = await readRemoteSettings(place);
  const refs = await listRefs(place);
  const folder = makeOwnFolder(ownPlace(repository.commonDir, 'scratch'));
  const dir = join(folder, `remote-${randomBytes(9).toString('hex')}`);
  try {
    makeGitDir(dir, { config, refs, shallow: join(repository.commonDir, 'shallow') });
    const result = await work({
      // Relative paths start here.
      cwd: repository.top ?? repository.gitDir,
      gitDir: dir,
      env: {
        ...gitEnvironment(env, 'clean'),
        ...credentialVariables(env),
        GIT_OBJECT_DIRECTORY: join(repository.commonDir, 'objects'),
      },
      signal,
    });
    report(place, unused);
    return result;
  } catch (thrown) {
    throw withUnused(thrown, unused);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** One line per commit where the history is cut off. */
const MAX_SHALLOW = 64 * 1024 * 1024;

function makeGitDir(
  dir: string,
  { config, refs, shallow }: { readonly config: string; readonly refs: Buffer; shallow: string },
): void {
  try {
    mkdirSync(join(dir, 'refs'), { recursive: true, mode: 0o700 });
    mkdirSync(join(dir, 'objects'));
    writeFileSync(join(dir, 'HEAD'), 'ref: refs/heads/none\n');
    writeFileSync(join(dir, 'config'), config, 'latin1');
    writeFileSync(join(dir, 'packed-refs'), refs);
    if (existsSync(shallow)) writeFileSync(join(dir, 'shallow'), readRegular(shallow, MAX_SHALLOW));
  } catch (thrown) {
    throw writeFailure(`cannot write ${dir}`, thrown);
  }
}

/** Without them git would fetch again what is already here. */
const listRefs = (place: RemoteLocation): Promise<Buffer> =>
  askGit(writeContext(place), ['for-each-ref', '--format=%(objectname) %(refname)']);

/** Variables with which the user gives git access without a terminal. */
function credentialVariables(env: Environment): Record<string, string> {
  const names = ['GIT_ASKPASS', 'GIT_SSH', 'GIT_SSH_COMMAND', 'GIT_SSL_CAINFO'];
  return Object.fromEntries(
    names.flatMap(name => (env[name] === undefined ? [] : [[name, env[name]]])),
  );
}

/** Settings of the repository that are data: URLs, names and headers, never a program. */
const DATA = [
  /^remote\..*\.(?:url|pushurl|promisor|partialclonefilter)$/s,
  /^url\..*\.(?:insteadof|pushinsteadof)$/s,
  /^http\.(?:.*\.)?(?:extraheader|proxy)$/s,
  /^credential\.(?:.*\.)?(?:username|usehttppath)$/s,
  /^core\.sharedrepository$/,
  /^extensions\.partialclone$/,
];

/** Settings that may be needed to reach a remote; a line reports that they aren't used. */
const REPORTED =
  /^(?:core\.(?:sshcommand|gitproxy|askpass)|ssh\.variant|(?:credential|http)\..*|remote\..*\.(?:uploadpack|receivepack|vcs|proxy))$/s;

interface RemoteSettings {
  /** A configuration file with the repository's settings that we use for a remote. */
  readonly config: string;
  /** Keys of the repository that may be needed but aren't used. */
  readonly unused: readonly string[];
}

const known = new WeakMap<Repository, Promise<RemoteSettings>>();
const reported = new WeakSet<Repository>();

function readRemoteSettings(place: RemoteLocation): Promise<RemoteSettings> {
  const settings = known.get(place.repository) ?? read(place);
  known.set(place.repository, settings);
  return settings;
}

async function read(place: RemoteLocation): Promise<RemoteSettings> {
  // Only the repository's own: git reads the user's other files itself.
  const args = ['config', '--list', '--includes', '--show-scope', '-z'];
  const listing = await askGit(writeContext(place), args);
  const isSha256 = place.repository.emptyTree.length === 64;
  const lines = ['[core]', '\trepositoryformatversion = 1', '\tbare = true'];
  if (isSha256) lines.push('[extensions]', '\tobjectformat = sha256');
  const unused = new Set<string>();
  const fields = listing.toString('latin1').split('\0');
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [scope, setting = ''] = fields.slice(at, at + 2);
    if (scope !== 'local' && scope !== 'worktree') continue;
    const [, key = '', value] = /^([^\n]*)(?:\n(.*))?$/s.exec(setting) ?? [];
    if (DATA.some(pattern => pattern.test(key))) lines.push(...configLines(key, value));
    else if (REPORTED.test(key)) unused.add(key);
  }
  return { config: `${lines.join('\n')}\n`, unused: [...unused] };
}

function configLines(key: string, value: string | undefined): string[] {
  const [section, ...rest] = key.split('.');
  const name = rest.pop() ?? '';
  const inner = rest.length === 0 ? '' : ` "${rest.join('.').replace(/["\\]/g, '\\$&')}"`;
  return [
    `[${section}${inner}]`,
    value === undefined ? `\t${name}` : `\t${name} = ${quoted(value)}`,
  ];
}

const quoted = (value: string): string =>
  `"${value.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t')}"`;

const notUsed = (keys: readonly string[]): string => {
  const names = keys.slice(0, 3).join(', ') + (keys.length > 3 ? `, ${keys.length - 3} more` : '');
  const key = keys.length === 1 ? keys[0] : 'KEY';
  const ssh = keys.includes('core.sshcommand') ? ', or set GIT_SSH_COMMAND' : '';
  return `not used: ${names}, set in this repository's configuration (to use it, put it in your own: git config --global ${key} VALUE${ssh})`;
};

/** Once, if it worked without them: the remote may have seen a different identity than usual. */
function report({ repository, say }: RemoteLocation, unused: readonly string[]): void {
  if (unused.length === 0 || reported.has(repository)) return;
  reported.add(repository);
  say?.(`apfel-bot: ${notUsed(unused)}`);
}

/** If it failed, an unused setting is the likely reason. */
function withUnused(thrown: unknown, unused: readonly string[]): unknown {
  if (unused.length === 0 || !isBotError(thrown) || thrown.code !== 'git') return thrown;
  const hints = [
    ...(thrown.hint === undefined ? [] : [thrown.hint]),
    `Settings ${notUsed(unused)}`,
  ];
  return new BotError('git', thrown.message, { hint: hints.join('\n  '), cause: thrown.cause });
}

/**
 * A repository that came with the files may be anybody's: its settings and hooks would run here.
 */
async function refuseRemote(
  remote: string,
  context: GitContext,
  { top, commonDir }: Repository,
): Promise<void> {
  if (remote === '' || remote.startsWith('-') || /[\0\n]/.test(remote)) {
    throw new BotError('usage', `${JSON.stringify(remote)} isn't a remote`, {
      hint: 'Name a remote from git remote -v, or a URL',
    });
  }
  const roots = [top, commonDir].flatMap(root => (root === undefined ? [] : [root, real(root)]));
  for (const address of await addressesOf(remote, context)) {
    const path = localPath(address);
    if (path === undefined) continue;
    const place = resolve(context.cwd, path);
    if (address === remote && !existsSync(place)) {
      throw new BotError('git', `there is no remote ${JSON.stringify(remote)}`, {
        hint: 'See what there is with: git remote -v',
      });
    }
    const isInside = [place, real(place)].some(each =>
      roots.some(root => each === root || each.startsWith(`${root}/`)),
    );
    if (!isInside) continue;
    throw new BotError('git', `the remote ${remote} is ${address}, inside this repository`, {
      hint: 'A repository that came with the files is not used; move it elsewhere, then: git remote set-url',
    });
  }
}

/** For fetching and for pushing, as git would rewrite them. */
async function addressesOf(remote: string, context: GitContext): Promise<string[]> {
  const asked = [
    ['ls-remote', '--get-url', '--', remote],
    ['remote', 'get-url', '--all', '--push', '--', remote],
  ];
  const answers = await Promise.all(asked.map(args => runGit(context, args)));
  return answers.flatMap(({ code, stdout }) =>
    code === 0 ? stdout.toString('utf8').split('\n').filter(Boolean) : [],
  );
}

/** Git's rule for telling a path from a URL: a colon before the first slash ends a host. */
function localPath(address: string): string | undefined {
  if (/^file:\/\//i.test(address)) return address.slice('file://'.length);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(address)) return undefined;
  return /^[^/]*:/.test(address) ? undefined : address;
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Git also tries it with `.git` appended; the path alone shows where that is.
    return path;
  }
}

/** A remote that takes longer than this counts as not answering. */
const MAX_MS = 5 * 60_000;

/**
 * Fetches the head of a pull request and returns its id. No branch, FETCH_HEAD or work tree is
 * touched: it goes to apfel-bot's own ref, which also protects it from garbage collection.
 */
export async function fetchPull(
  where: RemoteLocation,
  { pull, remote }: { readonly pull: number; readonly remote: string },
): Promise<string> {
  if (!Number.isSafeInteger(pull) || pull <= 0) {
    throw new BotError('usage', `${pull} isn't the number of a pull request`);
  }
  const ref = `refs/pull/${pull}/head`;
  return fetchCommit(where, { remote, ref, own: `refs/apfel-bot/pull/${pull}` });
}

/** Whether some branch of the remote has exactly this commit as its head. */
export async function isBranchHead(
  where: RemoteLocation,
  { remote, commit }: { readonly remote: string; readonly commit: string },
): Promise<boolean> {
  const listing = await inTime(where, timed =>
    withRemoteGit(timed, remote, git => git.listRemote(['--heads', '--', remote])),
  );
  return listing.split('\n').some(row => row.startsWith(`${commit}\trefs/heads/`));
}

/** Undefined if the remote doesn't report one. */
export async function remoteDefaultBranch(
  where: RemoteLocation,
  remote: string,
): Promise<string | undefined> {
  const listing = await inTime(where, timed =>
    withRemoteGit(timed, remote, git => git.listRemote(['--symref', '--', remote, 'HEAD'])),
  );
  return /^ref: refs\/heads\/(.+)\tHEAD$/m.exec(listing)?.[1];
}

/** Fetches a ref of the remote as `fetchPull` does, and returns its commit. */
export const fetchRevision = (
  where: RemoteLocation,
  { remote, ref }: { readonly remote: string; readonly ref: string },
): Promise<string> => fetchCommit(where, { remote, ref, own: 'refs/apfel-bot/base' });

/** URLs by name, as configured. */
export async function listRemotes(where: RepositoryLocation): Promise<Map<string, string>> {
  const args = ['config', '-z', '--get-regexp', '^remote\\..*\\.url$'];
  const { code, stdout } = await runGit(writeContext(where), args);
  const remotes = new Map<string, string>();
  for (const record of code === 0 ? stdout.toString('utf8').split('\0') : []) {
    const [, name, address] = /^remote\.(.*)\.url\n([\s\S]*)$/.exec(record) ?? [];
    if (name !== undefined && address !== undefined && !remotes.has(name)) {
      remotes.set(name, address);
    }
  }
  return remotes;
}

/** Whether a remote of that name is configured. */
export async function hasRemote(where: RepositoryLocation, remote: string): Promise<boolean> {
  const { code } = await runGit(writeContext(where), [
    'config',
    '--get-all',
    `remote.${remote}.url`,
  ]);
  return code === 0;
}

async function fetchCommit(
  where: RemoteLocation,
  asked: { readonly remote: string; readonly ref: string; readonly own: string },
): Promise<string> {
  await inTime(where, timed => fetchAs(timed, asked));
  const id = await commitHere(where, asked.own);
  if (id !== undefined) return id;
  throw new BotError('git', `${asked.ref} was fetched, but it isn't a commit`);
}

async function inTime(
  where: RemoteLocation,
  work: (timed: RemoteLocation) => Promise<string>,
): Promise<string> {
  const late = AbortSignal.timeout(MAX_MS);
  try {
    return await work({ ...where, signal: AbortSignal.any([where.signal, late]) });
  } catch (thrown) {
    if (!late.aborted || where.signal.aborted) throw thrown;
    throw new BotError('git', 'the remote did not answer within 5 minutes', { cause: thrown });
  }
}

/** The full id if the commit is in this repository. */
export const commitHere = (
  where: RepositoryLocation,
  revision: string,
): Promise<string | undefined> => findCommit(writeContext(where), revision);

/** Whether a branch of the remote, as it was last fetched, has exactly this commit as its head. */
export async function isFetchedBranchHead(
  where: RepositoryLocation,
  { remote, commit }: { readonly remote: string; readonly commit: string },
): Promise<boolean> {
  const listing = ['for-each-ref', '--format=%(objectname)', `refs/remotes/${remote}/`];
  const { code, stdout } = await runGit(writeContext(where), listing);
  return code === 0 && stdout.toString('latin1').split('\n').includes(commit);
}
