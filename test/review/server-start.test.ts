import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { startStandIn } from '../../fixtures/apfel/stand-in.js';
import { installScript, standInCommand } from '../../fixtures/fake-apfel/install.js';
import { workOptions } from '../../src/config/options.js';
import { reviewChange } from '../../src/review/review.js';
import { openWork } from '../../src/review/work.js';
import { apfelBot, reviewJson } from '../support/cli.js';
import { reviewer } from '../support/reviewer.js';
import { testSession } from '../support/session.js';
import { suite } from '../support/suite.js';
import { type Repo, withRepo } from '../support/with-repo.js';

const test = suite('review/server-start');

const CODE = 'export const last = list => list[list.length - 1];\n';

/** A machine with an apfel that notes each start, and a cache of its own. */
async function machine(repo: Repo): Promise<{
  readonly env: Record<string, string>;
  starts(): Promise<number>;
  remember(health: object): Promise<void>;
}> {
  const bin = join(repo.dir, '.git', 'bin');
  const cache = join(repo.dir, '.git', 'cache');
  await mkdir(bin);
  await mkdir(join(cache, 'apfel-bot'), { recursive: true });
  await installScript(bin, `echo "$1" >> "$0.log"; exec ${standInCommand()} "$@"`);
  return {
    env: { PATH: `${bin}:${process.env['PATH'] ?? ''}`, XDG_CACHE_HOME: cache },
    starts: async () => {
      const log = await readFile(join(bin, 'apfel.log'), 'utf8').catch(() => '');
      return log.split('\n').filter(line => line === '--serve').length;
    },
    remember: health =>
      writeFile(join(cache, 'apfel-bot', 'own-server.json'), JSON.stringify(health)),
  };
}

test('the key goes to a server that the user names, never to one that the repository names', () =>
  withRepo(async repo => {
    const keys = new Set<string | undefined>();
    const server = createServer((request, response) => {
      keys.add(request.headers.authorization);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[]}');
    });
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const isSent = async (args: string[], env: Record<string, string> = {}): Promise<boolean> => {
      keys.clear();
      const all = { APFEL_BOT_API_KEY: 'mine', XDG_CACHE_HOME: repo.dir, ...env };
      await apfelBot(args, { cwd: repo.dir, env: all });
      assert.ok(keys.size > 0, `${args} contacts the server`);
      return keys.has('Bearer mine');
    };
    try {
      await repo.stage('.apfel-bot.json', JSON.stringify({ model: { baseUrl } }));
      await repo.stage('last.js', CODE);
      for (const args of [['review'], ['doctor'], ['ask', 'what is last?']]) {
        assert.not(await isSent(args), args[0]);
        assert.ok(await isSent(args, { APFEL_BOT_BASE_URL: baseUrl }), args[0]);
      }
      assert.ok(await isSent(['review', '--base-url', baseUrl]));
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }));

test('for a change of skipped files alone no server is started, and the review is complete', () =>
  withRepo(async repo => {
    const { env, starts } = await machine(repo);
    await repo.stage('package-lock.json', '{}\n');
    await repo.stage('dist/bundle.js', 'x()\n');
    await repo.stage('api.generated.ts', 'export {};\n');
    const { code, outcome } = await reviewJson([], { cwd: repo.dir, env });
    assert.is(await starts(), 0);
    assert.equal([code, outcome.complete, outcome.ledger.skipped], [0, true, 3]);
    assert.is(outcome.model.reason, 'this change has nothing for a model');
    await repo.stage('last.js', CODE);
    await reviewJson([], { cwd: repo.dir, env });
    assert.is(await starts(), 1, 'one file to ask about starts it');
  }));

test('a change of skipped files alone is not asked about, nor is a deleted file', () =>
  withRepo(async repo => {
    await repo.commit({ 'last.js': CODE });
    const server = await startStandIn();
    try {
      await repo.stage('yarn.lock', 'a\n');
      await repo.git('rm', '--quiet', 'last.js');
      const args = ['--base-url', server.baseUrl];
      const { outcome } = await reviewJson(args, { cwd: repo.dir });
      assert.equal([server.requests.length, outcome.model.requests], [0, 0]);
      assert.equal([outcome.complete, outcome.ledger.skipped], [true, 2]);
    } finally {
      await server.close();
    }
  }));

test('a change whose answers are all cached starts no server, and one new line starts it', () =>
  withRepo(async repo => {
    const { env, starts, remember } = await machine(repo);
    const server = await startStandIn({ policy: reviewer({ sees: [] }) });
    try {
      await repo.stage('last.js', CODE);
      const first = await reviewJson(['--base-url', server.baseUrl], { cwd: repo.dir, env });
      assert.is(first.outcome.ledger.reviewed, 1);
      const { name, contextWindow } = first.outcome.model;
      await remember({ model: name, model_available: true, context_window: contextWindow });
      const second = await reviewJson([], { cwd: repo.dir, env });
      assert.equal([second.outcome.ledger.cached, second.outcome.complete], [1, true]);
      assert.equal([await starts(), second.outcome.model.requests], [0, 0]);
      await repo.stage('first.js', 'export const first = list => list[1];\n');
      const third = await reviewJson([], { cwd: repo.dir, env });
      assert.equal([await starts(), third.outcome.ledger.cached], [1, 1]);
    } finally {
      await server.close();
    }
  }));

test('the model is looked for while the checks still run, and the questions wait for both', () =>
  withRepo(async repo => {
    await repo.stage('last.js', CODE);
    await repo.stage('broken.json', '{,}\n');
    const options = workOptions({
      positionals: [],
      paths: [],
      values: new Map(),
      switches: new Set(['staged']),
    });
    const { task, config, context } = await openWork(options, testSession(repo.dir));
    const events: string[] = [];
    const progress: typeof context.progress = {
      ...context.progress,
      stage: async (title, work) => {
        events.push(`${title}: begins`);
        const value = await context.progress.stage(title, work);
        events.push(`${title}: ends`);
        return value;
      },
    };
    let finish = (): void => undefined;
    const started = new Promise<void>(resolve => {
      finish = resolve;
    });
    const running = reviewChange(
      task,
      {
        ...context,
        progress,
        findAgent: async () => {
          events.push('the server starts');
          await started;
          return { available: false, reason: 'it was only for show' };
        },
      },
      config,
    );
    while (!events.includes('Looking for the model: begins')) {
      await new Promise(resolve => setTimeout(resolve, 5));
    }
    finish();
    const { findings } = await running;
    assert.equal(
      findings.map(finding => finding.rule),
      ['invalid/json'],
    );
    assert.equal(events.slice(2), [
      'Checking the change: begins',
      'the server starts',
      'Checking the change: ends',
      'Looking for the model: begins',
      'Looking for the model: ends',
    ]);
  }));

test.run();
