import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type GithubOptions,
  type GithubStandIn,
  startGithub,
} from '../../fixtures/github/start-github.js';
import type { CommentRecord } from '../../fixtures/github/state.js';
import type { Request } from '../../src/respond/parse-command.js';
import { apfelBot, type CliRun } from '../support/cli.js';
import { openRepo, prepared, type Repo, withFolder } from '../support/with-repo.js';

export const REPOSITORY = 'ada/engine';

export interface CommentedPull {
  readonly github: GithubStandIn;
  /** A clone with the branches `main` and `topic`; `origin` is what GitHub serves. */
  readonly repo: Repo;
  readonly base: string;
  readonly head: string;
  readonly number: number;
  /** Lets so many seconds pass on GitHub. */
  pass(seconds: number): void;
  /** A commit on `topic`, pushed. */
  push(files: Readonly<Record<string, string>>): Promise<string>;
  say(body: string, author?: string): CommentRecord;
  /** `respond` to that comment, as the workflow calls it. */
  respond(comment: CommentRecord, more?: Responding): Promise<Answered>;
  /** Our own comments, oldest first. */
  ours(): string[];
  reactions(): string[];
}

interface Responding {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly event?: object;
}

interface Answered extends CliRun {
  readonly request: Request | undefined;
}

interface PullOptions {
  readonly github?: Partial<GithubOptions>;
  readonly before?: Readonly<Record<string, string>>;
  readonly change?: Readonly<Record<string, string>>;
}

/** A pull request from `topic` to `main` on a GitHub of its own, opened a minute ago. */
export async function withCommentedPull(
  body: (pull: CommentedPull) => Promise<void>,
  options: PullOptions = {},
): Promise<void> {
  await withFolder(async folder => {
    const time = { now: Date.parse('2026-05-01T12:00:00Z') };
    const { before = { 'a.js': 'one();\n' }, change = { 'a.js': 'one();\ntwo();\n' } } = options;
    await copyBranches(folder, before, change);
    const repo = openRepo(join(folder, 'clone'));
    const [base = '', head = ''] = (await repo.git('rev-parse', 'main', 'topic')).split('\n');
    const github = await startGithub({
      repository: REPOSITORY,
      gitDir: join(folder, 'engine.git'),
      roles: { grace: 'write' },
      strangers: ['eve'],
      clock: () => new Date(time.now),
      ...options.github,
    });
    try {
      const { number } = await github.openPull({ head: 'topic' });
      time.now += 60_000;
      await body(opened({ github, repo, base, head, number, time, folder }));
    } finally {
      await github.close();
    }
  });
}

type Contents = Readonly<Record<string, string>>;

const made = new Map<string, (dir: string) => Promise<void>>();

/** A clone with both branches, and the repository that it pushes to; made once for equal files. */
async function copyBranches(folder: string, before: Contents, change: Contents): Promise<void> {
  const key = JSON.stringify([before, change]);
  const make = async (dir: string): Promise<void> => {
    const outside = openRepo(dir);
    await outside.git('init', '--quiet', '--bare', '--initial-branch', 'main', 'engine.git');
    await outside.git('clone', '--quiet', 'engine.git', 'clone');
    const repo = openRepo(join(dir, 'clone'));
    await repo.git('config', 'maintenance.auto', 'false');
    await repo.commit(before, 'base');
    await repo.git('push', '--quiet', 'origin', 'main');
    await repo.git('switch', '--quiet', '--create', 'topic');
    await repo.commit(change, 'change');
    await repo.git('push', '--quiet', 'origin', 'topic');
  };
  const copy = made.get(key) ?? prepared(make, 'clone');
  made.set(key, copy);
  await copy(folder);
  const config = join(folder, 'clone', '.git', 'config');
  const text = await readFile(config, 'utf8');
  await writeFile(config, text.replace(/url = .*/, `url = ${join(folder, 'engine.git')}`));
}

type Opened = Pick<CommentedPull, 'github' | 'repo' | 'base' | 'head' | 'number'> & {
  readonly time: { now: number };
  readonly folder: string;
};

function opened({ time, folder, ...pull }: Opened): CommentedPull {
  const { github, repo, number } = pull;
  const self = 'github-actions[bot]';
  return {
    ...pull,
    pass: seconds => {
      time.now += seconds * 1000;
    },
    push: async files => {
      const commit = await repo.commit(files, 'more');
      await repo.git('push', '--quiet', 'origin', 'topic');
      return commit;
    },
    say: (text, author = 'grace') => github.comment({ pull: number, author, body: text }),
    respond: async (comment, { args = [], env = {}, event = {} } = {}) => {
      const out = join(folder, `request-${comment.id}.json`);
      const path = join(folder, 'event.json');
      await writeFile(path, JSON.stringify({ ...eventOf(comment), ...event }));
      const run = await apfelBot(['respond', '--out', out, ...args], {
        cwd: folder,
        env: {
          GITHUB_EVENT_PATH: path,
          GITHUB_REPOSITORY: REPOSITORY,
          GITHUB_API_URL: github.url,
          GITHUB_TOKEN: github.token,
          ...env,
        },
      });
      const text = await readFile(out, 'utf8').catch(() => undefined);
      return { ...run, request: text === undefined ? undefined : JSON.parse(text) };
    },
    ours: () =>
      github.state.comments.filter(({ author }) => author === self).map(each => each.body),
    reactions: () => github.state.reactions.map(({ content }) => content),
  };
}

/** What GitHub sends for a new comment, as far as anybody reads it. */
const eventOf = ({ id, body, author, pull, createdAt }: CommentRecord): object => ({
  action: 'created',
  issue: { number: pull, state: 'open', pull_request: { url: 'https://api.github.com/…' } },
  comment: {
    id,
    body,
    user: { login: author, type: 'User' },
    author_association: 'MEMBER',
    created_at: createdAt,
    updated_at: createdAt,
    performed_via_github_app: null,
  },
  repository: { full_name: REPOSITORY },
  sender: { login: author, type: 'User' },
});
