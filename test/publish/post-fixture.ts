import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type GithubOptions,
  type GithubStandIn,
  startGithub,
} from '../../fixtures/github/start-github.js';
import { EXIT, isBotError } from '../../src/core/bot-error.js';
import { type FindingWithoutId, nameFindings } from '../../src/core/finding.js';
import type { Outcome } from '../../src/core/outcome.js';
import type { Github } from '../../src/github/github.js';
import { openGithub } from '../../src/github/github.js';
import { openPause } from '../../src/github/target.js';
import { readSticky } from '../../src/publish/own-comments.js';
import { type PostJob, type PostReport, post } from '../../src/publish/post.js';
import { claim, EMPTY, ledger } from '../report/sample-outcome.js';
import { openRepo, type Repo, withFolder } from '../support/with-repo.js';
import { twoBranches } from './two-branches.js';

export const REPOSITORY = 'ada/fixture';
export const LOGIN = 'github-actions[bot]';

/** A pull request on a GitHub stand-in, and the clone of its author. */
export interface PullFixture {
  readonly dir: string;
  readonly repo: Repo;
  readonly github: GithubStandIn;
  readonly pull: number;
  /** The commit the pull request is at. */
  readonly head: () => Promise<string>;
  /** Commits on the branch of the pull request and pushes it. */
  push(files: Readonly<Record<string, string>>): Promise<string>;
  githubApi(parts?: { token?: string; deadlineMs?: number }): Promise<Github>;
}

/** Thirty quiet lines, so that there is something outside the diff. */
const QUIET = Array.from({ length: 30 }, (_, at) => `const line${at + 1} = ${at + 1};\n`);

/** `QUIET` with some lines replaced, counted from 1. */
export const withLines = (lines: Readonly<Record<number, string>>): string =>
  QUIET.map((text, at) => lines[at + 1] ?? text).join('');

const copyFixture = twoBranches(
  { 'src/a.js': QUIET.join(''), 'README.md': '# fixture\n' },
  { 'src/a.js': withLines({ 5: 'debugger;\n', 9: 'const nine = 10;\n' }) },
);

export async function withFixture(
  body: (fixture: PullFixture) => Promise<void>,
  options: Partial<GithubOptions> = {},
): Promise<void> {
  await withFolder(async dir => {
    await copyFixture(dir);
    const repo = openRepo(join(dir, 'clone'));
    const gitDir = join(dir, 'hub.git');
    const push = async (files: Readonly<Record<string, string>>): Promise<string> => {
      const commit = await repo.commit(files);
      await repo.git('push', '--quiet', '--force', 'origin', 'topic');
      return commit;
    };
    const github = await startGithub({ repository: REPOSITORY, gitDir, ...options });
    try {
      const { number } = await github.openPull({ head: 'topic' });
      await body({
        dir,
        repo,
        github,
        pull: number,
        head: () => repo.git('rev-parse', 'topic'),
        push,
        githubApi: parts => openGithubFor(github, parts),
      });
    } finally {
      await github.close();
    }
  });
}

const openGithubFor = (
  github: GithubStandIn,
  { token = github.token, deadlineMs = 120_000 }: { token?: string; deadlineMs?: number } = {},
): Promise<Github> =>
  openGithub(
    { token, apiUrl: github.url, owner: 'ada', name: 'fixture' },
    {
      signal: AbortSignal.timeout(deadlineMs),
      deadlineAt: Date.now() + deadlineMs,
      version: '0.0.0',
      paceMs: 0,
      retryMs: 1,
      secondMs: 1,
    },
  );

/** The debugger of the first push. */
export const DEBUGGER = { path: 'src/a.js', line: 5, endLine: 5, evidence: 'debugger;' };
/** Its other changed line, as a model may see it. */
export const NINE: Partial<FindingWithoutId> = {
  path: 'src/a.js',
  line: 9,
  endLine: 9,
  rule: 'model/bug',
  source: 'model',
  severity: 'error',
  message: 'Nine is ten.',
  evidence: 'const nine = 10;',
};

export const outcomeOf = (
  head: string,
  claims: ReadonlyArray<Partial<FindingWithoutId>>,
  parts: Partial<Outcome> = {},
): Outcome => ({
  ...EMPTY,
  task: 'review',
  change: { ...EMPTY.change, head, repository: REPOSITORY, pull: 1, files: 1, hunks: 2 },
  ledger: ledger({ total: 2, reviewed: 2 }),
  findings: nameFindings(claims.map(claim)),
  ...parts,
});

/** Posts in this process, without the waits that GitHub asks for. */
export const postIt = (
  githubApi: Github,
  outcome: PostJob['outcome'],
  parts: Partial<PostJob> & { maxComments?: number; author?: string } = {},
): Promise<PostReport> =>
  post(
    {
      outcome,
      pull: 1,
      withCheck: false,
      isDryRun: false,
      keep: async () => undefined,
      runUrl: undefined,
      pause: () => openPause(AbortSignal.timeout(1000))(1),
      settingsFor: async () => ({
        failOn: 'error',
        maxComments: parts.maxComments ?? 20,
        author: parts.author,
      }),
      ...parts,
    },
    githubApi,
  );

/** Every write; asking who we are is a POST, too, and none. */
export const writesOf = (github: GithubStandIn): ReturnType<GithubStandIn['writes']> =>
  github.writes().filter(({ path }) => path !== '/graphql');

export const stickyText = (github: GithubStandIn): string =>
  github.state.comments
    .filter(({ author }) => author === LOGIN)
    .flatMap(({ body }) => readSticky(body)?.text ?? [])
    .join('\n');

/** The exit code that a failure leads to; 0 without one. */
export async function exitOf(work: Promise<unknown>): Promise<number> {
  try {
    await work;
    return 0;
  } catch (thrown) {
    if (isBotError(thrown)) return EXIT[thrown.code];
    throw thrown;
  }
}

export async function keepOutcome(dir: string, outcome: unknown): Promise<string> {
  const file = join(dir, 'outcome.json');
  await writeFile(file, JSON.stringify(outcome));
  return file;
}
