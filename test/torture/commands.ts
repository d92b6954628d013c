import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { fingerprint } from '../git/scratch-harness.js';
import * as posting from '../publish/post-scene.js';
import * as pushing from '../publish/push-scene.js';
import { apfelBot, CLI } from '../support/cli.js';
import { gitEnv, openRepo, type Repo } from '../support/with-repo.js';
import type { Scenario, Victim } from './scenario.js';

/** Objects, notes, our own records and, for install, the hooks. */
const isOurs = (path: string): boolean =>
  /^\.git\/(objects|apfel-bot|hooks|(logs\/)?refs\/(notes|apfel-bot))(\/|$)/.test(path);

const ENV = { APFEL_BOT_BASE_URL: 'http://127.0.0.1:9/v1' };

interface Local {
  readonly args: readonly string[];
  readonly exitCode?: number;
  prepare?(repo: Repo): Promise<void>;
  afterwards?(repo: Repo): Promise<void>;
}

const show = (repo: Repo): Promise<string> =>
  repo.git('notes', '--ref=apfel-bot', 'show', 'HEAD').catch(() => '');

/** Commands that stay on this machine. */
const LOCAL: Readonly<Record<string, Local>> = {
  review: {
    args: ['review', '--no-model', '--commit', 'HEAD', '--out', '../out.json'],
    afterwards: async repo => {
      const outcome = JSON.parse(await readFile(join(repo.dir, '../out.json'), 'utf8'));
      assert.is(outcome.complete, true);
    },
  },
  plan: { args: ['plan', '--commit', 'HEAD'] },
  show: { args: ['show'] },
  merge: { args: ['merge', '../whole.json'] },
  describe: { args: ['describe', '--commit', 'HEAD'], exitCode: 4 },
  ask: { args: ['ask', 'why?'], exitCode: 4 },
  'post --note': {
    args: ['post', '../whole.json', '--note'],
    afterwards: async repo => assert.is((await show(repo)).split('\n').filter(Boolean).length, 1),
  },
  'notes push': {
    args: ['notes', 'push'],
    prepare: async repo => {
      await repo
        .git('push', '--quiet', '--force', 'origin', ':refs/notes/apfel-bot')
        .catch(() => '');
    },
    afterwards: async repo => {
      const listed = await repo.git('ls-remote', 'origin', 'refs/notes/apfel-bot');
      assert.is(listed.slice(0, 40), await repo.git('rev-parse', 'refs/notes/apfel-bot'));
    },
  },
  'notes fetch': { args: ['notes', 'fetch'] },
  install: {
    args: ['install'],
    prepare: async repo => {
      // What npm would have put there.
      await repo.write('node_modules/apfel-bot/dist/cli.cjs', `require(${JSON.stringify(CLI)})\n`);
      await repo.write('.git/info/exclude', 'node_modules\n');
    },
    afterwards: async repo => {
      const hook = await readFile(join(repo.dir, '.git/hooks/pre-commit'), 'utf8');
      assert.match(hook, 'apfel-bot');
      assert.is((await apfelBot(['uninstall'], { cwd: repo.dir })).code, 0);
    },
  },
};

async function openRepository(folder: string): Promise<Repo> {
  await openRepo(folder).git('init', '--quiet', '--initial-branch', 'main', 'repo');
  const repo = openRepo(join(folder, 'repo'));
  await repo.commit({ 'a.js': 'one();\n' }, 'first');
  await repo.commit({ 'a.js': 'one();\ntwo();\n' }, 'second');
  await openRepo(folder).git('clone', '--quiet', '--bare', 'repo', 'far.git');
  await repo.git('remote', 'add', 'origin', '../far.git');
  const args = ['review', '--no-model', '--commit', 'HEAD', '--out', '../whole.json'];
  await apfelBot(args, { cwd: repo.dir, env: ENV });
  await apfelBot(['post', '../whole.json', '--note'], { cwd: repo.dir, env: ENV });
  await apfelBot(['notes', 'push'], { cwd: repo.dir, env: ENV });
  await repo.stage('b.js', 'staged();\n');
  await repo.write('a.js', 'unsaved();\n');
  return repo;
}

const localScenario = (name: string, local: Local): Scenario => ({
  name,
  open: async folder => {
    const repo = await openRepository(folder);
    return {
      repo,
      argv: [process.execPath, CLI, ...local.args],
      cwd: repo.dir,
      env: { ...gitEnv(repo.dir), ...ENV },
      exitCode: local.exitCode ?? 0,
      state: () => fingerprint(repo.dir, isOurs),
      prepare: async () => local.prepare?.(repo),
      afterwards: async () => local.afterwards?.(repo),
      close: async () => undefined,
    };
  },
});

/** A scene that stays open until it is closed. */
async function hold<Scene>(
  within: (body: (scene: Scene) => Promise<void>) => Promise<void>,
): Promise<{ scene: Scene; close: () => Promise<void> }> {
  let release = (): void => undefined;
  const over = new Promise<void>(done => {
    release = done;
  });
  let ended: Promise<void> = over;
  const scene = await new Promise<Scene>((resolve, reject) => {
    ended = within(async found => {
      resolve(found);
      await over;
    });
    ended.catch(reject);
  });
  return {
    scene,
    close: async () => {
      release();
      await ended;
    },
  };
}

interface Published {
  readonly repo: Repo;
  readonly dir: string;
  readonly github: { readonly token: string; readonly url: string; readonly gitHttpUrl: string };
}

const publishing = ({ github, dir }: Published): Readonly<Record<string, string>> => ({
  ...gitEnv(dir),
  GITHUB_TOKEN: github.token,
  GITHUB_API_URL: github.url,
  GITHUB_SERVER_URL: new URL(github.gitHttpUrl).origin,
  GITHUB_REPOSITORY: 'ada/fixture',
});

/**
 * Before each run the last one, killed or not, is followed by a whole one; then everything is there
 * once, and is taken away again so that there is something to publish.
 */
function publishVictim(
  scene: Published,
  args: readonly string[],
  check: () => Promise<void>,
  takeAway: () => Promise<void>,
): Omit<Victim, 'close'> {
  const env = publishing(scene);
  const again = async (): Promise<void> => {
    const run = await apfelBot(args, { cwd: scene.dir, env });
    assert.is(run.code, 0, run.stderr);
    await check();
  };
  return {
    repo: scene.repo,
    argv: [process.execPath, CLI, ...args],
    cwd: scene.dir,
    env,
    exitCode: 0,
    state: () => fingerprint(scene.repo.dir, isOurs),
    prepare: async () => {
      await again();
      await takeAway();
    },
    afterwards: again,
  };
}

const post: Scenario = {
  name: 'post',
  open: async () => {
    const { scene, close } = await hold<posting.Scene>(posting.withScene);
    const { state } = scene.github;
    const outcome = posting.outcomeOf(await scene.head(), [posting.DEBUGGER, posting.NINE]);
    const file = await posting.keepOutcome(scene.dir, outcome);
    const check = async (): Promise<void> => {
      assert.is(state.comments.length, 1, 'one summary');
      assert.is(state.reviewComments.length, 2, 'one comment for each finding');
      assert.is(new Set(state.checks.map(({ headSha }) => headSha)).size, 1, 'one commit checked');
    };
    const takeAway = async (): Promise<void> => {
      for (const list of [state.comments, state.reviewComments, state.checks]) list.splice(0);
    };
    return { ...publishVictim(scene, ['post', file, '--check'], check, takeAway), close };
  },
};

const push: Scenario = {
  name: 'push',
  open: async () => {
    const { scene, close } = await hold<pushing.Scene>(pushing.withScene);
    const { state } = scene.github;
    const outcome = pushing.outcomeOf(scene, await pushing.fixedCommit(scene));
    await writeFile(join(scene.dir, 'outcome.json'), JSON.stringify(outcome));
    const check = async (): Promise<void> => {
      assert.is((await scene.ours()).length, 1, 'one branch');
      assert.is(state.pulls.length, 2, 'one pull request besides the one that was linted');
      assert.is(state.comments.length, 1, 'one comment');
    };
    const takeAway = async (): Promise<void> => {
      state.pulls.splice(1);
      state.comments.splice(0);
      await scene.repo.git('push', '--quiet', 'origin', `:${pushing.branchFor(scene.head)}`);
      await rm(join(scene.repo.dir, '.git/apfel-bot'), { recursive: true, force: true });
    };
    return { ...publishVictim(scene, ['push', 'outcome.json'], check, takeAway), close };
  },
};

export const COMMAND_SCENARIOS: readonly Scenario[] = [
  ...Object.entries(LOCAL).map(([name, local]) => localScenario(name, local)),
  post,
  push,
];
