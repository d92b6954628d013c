import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  type GithubOptions,
  type GithubStandIn,
  startGithub,
} from '../../fixtures/github/start-github.js';
import { EXIT, isBotError } from '../../src/core/bot-error.js';
import type { FixEdit } from '../../src/core/outcome.js';
import { protectedPath } from '../../src/git/protected-path.js';
import { type Github, openGithub } from '../../src/github/github.js';

import { type PushJob, type PushReport, push } from '../../src/publish/push.js';
import { openRemoteRepo, type RemoteRepo } from '../../src/publish/remote-repo.js';
import { EMPTY } from '../report/sample-outcome.js';
import { gitEnv, openRepo, type Repo, withFolder } from '../support/with-repo.js';
import { twoBranches } from './two-branches.js';

const exec = promisify(execFile);
export const REPOSITORY = 'ada/fixture';
export const LOGIN = 'github-actions[bot]';
export type FixOutcome = PushJob['outcome'];

/** A pull request on a GitHub stand-in, and the clone of its author. */
export interface PullFixture {
  readonly dir: string;
  readonly repo: Repo;
  readonly github: GithubStandIn;
  readonly pull: number;
  readonly main: string;
  /** The commit the pull request was at when it was linted. */
  readonly head: string;
  githubApi(token?: string): Promise<Github>;
  remoteRepo(token?: string): Promise<RemoteRepo>;
  /** The branches at GitHub that are ours, and their commits. */
  ours(): Promise<string[]>;
}

const copyFixture = twoBranches(
  { 'src/a.js': 'var a = 1\n', 'src/b.js': 'b == 1\n', 'package.json': '{}\n' },
  { 'src/c.js': 'var c = 3\n' },
);

export async function withFixture(
  body: (fixture: PullFixture) => Promise<void>,
  options: Partial<GithubOptions> = {},
): Promise<void> {
  await withFolder(async dir => {
    await copyFixture(dir);
    const repo = openRepo(join(dir, 'clone'));
    const gitDir = join(dir, 'hub.git');
    const [main = '', head = ''] = (await repo.git('rev-parse', 'main', 'topic')).split('\n');
    const github = await startGithub({ repository: REPOSITORY, gitDir, ...options });
    try {
      const { number } = await github.openPull({ head: 'topic' });
      const heads = async (): Promise<string> =>
        repo.git('ls-remote', '--heads', 'origin', 'refs/heads/apfel-bot/*');
      await body({
        dir,
        repo,
        github,
        pull: number,
        main,
        head,
        githubApi: (token = github.token) => openGithubFor(github, token),
        remoteRepo: (token = github.token) => openRemoteRepoAt(github, dir, token),
        ours: async () => (await heads()).split('\n').filter(Boolean),
      });
    } finally {
      await github.close();
    }
  });
}

const openGithubFor = (github: GithubStandIn, token: string): Promise<Github> =>
  openGithub(
    { token, apiUrl: github.url, owner: 'ada', name: 'fixture' },
    {
      signal: AbortSignal.timeout(120_000),
      deadlineAt: Date.now() + 20_000,
      version: '0.0.0',
      paceMs: 0,
      retryMs: 1,
    },
  );

function openRemoteRepoAt(github: GithubStandIn, dir: string, token: string): Promise<RemoteRepo> {
  const signal = AbortSignal.timeout(120_000);
  return openRemoteRepo({ address: github.gitHttpUrl, token, env: gitEnv(dir), signal }, dir);
}

const OWN = { name: 'apfel-bot', email: 'apfel-bot@localhost' };

export interface FixOptions {
  readonly files?: Readonly<Record<string, string>>;
  readonly message?: string;
  readonly run?: string;
  readonly author?: { readonly name: string; readonly email: string };
  readonly from?: string;
  /** Seconds, so that two runs make two commits. */
  readonly at?: number;
  readonly branch?: string;
}

export const RUN = '01JZ8Q4W6T7Y9ABCDEFGHJKMNP';

/** A commit as `fix-lint` makes it, and its bundle next to the outcome. */
export async function fixedCommit(
  { repo, dir, head }: PullFixture,
  request: FixOptions = {},
): Promise<string> {
  const { files = { 'src/a.js': 'let a = 1;\n' }, run = RUN, author = OWN, at = 1 } = request;
  const from = request.from ?? head;
  const message = `${request.message ?? 'Fix eslint no-var'}\n\nApfel-Bot-Run: ${run}\n`;
  const index = join(dir, 'index');
  const env = {
    ...gitEnv(dir),
    GIT_INDEX_FILE: index,
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_COMMITTER_NAME: author.name,
    GIT_COMMITTER_EMAIL: author.email,
    GIT_AUTHOR_DATE: `${1_000_000_000 + at} +0000`,
    GIT_COMMITTER_DATE: `${1_000_000_000 + at} +0000`,
  };
  const git = async (...args: string[]): Promise<string> =>
    (await exec('git', args, { cwd: repo.dir, env })).stdout.trim();
  await git('read-tree', from);
  for (const [path, text] of Object.entries(files)) {
    await writeFile(join(dir, 'blob'), text);
    const blob = await git('hash-object', '-w', '--no-filters', join(dir, 'blob'));
    await git('update-index', '--add', '--cacheinfo', `100644,${blob},${path}`);
  }
  const commit = await git('commit-tree', await git('write-tree'), '-p', from, '-m', message);
  const ref = `refs/heads/${request.branch ?? branchFor(from)}`;
  await git('update-ref', ref, commit);
  await git('bundle', 'create', '--quiet', join(dir, 'outcome.bundle'), ref, `^${from}`);
  await git('update-ref', '-d', ref);
  return commit;
}

export const branchFor = (base: string): string => `apfel-bot/fix-lint-${base.slice(0, 12)}`;

const EDIT: FixEdit = {
  path: 'src/a.js',
  diagnostic: { rule: 'no-var', line: 1 },
  status: 'kept',
  by: 'linter',
};

export const outcomeOf = (
  { head, pull }: Pick<PullFixture, 'head'> & { readonly pull: number | null },
  commit: string,
  parts: Partial<FixOutcome> = {},
): FixOutcome => ({
  ...EMPTY,
  task: 'fix-lint',
  run: RUN,
  change: { ...EMPTY.change, head, repository: REPOSITORY, pull },
  edits: [EDIT, { ...EDIT, diagnostic: { rule: 'semi', line: 1 } }],
  branch: { name: branchFor(head), commit, base: head, bundle: 'outcome.bundle' },
  diagnostics: { before: 3, after: 1, fixed: 2, introduced: 0 },
  ...parts,
});

interface Pushing extends Partial<PushJob> {
  readonly token?: string;
  readonly protect?: (path: string) => boolean;
  readonly through?: RemoteRepo;
  readonly githubApi?: Github;
}

/** Pushes in this process, without the waits that GitHub asks for. */
export async function pushIt(
  fixture: PullFixture,
  outcome: FixOutcome,
  { token, protect = () => false, through, githubApi, ...parts }: Pushing = {},
): Promise<PushReport> {
  const remoteRepo = through ?? (await fixture.remoteRepo(token));
  try {
    const job: PushJob = {
      outcome,
      file: join(fixture.dir, 'outcome.json'),
      pull: outcome.change.pull ?? undefined,
      eventBranch: undefined,
      isDryRun: false,
      isBranchOnly: false,
      isAnswer: false,
      runUrl: undefined,
      pause: async () => undefined,
      settingsAt: async () => ({
        prefix: 'apfel-bot',
        mayEdit: path => protectedPath(path) === undefined && !protect(path),
        author: undefined,
      }),
      ...parts,
    };
    return await push(job, {
      githubApi: githubApi ?? (await fixture.githubApi(token)),
      remoteRepo,
    });
  } finally {
    if (through === undefined) await remoteRepo.remove();
  }
}

/** The exit code and the message of a failure; code 0 without one. */
export async function endOf(work: Promise<unknown>): Promise<{ code: number; said: string }> {
  try {
    await work;
    return { code: 0, said: '' };
  } catch (thrown) {
    if (isBotError(thrown)) {
      return { code: EXIT[thrown.code], said: `${thrown.message}\n${thrown.hint ?? ''}` };
    }
    throw thrown;
  }
}
