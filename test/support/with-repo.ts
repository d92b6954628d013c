import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const exec = promisify(execFile);

/** Fixed author, date and configuration, so a test's commit ids are the same on every machine. */
export const gitEnv = (home: string): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: home,
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
    await repo.git('init', '--quiet', '--initial-branch', 'main', ...(options.init ?? []));
    if (!options.isUnborn) await repo.commit({ 'README.md': '# fixture\n' }, 'first');
    await body(repo);
  });
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
      for (const [path, content] of Object.entries(files)) await repo.stage(path, content);
      await repo.git('commit', '--quiet', '--allow-empty', '--message', message);
      return repo.git('rev-parse', 'HEAD');
    },
  };
  return repo;
}
