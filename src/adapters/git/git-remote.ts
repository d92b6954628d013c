import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { askGit, askGitWord } from '../commit/git-commit-ask.js';
import { type Whereabouts, writingSpot } from '../commit/git-commit-spot.js';
import { ownFolder } from '../records/run-records-folder.js';
import { type Environment, gitEnvironment } from './git-flags.js';
import { refuseInsideRemote } from './git-remote-inside.js';
import { readRemoteSettings } from './git-remote-settings.js';
import { openSimpleGit, type SimpleHand } from './git-simple.js';
import type { GitSpot } from './git-spawn.js';

export interface RemotePlace extends Whereabouts {
  /** Told once which settings of the repository are not used. */
  readonly say?: (line: string) => void;
}

/** Git where it may reach a remote. */
export interface RemoteGit extends SimpleHand {
  /** Brings `ref` here as `own`, a ref of ours, and gives its object id. */
  fetch(asked: RemoteRef): Promise<string>;
}

export interface RemoteRef {
  /** `fetch` and its options. */
  readonly args: readonly string[];
  readonly remote: string;
  readonly ref: string;
  readonly own: string;
}

/**
 * Reaches remotes as the user would, with the user's own configuration and credentials. The
 * repository's configuration may come from somebody else and can name programs in more keys than
 * anybody can list. So git never sees it here: it works in a git directory of ours, which shares
 * the objects and has a copy of the refs and of the few settings that are only data.
 */
export async function openRemoteGit(place: RemotePlace): Promise<RemoteGit> {
  const within = <Value>(
    remote: string | undefined,
    work: (hand: SimpleHand, spot: GitSpot) => Promise<Value>,
  ): Promise<Value> =>
    withGitDir(place, async spot => {
      if (remote !== undefined) await refuseInsideRemote(remote, spot, place.repository);
      const hand = await openSimpleGit(spot);
      return work({ run: args => hand.run([...REACH, ...args]) }, spot);
    });
  return {
    run: args => within(remoteIn(args), hand => hand.run(args)),
    fetch: ({ args, remote, ref, own }) =>
      within(remote, async (hand, spot) => {
        await hand.run([...args, '--', remote, `+${ref}:${own}`]);
        const id = await askGitWord(spot, ['rev-parse', '--verify', own]);
        await askGit(writingSpot(place), ['update-ref', '-m', 'apfel-bot: fetch', own, id]);
        return id;
      }),
  };
}

/** What follows `--` first. */
const remoteIn = (args: readonly string[]): string | undefined => {
  const at = args.indexOf('--');
  return at === -1 ? undefined : args[at + 1];
};

/** The usual transports and no others. */
const REACH: readonly string[] = [
  ...['https', 'http', 'ssh', 'git', 'file'].map(name => `protocol.${name}.allow=always`),
  'core.alternateRefsCommand=true',
  // A helper of git's on a dead remote outlives git itself; a living remote says something by then.
  'http.lowSpeedLimit=1',
  'http.lowSpeedTime=60',
].flatMap(setting => ['-c', setting]);

/** Below the user's git directory, so that a condition on its place in the user's settings holds. */
async function withGitDir<Value>(
  place: RemotePlace,
  work: (spot: GitSpot) => Promise<Value>,
): Promise<Value> {
  const { repository, env, signal } = place;
  const config = await readRemoteSettings(place);
  const refs = await listRefs(place);
  const rooms = await ownFolder(repository.commonDir, 'rooms');
  const dir = join(rooms, `remote-${randomBytes(9).toString('hex')}`);
  try {
    mkdirSync(join(dir, 'refs'), { recursive: true, mode: 0o700 });
    mkdirSync(join(dir, 'objects'));
    writeFileSync(join(dir, 'HEAD'), 'ref: refs/heads/none\n');
    writeFileSync(join(dir, 'config'), config, 'latin1');
    writeFileSync(join(dir, 'packed-refs'), refs);
    const shallow = join(repository.commonDir, 'shallow');
    if (existsSync(shallow)) copyFileSync(shallow, join(dir, 'shallow'));
    return await work({
      // Relative addresses start here.
      cwd: repository.top ?? repository.gitDir,
      gitDir: dir,
      env: {
        ...gitEnvironment(env, 'clean'),
        ...keyholders(env),
        GIT_OBJECT_DIRECTORY: join(repository.commonDir, 'objects'),
      },
      signal,
    });
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Without them git would fetch again what is here. */
const listRefs = (place: RemotePlace): Promise<Buffer> =>
  askGit(writingSpot(place), ['for-each-ref', '--format=%(objectname) %(refname)']);

/** How the user lets git in without a terminal. */
function keyholders(env: Environment): Record<string, string> {
  const names = ['GIT_ASKPASS', 'GIT_SSH', 'GIT_SSH_COMMAND', 'GIT_SSL_CAINFO'];
  return Object.fromEntries(
    names.flatMap(name => (env[name] === undefined ? [] : [[name, env[name]]])),
  );
}
