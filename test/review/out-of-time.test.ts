import { createServer, type Socket } from 'node:net';
import * as assert from 'uvu/assert';
import { apfelBot } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { type Repo, withRepo } from '../support/with-repo.js';

const test = suite('review/out-of-time');

const withChange = (body: (repo: Repo) => Promise<void>): Promise<void> =>
  withRepo(async repo => {
    await repo.commit({ 'a.js': 'export const a = 1;\n' });
    await body(repo);
  });

const SHORT = ['1ms', '5ms', '15ms', '30ms'];

for (const args of [
  ['show', 'HEAD'],
  ['show', '--list'],
  ['plan', '--commit', 'HEAD'],
  ['review', '--no-model', '--commit', 'HEAD'],
]) {
  test(`${args.join(' ')} with hardly any time is not a bug`, () =>
    withChange(async repo => {
      for (const deadline of SHORT) {
        const run = await apfelBot([...args, '--deadline', deadline], { cwd: repo.dir });
        const said = run.stdout + run.stderr;
        assert.ok(run.code === 0 || run.code === 3, `${deadline}: ${run.code} ${said}`);
        assert.not.match(said, /a bug in apfel-bot|AbortError/);
        if (run.code === 3) assert.match(run.stderr, /the deadline passed .*\n.*--deadline 2m/);
      }
    }));
}

test('what a review had no time to ask git for is out of time in its ledger', () =>
  withChange(async repo => {
    const args = ['review', '--no-model', '--commit', 'HEAD', '--format', 'json'];
    const run = await apfelBot([...args, '--deadline', '1ms'], { cwd: repo.dir });
    const { ledger, complete, limits } = JSON.parse(run.stdout);
    assert.is(run.code, 0, run.stderr);
    assert.ok(ledger.outOfTime > 0);
    assert.is(complete, false);
    assert.is(limits[0].hit, true);
    const strict = await apfelBot([...args, '--deadline', '1ms', '--strict'], { cwd: repo.dir });
    assert.is(strict.code, 6);
  }));

/** A server that takes every connection and never says a word. */
async function withDeadRemote(repo: Repo, body: () => Promise<void>): Promise<void> {
  const sockets = new Set<Socket>();
  const server = createServer(socket => {
    sockets.add(socket.on('error', () => undefined).resume());
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  await repo.git('remote', 'add', 'origin', `http://127.0.0.1:${port}/a/b.git`);
  try {
    await body();
  } finally {
    server.close();
    // What git had started is still there, and leaves with its connection.
    for (const socket of sockets) socket.destroy();
  }
}

for (const args of [
  ['notes', 'fetch'],
  ['review', '--pr', '5', '--no-model'],
]) {
  test(`${args.join(' ')} does not wait for a dead remote beyond its deadline`, () =>
    withChange(repo =>
      withDeadRemote(repo, async () => {
        const run = await apfelBot([...args, '--deadline', '1s'], { cwd: repo.dir });
        assert.is(run.code, 3, run.stderr);
        assert.match(run.stderr, /time ran out|the deadline passed/);
      }),
    ));
}

test.run();
