import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { type BotError, isBotError } from '../../src/core/bot-error.js';
import { type BuiltCommits, buildCommits } from '../../src/git/commit.js';
import { type RepositoryLocation, writeContext } from '../../src/git/commit-plan.js';
import { userGitContext } from '../../src/git/git.js';
import { describeRepository } from '../../src/git/repository.js';
import { openScratch, type ScratchRepository } from '../../src/git/scratch.js';
import type { GitContext } from '../../src/git/spawn.js';
import { gitEnv, openRepo, type Repo, withFolder } from '../support/with-repo.js';

export const MADE_AT = 1_000_000_000;
export const RUN = '01TEST';

/** The repository at `dir` as the program would see it. */
export async function repositoryLocation(
  dir: string,
  more: Partial<Pick<RepositoryLocation, 'env' | 'signal'>> = {},
): Promise<RepositoryLocation> {
  const { env = gitEnv(dir), signal = new AbortController().signal } = more;
  const repository = await describeRepository(userGitContext({ cwd: dir, env, signal }));
  return { repository, env, signal };
}

export interface ScratchWorld {
  readonly scratch: ScratchRepository;
  readonly temp: string;
  /** The user's repository, for writing. */
  readonly into: GitContext;
  readonly base: string;
  readonly place: RepositoryLocation;
}

/** Opens a scratch copy of HEAD of the repository at `dir`. */
export async function withScratch(
  dir: string,
  body: (world: ScratchWorld) => Promise<void>,
): Promise<void> {
  await withFolder(async temp => {
    const place = await repositoryLocation(dir);
    const base = place.repository.head ?? '';
    const scratch = await openScratch({ ...place, commit: base, temp, announce });
    await body({ scratch, temp, place, base, into: writeContext(place) });
    await scratch.remove();
    assert.equal(await readdir(temp), [], 'the temporary folder is empty afterwards');
  });
}

export const announce = async (): Promise<void> => undefined;

/** One commit per record of files. */
export const build = (
  { scratch, base }: Pick<ScratchWorld, 'scratch' | 'base'>,
  ...edits: ReadonlyArray<Readonly<Record<string, string | Uint8Array>>>
): Promise<BuiltCommits> =>
  buildCommits({
    scratch,
    base,
    run: RUN,
    at: MADE_AT,
    commits: edits.map((files, at) => ({
      message: `Fix number ${at + 1}`,
      files: new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)])),
    })),
  });

/** The error a promise ends in; it must be one of ours. */
export async function failureOf(work: Promise<unknown>): Promise<BotError> {
  const thrown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (isBotError(thrown)) return thrown;
  throw thrown ?? new Error('it went through');
}

/** Every file below `dir` with a digest of its content; `isOurs` names what may change. */
export async function fingerprint(
  dir: string,
  isOurs: (path: string) => boolean = () => false,
): Promise<Record<string, string>> {
  const seen: Record<string, string> = {};
  const walk = async (folder: string): Promise<void> => {
    for (const name of await readdir(join(dir, folder))) {
      const path = join(folder, name);
      if (isOurs(path)) continue;
      const facts = await lstat(join(dir, path));
      if (facts.isDirectory()) await walk(path);
      else if (facts.isSymbolicLink()) seen[path] = await readlink(join(dir, path));
      else {
        const bytes = await readFile(join(dir, path));
        seen[path] = `${facts.mode} ${createHash('sha1').update(bytes).digest('hex')}`;
      }
    }
  };
  await walk('');
  return seen;
}

export async function withTwoRepos(
  body: (one: Repo, folder: string) => Promise<void>,
): Promise<void> {
  await withFolder(async folder => {
    await mkdir(join(folder, 'one'));
    const one = openRepo(join(folder, 'one'));
    await one.git('init', '--quiet', '--initial-branch', 'main');
    await one.commit({ 'README.md': '# fixture\n' }, 'first');
    await body(one, folder);
  });
}

/** Why disks of our own cannot be had; undefined when they can. */
export function noMounts(): string | undefined {
  try {
    execFileSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'this user cannot mount a small disk';
  }
}

/** Any generator will do, as long as a failure can be had again. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}
