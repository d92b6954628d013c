import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { remoteRepository } from '../../src/git/remote.js';
import { apfelBot, type CliRun, reviewJson } from '../support/cli.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';
import { openRepo, type Repo, withFolder } from '../support/with-repo.js';

const test = suite('review/pr');

interface Place {
  readonly dir: string;
  /** Somebody's clone; pull request 7 is not in it. */
  readonly near: Repo;
  /** Where others work. */
  readonly far: Repo;
  readonly head: string;
}

/** A remote with pull request 7, which is of a fork, and a clone from before it. */
const withPull = (body: (place: Place) => Promise<void>): Promise<void> =>
  withFolder(async dir => {
    const outside = openRepo(dir);
    await outside.git('init', '--quiet', '--bare', '--initial-branch', 'main', 'engine.git');
    await outside.git('clone', '--quiet', 'engine.git', 'far');
    const far = openRepo(join(dir, 'far'));
    await far.commit({ 'a.js': 'one();\n' }, 'first');
    await far.git('push', '--quiet', 'origin', 'main');
    await outside.git('clone', '--quiet', 'engine.git', 'near');
    await far.git('switch', '--quiet', '--create', 'topic');
    const head = await far.commit({ 'b.js': 'debugger;\n' }, 'theirs');
    await far.git('push', '--quiet', 'origin', 'HEAD:refs/pull/7/head');
    await body({ dir, far, near: openRepo(join(dir, 'near')), head });
  });

const review = (near: Repo, args: readonly string[], env = {}) =>
  reviewJson(['--no-model', '--pr', ...args], { cwd: near.dir, env });

const found = ({ findings }: { findings: ReadonlyArray<{ path: string; rule: string }> }) =>
  findings.map(({ path, rule }) => `${path} ${rule}`);

test('the pull request is fetched and reviewed, and nothing of the user moves', () =>
  withPull(async ({ near, head }) => {
    await near.write('a.js', 'half an edit');
    const state = () =>
      Promise.all([
        near.git('for-each-ref', 'refs/heads', 'refs/remotes', 'refs/tags'),
        near.git('status', '--porcelain'),
      ]);
    const before = await state();
    const { code, outcome, stderr } = await review(near, ['7'], {
      GITHUB_REPOSITORY: 'ada/engine',
    });
    assert.is(code, 0, stderr);
    assert.is(outcome.change.head, head);
    assert.is(outcome.change.base, await near.git('rev-parse', 'main'));
    assert.is(outcome.change.pull, 7);
    assert.is(outcome.change.repository, 'ada/engine');
    assert.equal(found(outcome), ['b.js debugger']);
    assert.match(stderr, /pull request 7 at \w{12}, compared with main, the default branch/);
    assert.equal(await state(), before);
  }));

test('newer commits of the default branch do not count as the change', () =>
  withPull(async ({ near, far }) => {
    await far.git('switch', '--quiet', 'main');
    await far.commit({ 'c.js': 'debugger;\n' }, 'on main');
    await far.git('push', '--quiet', 'origin', 'main');
    await far.git('switch', '--quiet', 'topic');
    await far.git('merge', '--quiet', '--no-edit', 'main');
    await far.git('push', '--quiet', '--force', 'origin', 'HEAD:refs/pull/7/head');
    const { outcome } = await review(near, ['7']);
    assert.equal(found(outcome), ['b.js debugger']);
    assert.is(outcome.change.head, await far.git('rev-parse', 'topic'));
    assert.is(outcome.change.repository, null);
  }));

test('--base names what to compare with, and so does the event of the pull request', () =>
  withPull(async ({ dir, near, far }) => {
    const base = await far.git('rev-parse', 'main');
    const more = await far.commit({ 'c.js': 'debugger;\n' }, 'more');
    await far.git('push', '--quiet', 'origin', 'HEAD:refs/pull/7/head');
    await near.git('fetch', '--quiet', 'origin', 'refs/pull/7/head');
    const stacked = await review(near, ['7', '--base', `${more}^`]);
    assert.equal(found(stacked.outcome), ['c.js debugger']);
    const event = join(dir, 'event.json');
    const pull = { number: 7, base: { sha: base }, head: { sha: more } };
    await writeFile(event, JSON.stringify({ pull_request: pull }));
    const inJob = await review(near, ['#7'], { GITHUB_EVENT_PATH: event });
    assert.equal(found(inJob.outcome), ['b.js debugger', 'c.js debugger']);
    assert.match(inJob.stderr, `compared with ${base}`);
  }));

test('plan and describe take --pr', () =>
  withPull(async ({ near, head }) => {
    const planned = await apfelBot(['plan', '--pr', '7', '--format', 'json'], { cwd: near.dir });
    assert.is(planned.code, 0, planned.stderr);
    assert.is(JSON.parse(planned.stdout).change.head, head);
    const env = { APFEL_BOT_BASE_URL: 'http://127.0.0.1:9/v1' };
    const described = await apfelBot(['describe', '--pr', '7'], { cwd: near.dir, env });
    assert.is(described.code, 4, described.stderr);
    assert.match(described.stderr, 'pull request 7 at');
  }));

const wrong: ReadonlyArray<readonly [args: string[], code: number, said: RegExp]> = [
  [['--pr', '7', '--staged'], 2, /--staged and --pr exclude each other/],
  [['--pr', '7', '--stdin'], 2, /exclude each other/],
  [['--base', 'main'], 2, /--base needs --pr/],
  [['--pr', '0'], 2, /must be the number/],
  [['--pr', '-1'], 2, /must be the number/],
  [['--pr', 'seven'], 2, /must be the number/],
  [['--pr', '8'], 3, /origin has no pull request 8[\s\S]*git ls-remote origin/],
  [['--pr', '7', '--base', 'nothing'], 3, /unknown revision "nothing"/],
];

test('an impossible --pr is reported with the next step', () =>
  withPull(async ({ near }) => {
    const run = (args: readonly string[]): Promise<CliRun> =>
      apfelBot(['review', '--no-model', ...args], { cwd: near.dir });
    for (const [args, code, said] of wrong) {
      const { code: exit, stderr } = await run(args);
      assert.match(stderr, said, args.join(' '));
      assert.is(exit, code, args.join(' '));
    }
    await near.git('remote', 'set-url', 'origin', 'http://127.0.0.1:9/ada/engine.git');
    const away = await run(['--pr', '7']);
    assert.is(away.code, 3);
    assert.match(away.stderr, /cannot fetch pull request 7 from origin[\s\S]*git fetch origin/);
    await near.git('remote', 'rename', 'origin', 'elsewhere');
    assert.match((await run(['--pr', '7'])).stderr, 'from elsewhere');
    await near.git('remote', 'remove', 'elsewhere');
    const none = await run(['--pr', '7']);
    assert.is(none.code, 3);
    assert.match(none.stderr, 'has no remote to fetch pull request 7 from');
  }));

test('the repository is read from the address of a remote, if a forge hosts it', () => {
  const name = (address: string): string | undefined => {
    const known = remoteRepository(address);
    return known && `${known.host} ${known.name}`;
  };
  assert.is(name('https://github.com/ada/engine.git\n'), 'github.com ada/engine');
  assert.is(name('https://x:token@GitHub.com/ada/engine/'), 'github.com ada/engine');
  assert.is(name('git@github.com:ada/engine.git'), 'github.com ada/engine');
  assert.is(name('ssh://git@ghe.test:2222/ada/en.gine'), 'ghe.test ada/en.gine');
  for (const other of ['/srv/engine.git', '../x', 'https://x.test/a/b/c', 'git@x:../y', '']) {
    assert.is(name(other), undefined, other);
  }
  mustEnd(() => {
    assert.is(name(`https://${'a.'.repeat(250_000)}/a/b`), undefined);
  });
});

test.run();
