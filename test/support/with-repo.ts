import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const exec = promisify(execFile);

/** Fixed author, date and configuration, so a test's commit ids are the same on every machine. */
export const gitEnv = (home: string): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: home,
  // Where an apfel is looked for, and a running one: that of this machine must not be found.
  HOMEBREW_PREFIX: home,
  APFEL_PORT: '9',
  TMPDIR: tmpdir(),
  GIT_CONFIG_GLOBAL: devNull,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.test',
  GIT_AUTHOR_DATE: '2001-02-03T04:05:06Z',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.test',
  GIT_COMMITTER_DATE: '2001-02-03T04:05:06Z',
});

export interface Repo {
  readonly dir: string;
  git(...args: string[]): Promise<string>;
  write(path: string, content: string | Uint8Array): Promise<void>;
  /** Writes and stages. */
  stage(path: string, content: string | Uint8Array): Promise<void>;
  /** Writes, stages and commits; gives the new commit's id. */
  commit(files: Readonly<Record<string, string | Uint8Array>>, message?: string): Promise<string>;
}

export interface RepoOptions {
  /** More arguments for `git init`. */
  readonly init?: readonly string[];
  /** No first commit. */
  readonly isUnborn?: boolean;
}

/** Runs `body` inside a new repository with one commit, and removes it whatever happens. */
export async function withRepo(
  body: (repo: Repo) => Promise<void>,
  options: RepoOptions = {},
): Promise<void> {
  await withFolder(async dir => {
    const repo = openRepo(dir);
    if (options.init === undefined && !options.isUnborn) await copyFirst(dir);
    else await create(repo, options);
    await body(repo);
  });
}

async function create(repo: Repo, options: RepoOptions): Promise<void> {
  await repo.git('init', '--quiet', '--initial-branch', 'main', ...(options.init ?? []));
  if (!options.isUnborn) await repo.commit({ 'README.md': '# fixture\n' }, 'first');
}

const copyFirst = prepared(async dir => {
  const repo = openRepo(dir);
  await create(repo, {});
  // Spares every commit of a test the process that looks whether the repository wants packing.
  await repo.git('config', 'maintenance.auto', 'false');
});

/**
 * Makes a folder once in this process, then copies it: one process of git instead of many for each
 * test. `repo` is where in it the files are.
 */
export function prepared(
  make: (dir: string) => Promise<void>,
  repo = '.',
): (dir: string) => Promise<void> {
  let made: Promise<string> | undefined;
  const makeOnce = async (): Promise<string> => {
    const dir = mkdtempSync(join(tmpdir(), 'apfel-bot-prepared-'));
    process.once('exit', () => rmSync(dir, { recursive: true, force: true }));
    await make(dir);
    return dir;
  };
  return async dir => {
    made ??= makeOnce();
    cpSync(await made, dir, { recursive: true });
    // The index knows the files by their inodes, and a copy has others.
    await openRepo(join(dir, repo)).git('update-index', '--refresh');
  };
}

/** A temporary folder that goes away whatever happens. */
export async function withFolder(body: (dir: string) => Promise<void>): Promise<void> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'apfel-bot-')));
  try {
    await body(dir);
  } finally {
    await rm(dir, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The commit of the branch that is checked out, read without a process where git's files are plain. */
async function looseHead(dir: string): Promise<string | undefined> {
  const read = (name: string): Promise<string> => readFile(join(dir, '.git', name), 'utf8');
  try {
    const head = await read('HEAD');
    const name = /^ref: (refs\/.+)\n$/.exec(head)?.[1];
    return /^[0-9a-f]{40,}(?=\n$)/.exec(name === undefined ? head : await read(name))?.[0];
  } catch {
    return undefined;
  }
}

export function openRepo(dir: string): Repo {
  const repo: Repo = {
    dir,
    git: async (...args) => {
      const { stdout } = await exec('git', args, { cwd: dir, env: gitEnv(dir), maxBuffer: 1e9 });
      return stdout.trimEnd();
    },
    write: async (path, content) => {
      await mkdir(dirname(join(dir, path)), { recursive: true });
      await writeFile(join(dir, path), content);
    },
    stage: async (path, content) => {
      await repo.write(path, content);
      await repo.git('add', '--force', '--', path);
    },
    commit: async (files, message = 'change') => {
      const paths = Object.keys(files);
      for (const [path, content] of Object.entries(files)) await repo.write(path, content);
      if (paths.length > 0) await repo.git('add', '--force', '--', ...paths);
      await repo.git('commit', '--quiet', '--allow-empty', '--message', message);
      return (await looseHead(dir)) ?? repo.git('rev-parse', 'HEAD');
    },
  };
  return repo;
}
