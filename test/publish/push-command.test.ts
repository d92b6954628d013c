import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { TokenOptions } from '../../fixtures/github/actor.js';
import { until } from '../hooks/hooked-repo.js';
import { apfelBot, CLI, type CliRun } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { gitEnv } from '../support/with-repo.js';
import { fixedCommit, LOGIN, outcomeOf, REPOSITORY, type Scene, withScene } from './push-scene.js';

const test = suite('push');

/** As the publishing job: a folder with nothing in it but the outcome and its bundle. */
async function pushed(
  { dir, github }: Scene,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<CliRun> {
  const cwd = join(dir, 'job');
  await mkdir(cwd, { recursive: true });
  return apfelBot(['push', '../outcome.json', ...args], {
    cwd,
    env: {
      GITHUB_REPOSITORY: REPOSITORY,
      GITHUB_API_URL: github.url,
      GITHUB_TOKEN: github.token,
      ...env,
    },
  });
}

async function prepare(scene: Scene): Promise<string> {
  const commit = await fixedCommit(scene);
  await writeFile(join(scene.dir, 'outcome.json'), JSON.stringify(outcomeOf(scene, commit)));
  return commit;
}

const opened = ({ github }: Scene) => github.state.pulls.slice(1);

test('without a checkout, with the token in no argument and in no output', () =>
  withScene(async scene => {
    const commit = await prepare(scene);
    const [bin, log] = [join(scene.dir, 'bin'), join(scene.dir, 'git.log')];
    await mkdir(bin);
    await writeFile(
      join(bin, 'git'),
      `#!/bin/sh\nprintf '%s\\n' "$*" >> ${log}\nPATH=${process.env['PATH']} exec git "$@"\n`,
    );
    await chmod(join(bin, 'git'), 0o755);
    const run = await pushed(scene, ['--verbose'], {
      PATH: `${bin}:${process.env['PATH']}`,
      GIT_TRACE_CURL: '1',
      GIT_TRACE: '1',
    });
    assert.is(run.code, 0, run.stderr);
    assert.match((await scene.ours()).join(), commit);
    assert.is(opened(scene)[0]?.base, 'topic');
    const words = await readFile(log, 'utf8');
    assert.match(words, /push .*--force-with-lease=/);
    const basic = Buffer.from(`x-access-token:${scene.github.token}`).toString('base64');
    for (const secret of [scene.github.token, basic]) {
      assert.not.ok(`${words}${run.stdout}${run.stderr}`.includes(secret), 'the token is hidden');
    }
    assert.equal(scene.github.violations, []);
  }));

interface Trouble {
  readonly title: string;
  readonly code: number;
  readonly said: RegExp;
  readonly env?: Readonly<Record<string, string>>;
  readonly before?: (scene: Scene) => void;
  /** Whether the branch stays. */
  readonly hasBranch?: boolean;
}

const TOKENS: readonly TokenOptions[] = [
  { token: 'ghs_test' },
  { token: 'ghs_read', permissions: { contents: 'read', pull_requests: 'read' } },
  { token: 'ghs_contents', permissions: { contents: 'write', issues: 'write' } },
  { token: 'ghs_app', login: 'scriptedFixer[bot]' },
];

const TROUBLES: readonly Trouble[] = [
  { title: 'no token', code: 5, said: /GITHUB_TOKEN is not set/, env: { GITHUB_TOKEN: '' } },
  {
    title: 'an unknown token',
    code: 5,
    said: /rejected the token/,
    env: { GITHUB_TOKEN: 'ghs_none' },
  },
  {
    title: 'a token that may only read',
    code: 7,
    said: /isn't allowed to push \(Permission to ada\/fixture.git denied[\s\S]*contents: write/,
    env: { GITHUB_TOKEN: 'ghs_read' },
  },
  {
    title: 'a token that may not open pull requests',
    code: 7,
    said: /the branch is pushed, but[\s\S]*pull-requests: write[\s\S]*\/compare\/topic\.\.\.apfel-bot/,
    env: { GITHUB_TOKEN: 'ghs_contents' },
    hasBranch: true,
  },
  {
    title: 'a setting that is off',
    code: 5,
    said: /Allow GitHub Actions to create and approve[\s\S]*\/compare\/topic\.\.\.apfel-bot/,
    before: ({ github }) => {
      github.state.mayActionsCreatePulls = false;
    },
    hasBranch: true,
  },
  {
    title: 'an archived repository',
    code: 7,
    said: /archived/,
    before: ({ github }) => github.archive(),
  },
  {
    title: 'another repository',
    code: 7,
    said: /is for ada\/fixture, not for eve\/other/,
    env: { GITHUB_REPOSITORY: 'eve/other' },
  },
  {
    title: 'a server that would see the token in the open',
    code: 2,
    said: /GITHUB_SERVER_URL/,
    env: { GITHUB_SERVER_URL: 'http://github.test' },
  },
];

for (const { title, code, said, env, before, hasBranch = false } of TROUBLES) {
  test.long(`${title}: exit ${code}, the outcome is kept`, () =>
    withScene(
      async scene => {
        await prepare(scene);
        before?.(scene);
        const run = await pushed(scene, [], env);
        assert.match(run.stderr, said);
        assert.is(run.code, code, run.stderr);
        if (code !== 2) assert.match(run.stderr, 'The outcome is kept: ../outcome.json');
        assert.is((await scene.ours()).length, hasBranch ? 1 : 0);
        assert.equal(opened(scene), []);
        assert.not.match(run.stderr, /\n\s+at /);
        const told = scene.github.state.comments.filter(({ author }) => author === LOGIN);
        assert.is(told.length, hasBranch ? 1 : 0, 'who asked is told where to open it');
      },
      { tokens: TOKENS },
    ),
  );
}

test.long('the token of an app opens it whatever the setting says', () =>
  withScene(
    async scene => {
      await prepare(scene);
      const run = await pushed(scene, [], { GITHUB_TOKEN: 'ghs_app' });
      assert.is(run.code, 0, run.stderr);
      assert.is(opened(scene)[0]?.author, 'scriptedFixer[bot]');
      assert.not.match(run.stdout + opened(scene)[0]?.body, /GITHUB_TOKEN/);
    },
    { tokens: TOKENS, mayActionsCreatePulls: false },
  ),
);

test.long('--branch-only prints the link and succeeds; --dry-run only prints', () =>
  withScene(async scene => {
    await prepare(scene);
    const dry = await pushed(scene, ['--dry-run']);
    assert.is(dry.code, 0, dry.stderr);
    assert.match(dry.stdout, 'would push apfel-bot/fix-lint-');
    assert.equal(await scene.ours(), []);
    const run = await pushed(scene, ['--branch-only']);
    assert.is(run.code, 0, run.stderr);
    assert.match(run.stdout, /open a pull request: \S+\/compare\/topic\.\.\.apfel-bot\/fix/);
    assert.is((await scene.ours()).length, 1);
    assert.equal(opened(scene), []);
  }),
);

test('what the base protects is not pushed, whatever the head says', () =>
  withScene(async scene => {
    const { repo, main } = scene;
    await repo.git('switch', '--quiet', 'main');
    assert.is(await repo.git('rev-parse', 'HEAD'), main);
    await repo.commit({ '.apfel-bot.json': '{"branch":{"protect":["src/a.*"]}}\n' });
    await repo.git('push', '--quiet', 'origin', 'main');
    await prepare(scene);
    const run = await pushed(scene);
    assert.is(run.code, 7, run.stderr);
    assert.match(run.stderr, '"src/a.js" may not be edited');
    assert.equal(await scene.ours(), []);
  }));

test.long('in a clone its origin says which repository', () =>
  withScene(async scene => {
    await prepare(scene);
    const { github, repo } = scene;
    await repo.git('remote', 'set-url', 'origin', github.gitHttpUrl);
    const env = { GITHUB_API_URL: github.url, GITHUB_TOKEN: github.token };
    const run = await apfelBot(['push', '../outcome.json'], { cwd: repo.dir, env });
    assert.is(run.code, 0, run.stderr);
    assert.is(opened(scene).length, 1);
  }),
);

test('what is not an outcome of fix-lint is a mistake on the command line', () =>
  withScene(async scene => {
    await prepare(scene);
    const { dir } = scene;
    const whole = outcomeOf(scene, scene.head);
    const { branch, edits, diagnostics, ...review } = { ...whole, task: 'review' };
    assert.ok(branch && edits && diagnostics);
    await writeFile(join(dir, 'outcome.json'), JSON.stringify(review));
    const run = await pushed(scene);
    assert.is(run.code, 2);
    assert.match(run.stderr, 'publish one of review with post');
    const none = await apfelBot(['push'], { cwd: dir });
    assert.is(none.code, 2);
    await writeFile(join(dir, 'outcome.json'), JSON.stringify({ ...whole, evil: 1 }));
    const bent = await pushed(scene);
    assert.is(bent.code, 5);
    assert.match(bent.stderr, /evil[\s\S]*The outcome is kept/);
  }));

/** Starts it where GitHub takes its time, and ends it as soon as it has begun to work. */
async function cutShort({ dir, github }: Scene, temp: string, signal: NodeJS.Signals) {
  const slowed = (): number => github.requests.filter(({ fault }) => fault === 'slow').length;
  const before = slowed();
  github.addFault({ on: 'pulls/get', kind: 'slow', delayMs: 600_000 });
  const child = spawn(process.execPath, [CLI, 'push', 'outcome.json'], {
    cwd: dir,
    env: {
      ...gitEnv(dir),
      TMPDIR: temp,
      GITHUB_REPOSITORY: REPOSITORY,
      GITHUB_API_URL: github.url,
      GITHUB_TOKEN: github.token,
    },
    stdio: 'ignore',
  });
  const ending = once(child, 'exit');
  // Once the fault is used up, the next run does not meet it.
  await until(async () => (await readdir(temp)).length > 0 && slowed() > before);
  assert.is((await readdir(temp)).length, 1, 'it has begun');
  child.kill(signal);
  const [code] = await ending;
  return code;
}

test('stopped or killed it leaves nothing behind, or only until the next time', () =>
  withScene(async scene => {
    await prepare(scene);
    const temp = join(scene.dir, 'temp');
    await mkdir(temp);
    assert.is(await cutShort(scene, temp, 'SIGTERM'), 143);
    assert.equal(await readdir(temp), []);
    await cutShort(scene, temp, 'SIGKILL');
    assert.is((await readdir(temp)).length, 1);
    const run = await pushed(scene, [], { TMPDIR: temp });
    assert.is(run.code, 0, run.stderr);
    assert.equal(await readdir(temp), []);
  }));

test('one that was closed is a no, and no failure', () =>
  withScene(async scene => {
    await prepare(scene);
    assert.is((await pushed(scene)).code, 0);
    scene.github.closePull(2);
    const run = await pushed(scene);
    assert.is(run.code, 0, run.stderr);
    assert.match(
      run.stdout,
      /^nothing pushed: pull request #2 from \S+ was closed without a merge/,
    );
    assert.is(opened(scene).length, 1);
  }));

test.run();
