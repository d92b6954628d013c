import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { NoteRecord } from '../../src/generated/shapes.js';
import { notesPlace, readPages } from '../../src/notes/store.js';
import { repositoryLocation } from '../git/scratch-harness.js';
import { CLI, type CliRun } from '../support/cli.js';
import { gitEnv, type Repo, withRepo } from '../support/with-repo.js';
import { hookPort, scriptThatAsks } from './hook-server.js';

const HOOKS = ['pre-commit', 'post-commit', 'post-rewrite', 'pre-push'] as const;

/** A port where nobody answers: no model, and no time lost looking for one. */
const NO_MODEL = { APFEL_BOT_BASE_URL: 'http://127.0.0.1:9/v1' };

type Body = (repo: Repo) => Promise<void>;

/** A repository whose hooks call the built program. */
export const withHooks = (body: Body, config?: object): Promise<void> =>
  withScripts(
    name => `#!/bin/sh\nexec '${process.execPath}' '${CLI}' hook ${name} "$@"\n`,
    body,
    config,
  );

/** The same for tests of many commits: their hooks have the work done in this process. */
export async function withQuickHooks(body: Body, config?: object): Promise<void> {
  const port = await hookPort();
  await withScripts(name => scriptThatAsks(port, name), body, config);
}

const withScripts = (
  scriptOf: (hook: string) => string,
  body: Body,
  config: object | undefined,
): Promise<void> =>
  withRepo(async repo => {
    const folder = join(repo.dir, '.git', 'hooks');
    await mkdir(folder, { recursive: true });
    for (const name of HOOKS) {
      const file = join(folder, name);
      await writeFile(file, scriptOf(name));
      await chmod(file, 0o755);
    }
    if (config !== undefined) await repo.write('.apfel-bot.json', JSON.stringify(config));
    await writeFile(join(repo.dir, '.git', 'info', 'exclude'), '.apfel-bot.json\n');
    await body(repo);
  });

/** Git as a user runs it, with its exit code and what it prints. */
export function git(
  repo: Repo,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<CliRun> {
  return new Promise((done, reject) => {
    const child = spawn('git', args, {
      cwd: repo.dir,
      env: { ...gitEnv(repo.dir), ...NO_MODEL, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', text => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', text => (stderr += text));
    child.on('error', reject);
    child.on('close', code => done({ code, stdout, stderr }));
  });
}

export const commit = (repo: Repo, ...args: string[]): Promise<CliRun> =>
  git(repo, ['commit', '--quiet', '--message', 'next', ...args]);

/** Commits as on a machine without our hooks. */
export const commitUnseen = (repo: Repo, ...args: string[]): Promise<string> =>
  repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', '--message', 'unseen', ...args);

/** The record that counts, read as `show` reads it; asked too often for a process of our own. */
export async function recordOf(repo: Repo, revision = 'HEAD'): Promise<NoteRecord | null> {
  const commit = await repo.git('rev-parse', '--verify', `${revision}^{commit}`);
  const [page] = await readPages(notesPlace(await repositoryLocation(repo.dir)), [commit], 'all');
  if (page === undefined) throw new Error(`no commit ${commit}`);
  return page.record ?? null;
}

/** Looks until there is something to see, or too long. */
export async function until<Value>(
  look: () => Promise<Value | null | undefined | false>,
  mostMs = 120_000,
): Promise<Value> {
  for (const end = Date.now() + mostMs; ; await wait(100)) {
    const seen = await look();
    if (seen) return seen;
    if (Date.now() > end) throw new Error(`nothing to see after ${mostMs} ms`);
  }
}

/** The commits that wait for a review in the background. */
export const queued = (repo: Repo): Promise<string[]> =>
  readdir(join(repo.dir, '.git/apfel-bot/queue')).catch(() => []);

/** The background has nothing to do. */
export const isIdle = async (repo: Repo): Promise<boolean> =>
  (await queued(repo)).length === 0 &&
  !existsSync(join(repo.dir, '.git/apfel-bot/background.lock'));
