import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { type StandIn, startStandIn } from '../../fixtures/apfel/stand-in.js';
import { CLI } from '../support/cli.js';
import { reviewer } from '../support/reviewer.js';
import { suite } from '../support/suite.js';
import { gitEnv, type Repo, withFolder } from '../support/with-repo.js';
import { git, until, withHooks } from './hooked-repo.js';

const CODE = 'export function each(list) {\n  for (const one of list) use(one);\n}\n';

/** Runs a program as a terminal does, and presses Ctrl-C: everything in its group gets the signal. */
async function pressAt(
  [program, ...args]: readonly [string, ...string[]],
  { repo, server }: { readonly repo: Repo; readonly server: StandIn },
  moment: () => Promise<unknown>,
): Promise<{ readonly end: string; readonly said: string }> {
  const child = spawn(program, args, {
    cwd: repo.dir,
    env: { ...gitEnv(repo.dir), APFEL_BOT_BASE_URL: server.baseUrl },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  child.stdout.resume();
  let said = '';
  child.stderr.setEncoding('utf8').on('data', text => (said += text));
  // Not before the last process that holds our pipes is gone, the hook's children included.
  const closed = once(child, 'close');
  await moment();
  process.kill(-(child.pid ?? 0), 'SIGINT');
  const [code, signal] = await closed;
  return { end: String(signal ?? code), said };
}

/** What must be the same. What was asked and answered is on record, as of every run. */
async function photograph(repo: Repo): Promise<string[]> {
  const names = await readdir(join(repo.dir, '.git'), { recursive: true });
  return [
    await repo.git('rev-parse', 'HEAD'),
    await repo.git('status', '--porcelain=v2'),
    await repo.git('ls-files', '--stage'),
    await repo.git('for-each-ref'),
    await repo.git('stash', 'list'),
    ...names
      .filter(name => !/^(objects|apfel-bot(\/(answers|transcripts))?)($|\/)/.test(name))
      .sort(),
  ];
}

const test = suite('hooks/interrupt');

const withSlowModel = (body: (repo: Repo, server: StandIn) => Promise<void>): Promise<void> =>
  withHooks(
    async repo => {
      const server = await startStandIn({ policy: reviewer({ sees: [] }), latencyMs: 600_000 });
      try {
        await body(repo, server);
      } finally {
        await server.close();
      }
    },
    // A busy machine needs longer than a hook has before the model is asked.
    { hooks: { deadline: '10m' } },
  );

interface HookFixture {
  readonly repo: Repo;
  readonly server: StandIn;
  readonly command: readonly [string, ...string[]];
  readonly ends: readonly string[];
  /** What the hook says became of it. */
  readonly left: string;
}

/**
 * At every moment it ends by the signal: with the right end, with nothing left, before the model,
 * which takes minutes, has answered, and without another request. `npm run bench` has the time.
 */
async function stopsAtAnyMoment({ repo, server, command, ends, left }: HookFixture): Promise<void> {
  const before = await photograph(repo);
  const moments: Record<string, () => Promise<unknown>> = {
    'at the start': () => wait(30),
    'while it loads': () => wait(80),
    'while it checks': () => wait(160),
    'later on': () => wait(300),
    'while the model thinks': async () => {
      const asked = server.requests.length;
      await until(async () => server.requests.length > asked);
    },
  };
  for (const [name, moment] of Object.entries(moments)) {
    let requests = 0;
    const { end, said } = await pressAt(command, { repo, server }, async () => {
      await moment();
      requests = server.requests.length;
    });
    assert.ok(ends.includes(end), `${name}: ${end}`);
    if (name === 'while the model thinks') assert.is(said, `apfel-bot: interrupted; ${left}\n`);
    assert.equal(await photograph(repo), before, name);
    // One may have been on its way already.
    assert.ok(server.requests.length <= requests + 1, name);
  }
}

test('Ctrl-C ends git commit, whatever the hook is doing', () =>
  withSlowModel(async (repo, server) => {
    await repo.stage('each.js', CODE);
    await repo.write('each.js', 'not staged\n');
    const command = ['git', 'commit', '--quiet', '-m', 'next'] as const;
    await stopsAtAnyMoment({
      repo,
      server,
      command,
      ends: ['SIGINT', '130'],
      left: 'nothing was committed',
    });
  }));

test('Ctrl-C ends hook pre-commit, as another hook manager calls it, with 130', () =>
  withSlowModel(async (repo, server) => {
    await repo.stage('each.js', CODE);
    const command = [process.execPath, CLI, 'hook', 'pre-commit'] as const;
    // Node is ended by the signal itself before the program is loaded, which a shell calls 130 too.
    await stopsAtAnyMoment({
      repo,
      server,
      command,
      ends: ['SIGINT', '130'],
      left: 'nothing was committed',
    });
  }));

test('Ctrl-C ends git push, whatever the hook is doing', () =>
  withSlowModel((repo, server) =>
    withFolder(async folder => {
      await repo.git('init', '--quiet', '--bare', folder);
      await repo.git('remote', 'add', 'origin', folder);
      await repo.stage('each.js', CODE);
      await git(repo, ['commit', '--quiet', '-m', 'next'], { APFEL_BOT: '0' });
      const command = ['git', 'push', '--quiet', 'origin', 'main'] as const;
      await stopsAtAnyMoment({
        repo,
        server,
        command,
        ends: ['SIGINT', '130'],
        left: 'nothing was pushed',
      });
      assert.is(await repo.git('ls-remote', 'origin'), '');
    }),
  ));

test.run();
