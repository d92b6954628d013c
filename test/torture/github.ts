import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { fingerprint } from '../git/scratch-harness.js';
import * as posting from '../publish/post-fixture.js';
import * as pushing from '../publish/push-fixture.js';
import * as commenting from '../respond/commented-pull.js';
import { apfelBot, CLI } from '../support/cli.js';
import { gitEnv, openRepo, type Repo } from '../support/with-repo.js';
import type { Scenario, Victim } from './scenario.js';

/** Objects, our refs and our records. */
const isOurs = (path: string): boolean =>
  /^\.git\/(objects|apfel-bot|(logs\/)?refs\/(notes|apfel-bot))(\/|$)/.test(path);

/** A scene that stays open until it is closed. */
async function hold<Scene>(
  within: (body: (fixture: Scene) => Promise<void>) => Promise<void>,
): Promise<{ fixture: Scene; close: () => Promise<void> }> {
  let release = (): void => undefined;
  const over = new Promise<void>(done => {
    release = done;
  });
  let ended: Promise<void> = over;
  const fixture = await new Promise<Scene>((resolve, reject) => {
    ended = within(async found => {
      resolve(found);
      await over;
    });
    ended.catch(reject);
  });
  return {
    fixture,
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
  fixture: Published,
  args: readonly string[],
  check: () => Promise<void>,
  takeAway: () => Promise<void>,
  more: Readonly<Record<string, string>> = {},
): Omit<Victim, 'close'> {
  const env = { ...publishing(fixture), ...more };
  const again = async (): Promise<void> => {
    const run = await apfelBot(args, { cwd: fixture.dir, env });
    assert.is(run.code, 0, run.stderr);
    await check();
  };
  return {
    repo: fixture.repo,
    argv: [process.execPath, CLI, ...args],
    cwd: fixture.dir,
    env,
    exitCode: 0,
    state: () => fingerprint(fixture.repo.dir, isOurs),
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
    const { fixture: scene, close } = await hold<posting.PullFixture>(posting.withFixture);
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
    const { fixture: scene, close } = await hold<pushing.PullFixture>(pushing.withFixture);
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

/** The help is posted, or the request is written; both are seen in the reaction. */
const respond = (body: string): Scenario => ({
  name: `respond ${body}`,
  open: async () => {
    const { fixture: scene, close } = await hold<commenting.CommentedPull>(
      commenting.withCommentedPull,
    );
    const { state } = scene.github;
    const comment = scene.say(body);
    const isAnswered = (await scene.respond(comment)).request?.decision === 'answered';
    const dir = join(scene.repo.dir, '..');
    const out = join(dir, 'request.json');
    const check = async (): Promise<void> => {
      assert.is(scene.ours().length, isAnswered ? 1 : 0, 'one answer, if any');
      assert.is(scene.reactions().length, 1, 'one reaction');
      assert.is(JSON.parse(await readFile(out, 'utf8')).decision, isAnswered ? 'answered' : 'run');
    };
    const takeAway = async (): Promise<void> => {
      state.comments.splice(state.comments.indexOf(comment) + 1);
      state.reactions.splice(0);
      await rm(out, { force: true });
    };
    const victim = publishVictim({ ...scene, dir }, ['respond', '--out', out], check, takeAway, {
      GITHUB_EVENT_PATH: join(dir, 'event.json'),
      GITHUB_REPOSITORY: commenting.REPOSITORY,
    });
    return { ...victim, close };
  },
});

/** What the Mac does with an admitted command. */
const run: Scenario = {
  name: 'run',
  open: async () => {
    const { fixture: scene, close } = await hold<commenting.CommentedPull>(
      commenting.withCommentedPull,
    );
    const dir = join(scene.repo.dir, '..');
    const { request } = await scene.respond(scene.say('/apfel review'));
    await writeFile(join(dir, 'request.json'), JSON.stringify(request));
    const how = ['--quiet', '--no-local', '--single-branch', '--branch', 'main'];
    await openRepo(dir).git('clone', ...how, 'engine.git', 'mac');
    const mac = openRepo(join(dir, 'mac'));
    const args = ['run', '../request.json', '--no-model', '--out', '../outcome.json'];
    return {
      repo: mac,
      argv: [process.execPath, CLI, ...args],
      cwd: mac.dir,
      env: { ...gitEnv(dir), GITHUB_REPOSITORY: commenting.REPOSITORY },
      exitCode: 0,
      state: () => fingerprint(mac.dir, isOurs),
      afterwards: async () => {
        const outcome = JSON.parse(await readFile(join(dir, 'outcome.json'), 'utf8'));
        assert.is(outcome.complete, true);
      },
      close,
    };
  },
};

export const GITHUB_SCENARIOS: readonly Scenario[] = [
  post,
  push,
  respond('/apfel help'),
  respond('/apfel review'),
  run,
];
