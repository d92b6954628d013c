import { chmod, cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import * as assert from 'uvu/assert';
import { type Policy, type StandIn, startStandIn } from '../../fixtures/apfel/stand-in.js';
import type { TokenOptions } from '../../fixtures/github/actor.js';
import {
  type GithubOptions,
  type GithubStandIn,
  startGithub,
} from '../../fixtures/github/start-github.js';
import type { CommentRecord, PullRecord } from '../../fixtures/github/state.js';
import { openRepo, type Repo, withFolder } from '../support/with-repo.js';
import {
  type CommentEventFacts,
  commentEvent,
  pullEvent,
  type WorkflowEvent,
} from './made-event.js';
import { runWorkflow, type Surroundings, type WorkflowRun } from './run-workflow.js';

const REPOSITORY = 'ada/engine';
const SELF = 'github-actions[bot]';

export interface Actions {
  readonly hub: GithubStandIn;
  readonly apfel: StandIn;
  readonly folder: string;
  /** Where the commit of our own action is unpacked. */
  readonly action: string;
  /** A clone with `main` and `topic`. */
  readonly repo: Repo;
  readonly pull: PullRecord;
  /** Lets so many seconds pass on GitHub. */
  pass(seconds: number): void;
  pullEvent(action: string, label?: string): Promise<WorkflowEvent>;
  /** Somebody writes a comment. */
  comment(body: string, author?: string, more?: Partial<CommentEventFacts>): WorkflowEvent;
  run(
    file: string,
    event: WorkflowEvent,
    meanwhile?: NonNullable<Surroundings['meanwhile']>,
  ): Promise<WorkflowRun>;
  /** Our own comments, oldest first. */
  ours(): CommentRecord[];
  main(): Promise<string>;
}

interface ActionsOptions {
  readonly policy?: Policy;
  readonly before?: Readonly<Record<string, string>>;
  readonly change?: Readonly<Record<string, string>>;
  /** The pull request comes from a fork of eve's. */
  readonly isFork?: boolean;
  readonly isDraft?: boolean;
  readonly github?: Partial<GithubOptions>;
  readonly vars?: Surroundings['vars'];
  readonly isLost?: Surroundings['isLost'];
  /** The action builds a copy of this repository, instead of finding it built. */
  readonly isUnbuilt?: boolean;
  /** The npm of this machine instead of a stand-in. */
  readonly isRealNpm?: boolean;
}

/** A repository with a pull request on a GitHub, a Mac with a model, and hosted machines without. */
export async function withActions(
  body: (actions: Actions) => Promise<void>,
  options: ActionsOptions = {},
): Promise<void> {
  await withFolder(async folder => {
    const repo = await madeRepo(folder, options);
    const time = { now: Date.parse('2026-05-01T12:00:00Z') };
    const tokens: TokenOptions[] = [];
    const apfel = await startStandIn(
      options.policy === undefined ? {} : { policy: options.policy },
    );
    const hub = await startGithub({
      repository: REPOSITORY,
      gitDir: join(folder, 'engine.git'),
      tokens,
      // What is private is read by nobody without the permission, so that each job must have it.
      isPrivate: true,
      roles: { grace: 'write', tom: 'triage' },
      strangers: ['eve'],
      clock: () => new Date(time.now),
      ...options.github,
    });
    try {
      const pull = await openPull(hub, repo, options);
      time.now += 60_000;
      const programs = await installNpm(folder, options.isRealNpm === true);
      const isBuilt = options.isUnbuilt !== true;
      const action = await unpackAction(folder, isBuilt);
      const machines = { programs, action, isBuilt, mac: macWith(apfel) };
      const around = { folder, repository: REPOSITORY, hub, tokens, ...machines };
      const more = { vars: options.vars ?? {}, isLost: options.isLost ?? (() => false) };
      await body(opened({ hub, apfel, folder, action, repo, pull }, { ...around, ...more }, time));
      assert.equal(hub.violations, []);
    } finally {
      await hub.close();
      await apfel.close();
    }
  });
}

/** Its environment says where the server is, as a runner's `.env` file does. */
const macWith = ({ baseUrl }: StandIn) => ({ APFEL_BOT_BASE_URL: baseUrl });

async function madeRepo(folder: string, { before, change }: ActionsOptions): Promise<Repo> {
  const outside = openRepo(folder);
  await outside.git('init', '--quiet', '--bare', '--initial-branch', 'main', 'engine.git');
  await outside.git('clone', '--quiet', 'engine.git', 'clone');
  const repo = openRepo(join(folder, 'clone'));
  await repo.commit({ 'a.js': 'one();\n', ...before }, 'base');
  await repo.git('push', '--quiet', 'origin', 'main');
  await repo.git('switch', '--quiet', '--create', 'topic');
  await repo.commit(change ?? { 'a.js': 'one();\ndebugger;\n' }, 'change');
  return repo;
}

async function openPull(
  hub: GithubStandIn,
  repo: Repo,
  options: ActionsOptions,
): Promise<PullRecord> {
  const { isFork = false, isDraft = false } = options;
  const place = isFork ? await hub.fork('eve') : 'origin';
  await repo.git('push', '--quiet', place, 'topic');
  return isFork
    ? hub.openPull({ head: 'eve:topic', author: 'eve', isDraft })
    : hub.openPull({ head: 'topic', isDraft });
}

/** Where a runner unpacks `uses: OWNER/apfel-bot@COMMIT`: the files of the commit, and no `.git`. */
async function unpackAction(folder: string, isBuilt: boolean): Promise<string> {
  const action = join(folder, '_actions', 'OWNER', 'apfel-bot', 'COMMIT');
  await mkdir(dirname(action), { recursive: true });
  if (isBuilt) await symlink(resolve('.'), action);
  else {
    const ignored = ['.git', 'node_modules', 'out', 'dist', 'src/generated', 'test'];
    const filter = (path: string): boolean => !ignored.includes(relative('.', path));
    await cp('.', action, { recursive: true, filter });
  }
  return action;
}

/** An npm that takes what is installed here already for what a lockfile names, and does nothing else. */
async function installNpm(folder: string, isReal: boolean): Promise<string> {
  const programs = join(folder, 'programs');
  await mkdir(programs);
  const script = `#!/bin/sh
case "$*" in
  'ci --ignore-scripts'*) ;;
  *) echo "npm was called with $*"; exit 1 ;;
esac
if [ ! -e package-lock.json ]; then echo 'npm ci was called without a lockfile'; exit 1; fi
echo "stand-in for npm $*"
ln -s '${resolve('node_modules')}' node_modules
`;
  const { PATH, HOME } = process.env;
  const real = `#!/bin/sh\nPATH='${PATH}' HOME='${HOME}' NODE_ENV=production exec npm "$@" --prefer-offline\n`;
  await writeFile(join(programs, 'npm'), isReal ? real : script);
  await chmod(join(programs, 'npm'), 0o755);
  return programs;
}

type Parts = Pick<Actions, 'hub' | 'apfel' | 'folder' | 'action' | 'repo' | 'pull'>;

function opened(parts: Parts, around: Surroundings, time: { now: number }): Actions {
  const { hub, pull, folder } = parts;
  const bare = openRepo(join(folder, 'engine.git'));
  const main = () => bare.git('rev-parse', 'refs/heads/main');
  return {
    ...parts,
    main,
    pass: seconds => {
      time.now += seconds * 1000;
    },
    pullEvent: async (action, label) => {
      const { number, baseSha, headSha } = pull;
      const tree = await bare.git('merge-tree', '--write-tree', baseSha, headSha);
      const merge = await bare.git(
        ...['commit-tree', '-p', baseSha, '-p', headSha, '-m', 'merge', tree.slice(0, 40)],
      );
      await bare.git('update-ref', `refs/pull/${number}/merge`, merge);
      const facts = { action, repository: REPOSITORY, merge };
      return pullEvent(pull, label === undefined ? facts : { ...facts, label });
    },
    comment: (body, author = 'grace', more = {}) => {
      const comment = hub.comment({ pull: pull.number, author, body });
      return commentEvent(comment, { repository: REPOSITORY, sha: pull.baseSha, ...more });
    },
    run: (file, event, meanwhile = async () => undefined) =>
      runWorkflow(file, event, { ...around, meanwhile }),
    ours: () => hub.state.comments.filter(({ author }) => author === SELF),
  };
}
