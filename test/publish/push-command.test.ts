import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { TokenOptions } from '../../fixtures/github/actor.js';
import { until } from '../hooks/hooked-repo.js';
import { apfelBot, CLI, type CliRun } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { gitEnv } from '../support/with-repo.js';
import {
  fixedCommit,
  LOGIN,
  outcomeOf,
  type PullFixture,
  REPOSITORY,
  withFixture,
} from './push-fixture.js';

const test = suite('publish/push-command');

/** As the publishing job: a folder with nothing in it but the outcome and its bundle. */
async function pushed(
  { dir, github }: PullFixture,
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

async function prepare(fixture: PullFixture): Promise<string> {
  const commit = await fixedCommit(fixture);
  await writeFile(join(fixture.dir, 'outcome.json'), JSON.stringify(outcomeOf(fixture, commit)));
  return commit;
}

const opened = ({ github }: PullFixture) => github.state.pulls.slice(1);

test('push needs no checkout, and the token is in no argument and no output', () =>
  withFixture(async fixture => {
    const commit = await prepare(fixture);
    const [bin, log] = [join(fixture.dir, 'bin'), join(fixture.dir, 'git.log')];
    await mkdir(bin);
    await writeFile(
      join(bin, 'git'),
      `#!/bin/sh\nprintf '%s\\n' "$*" >> ${log}\nPATH=${process.env['PATH']} exec git "$@"\n`,
    );
    await chmod(join(bin, 'git'), 0o755);
    const run = await pushed(fixture, ['--verbose'], {
      PATH: `${bin}:${process.env['PATH']}`,
      GIT_TRACE_CURL: '1',
      GIT_TRACE: '1',
    });
    assert.is(run.code, 0, run.stderr);
    assert.match((await fixture.ours()).join(), commit);
    assert.is(opened(fixture)[0]?.base, 'topic');
    const words = await readFile(log, 'utf8');
    assert.match(words, /push .*--force-with-lease=/);
    const basic = Buffer.from(`x-access-token:${fixture.github.token}`).toString('base64');
    for (const secret of [fixture.github.token, basic]) {
      assert.not.ok(`${words}${run.stdout}${run.stderr}`.includes(secret), 'the token is hidden');
    }
    assert.equal(fixture.github.violations, []);
  }));

test('in a workflow the fixes of a branch are for the branch of the event, and for no other', () =>
  withFixture(async fixture => {
    const { dir, repo, main } = fixture;
    const onMain = { head: main, pull: null };
    const commit = await fixedCommit(fixture, { from: main });
    await writeFile(join(dir, 'outcome.json'), JSON.stringify(outcomeOf(onMain, commit)));
    await repo.git('push', '--quiet', 'origin', `${main}:refs/heads/release`);
    const event = { ref: 'refs/heads/release', after: main, repository: { full_name: REPOSITORY } };
    await writeFile(join(dir, 'event.json'), JSON.stringify(event));
    const env = { GITHUB_EVENT_PATH: join(dir, 'event.json') };
    const run = await pushed(fixture, [], env);
    assert.is(run.code, 0, run.stderr);
    assert.is(opened(fixture)[0]?.base, 'release');
    await repo.git('push', '--quiet', 'origin', ':refs/heads/release');
    const gone = await pushed(fixture, [], env);
    assert.is(gone.code, 7, gone.stderr);
    assert.match(gone.stderr, "is not in release, the branch of this workflow's event");
  }));

interface Trouble {
  readonly title: string;
  readonly code: number;
  readonly said: RegExp;
  readonly env?: Readonly<Record<string, string>>;
  readonly before?: (fixture: PullFixture) => void;
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
    said: /the branch was pushed, but[\s\S]*pull-requests: write[\s\S]*\/compare\/topic\.\.\.apfel-bot/,
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
    withFixture(
      async fixture => {
        await prepare(fixture);
        before?.(fixture);
        const run = await pushed(fixture, [], env);
        assert.match(run.stderr, said);
        assert.is(run.code, code, run.stderr);
        if (code !== 2) assert.match(run.stderr, 'The outcome is kept: ../outcome.json');
        assert.is((await fixture.ours()).length, hasBranch ? 1 : 0);
        assert.equal(opened(fixture), []);
        assert.not.match(run.stderr, /\n\s+at /);
        const told = fixture.github.state.comments.filter(({ author }) => author === LOGIN);
        assert.is(told.length, hasBranch ? 1 : 0, 'who asked is told where to open it');
      },
      { tokens: TOKENS },
    ),
  );
}

test.long('the token of an app opens it whatever the setting says', () =>
  withFixture(
    async fixture => {
      await prepare(fixture);
      const run = await pushed(fixture, [], { GITHUB_TOKEN: 'ghs_app' });
      assert.is(run.code, 0, run.stderr);
      assert.is(opened(fixture)[0]?.author, 'scriptedFixer[bot]');
      assert.not.match(run.stdout + opened(fixture)[0]?.body, /GITHUB_TOKEN/);
    },
    { tokens: TOKENS, mayActionsCreatePulls: false },
  ),
);

test.long('--branch-only prints the link and succeeds; --dry-run only prints', () =>
  withFixture(async fixture => {
    await prepare(fixture);
    const dry = await pushed(fixture, ['--dry-run']);
    assert.is(dry.code, 0, dry.stderr);
    assert.match(dry.stdout, 'would push apfel-bot/fix-lint-');
    assert.equal(await fixture.ours(), []);
    const run = await pushed(fixture, ['--branch-only']);
    assert.is(run.code, 0, run.stderr);
    assert.match(run.stdout, /open a pull request: \S+\/compare\/topic\.\.\.apfel-bot\/fix/);
    assert.is((await fixture.ours()).length, 1);
    assert.equal(opened(fixture), []);
  }),
);

test('paths that the base protects are not pushed, whatever the head says', () =>
  withFixture(async fixture => {
    const { repo, main } = fixture;
    await repo.git('switch', '--quiet', 'main');
    assert.is(await repo.git('rev-parse', 'HEAD'), main);
    await repo.commit({ '.apfel-bot.json': '{"branch":{"protect":["src/a.*"]}}\n' });
    await repo.git('push', '--quiet', 'origin', 'main');
    await prepare(fixture);
    const run = await pushed(fixture);
    assert.is(run.code, 7, run.stderr);
    assert.match(run.stderr, '"src/a.js" may not be edited');
    assert.equal(await fixture.ours(), []);
  }));

test.long('in a clone, origin names the repository to push to', () =>
  withFixture(async fixture => {
    await prepare(fixture);
    const { github, repo } = fixture;
    await repo.git('remote', 'set-url', 'origin', github.gitHttpUrl);
    const env = { GITHUB_API_URL: github.url, GITHUB_TOKEN: github.token };
    const run = await apfelBot(['push', '../outcome.json'], { cwd: repo.dir, env });
    assert.is(run.code, 0, run.stderr);
    assert.is(opened(fixture).length, 1);
  }),
);

test('push of anything but an outcome of fix-lint is a usage error', () =>
  withFixture(async fixture => {
    await prepare(fixture);
    const { dir } = fixture;
    const whole = outcomeOf(fixture, fixture.head);
    const { branch, edits, diagnostics, ...review } = { ...whole, task: 'review' };
    assert.ok(branch && edits && diagnostics);
    await writeFile(join(dir, 'outcome.json'), JSON.stringify(review));
    const run = await pushed(fixture);
    assert.is(run.code, 2);
    assert.match(run.stderr, 'publish one of review with post');
    const none = await apfelBot(['push'], { cwd: dir });
    assert.is(none.code, 2);
    await writeFile(join(dir, 'outcome.json'), JSON.stringify({ ...whole, evil: 1 }));
    const bent = await pushed(fixture);
    assert.is(bent.code, 5);
    assert.match(bent.stderr, /evil[\s\S]*The outcome is kept/);
  }));

/** Starts it where GitHub takes its time, and ends it as soon as it has begun to work. */
async function cutShort({ dir, github }: PullFixture, temp: string, signal: NodeJS.Signals) {
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

test('an interrupted push leaves no files, and those of a killed one are removed by a later push', () =>
  withFixture(async fixture => {
    await prepare(fixture);
    const temp = join(fixture.dir, 'temp');
    await mkdir(temp);
    assert.is(await cutShort(fixture, temp, 'SIGTERM'), 143);
    assert.equal(await readdir(temp), []);
    await cutShort(fixture, temp, 'SIGKILL');
    const [left = '', ...more] = await readdir(temp);
    assert.equal(more, []);
    assert.is((await pushed(fixture, [], { TMPDIR: temp })).code, 0);
    assert.equal(await readdir(temp), [left]);
    await utimes(join(temp, left), 0, 0);
    const run = await pushed(fixture, [], { TMPDIR: temp });
    assert.is(run.code, 0, run.stderr);
    assert.equal(await readdir(temp), []);
  }));

test('push changes nothing after its pull request was closed, and that is not a failure', () =>
  withFixture(async fixture => {
    await prepare(fixture);
    assert.is((await pushed(fixture)).code, 0);
    fixture.github.closePull(2);
    const run = await pushed(fixture);
    assert.is(run.code, 0, run.stderr);
    assert.match(
      run.stdout,
      /^nothing pushed: pull request #2 from \S+ was closed without a merge/,
    );
    assert.is(opened(fixture).length, 1);
  }));

test.run();
