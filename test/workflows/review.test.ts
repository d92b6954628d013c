import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { Outcome } from '../../src/core/outcome.js';
import { reviewer } from '../support/reviewer.js';
import { suite } from '../support/suite.js';
import { type Actions, withActions } from './with-actions.js';

const FILE = 'workflows/review.yml';
const BUG = 'if (at <= list.length) return list[at];';
const CHANGE = { 'a.js': `one();\ndebugger;\n${BUG}\n` };
const SEES = reviewer({ sees: ['at <= list.length'] });

const test = suite('workflows/review');

test('a pull request is reviewed on the Mac and published from elsewhere', () =>
  withActions(
    async actions => {
      const { hub, apfel, pull } = actions;
      const { jobs, results, artifacts } = await actions.run(
        FILE,
        await actions.pullEvent('opened'),
      );
      const log = Object.values(jobs)
        .flatMap(all => all.map(each => each.log))
        .join('\n');
      assert.equal(results, { fork: 'skipped', review: 'success', publish: 'success' }, log);
      assert.ok(apfel.requests.length > 0, 'the model was asked');
      const outcome: Outcome = JSON.parse(
        await readFile(join(artifacts, 'outcome', 'outcome.json'), 'utf8'),
      );
      assert.is(outcome.change.head, pull.headSha);
      assert.is(outcome.change.pull, pull.number);
      const [summary, ...more] = actions.ours();
      assert.equal(more, []);
      assert.match(summary?.body ?? '', /1 error/);
      assert.equal(hub.state.reviewComments.map(({ path, line }) => `${path}:${line}`).sort(), [
        'a.js:2',
        'a.js:3',
      ]);
      assert.equal(
        hub.state.checks.map(({ headSha, conclusion }) => [headSha, conclusion]),
        [[pull.headSha, 'failure']],
      );
      assert.match(jobs['publish']?.[0]?.summary ?? '', /1 error/);
    },
    { change: CHANGE, policy: SEES },
  ));

test('a merge queue starts no Mac and is not held up', () =>
  withActions(async actions => {
    const pull = await actions.pullEvent('opened');
    const payload = { action: 'checks_requested', merge_group: {} };
    const event = { ...pull, name: 'merge_group', action: 'checks_requested', payload } as const;
    const { results } = await actions.run(FILE, event);
    assert.equal(results, { fork: 'skipped', review: 'skipped', publish: 'skipped' });
  }));

/** No token where the model is, no model where the token is, and neither in what is handed over. */
async function mustBeApart(actions: Actions, file: string): Promise<void> {
  const { jobs, tokens, artifacts } = await actions.run(file, await actions.pullEvent('opened'));
  const all = Object.values(jobs).flat();
  const mac = all.flatMap(({ seen }) => seen).filter(env => env['RUNNER_OS'] === 'macOS');
  const hosted = all.flatMap(({ seen }) => seen).filter(env => env['RUNNER_OS'] === 'Linux');
  assert.ok(mac.length > 0 && hosted.length > 0);
  for (const token of tokens) {
    for (const env of mac) assert.not.ok(Object.values(env).some(text => text.includes(token)));
    for (const { log, summary } of all) assert.not.ok(`${log}${summary}`.includes(token));
    for (const name of await readdir(artifacts, { recursive: true })) {
      const text = await readFile(join(artifacts, name), 'utf8').catch(() => '');
      assert.not.ok(text.includes(token), name);
    }
  }
  assert.ok(mac.some(env => env['APFEL_BOT_BASE_URL'] !== undefined));
  for (const env of hosted) assert.is(env['APFEL_BOT_BASE_URL'], undefined);
}

test('the Mac has no token, and the other machine no model', () =>
  withActions(actions => mustBeApart(actions, FILE)));

test('a pull request from a fork is not reviewed on the Mac, and a comment says why', () =>
  withActions(
    async actions => {
      const { jobs, results } = await actions.run(FILE, await actions.pullEvent('opened'));
      assert.equal(results, { fork: 'success', review: 'skipped', publish: 'skipped' });
      assert.match(jobs['fork']?.[0]?.log ?? '', /^::notice title=apfel-bot::.*from a fork/m);
      assert.match(jobs['fork']?.[0]?.summary ?? '', /\/apfel review/);
      assert.equal(actions.apfel.requests, []);
      assert.equal(actions.hub.writes(), []);
    },
    { isFork: true },
  ));

test.long('a pull request whose fork was deleted is not reviewed on the Mac, and is told why', () =>
  withActions(
    async actions => {
      actions.hub.deleteFork('eve');
      const { results } = await actions.run(FILE, await actions.pullEvent('opened'));
      assert.equal(results, { fork: 'success', review: 'skipped', publish: 'skipped' });
    },
    { isFork: true },
  ),
);

test.long('a draft waits until it is ready', () =>
  withActions(
    async actions => {
      const { results } = await actions.run(FILE, await actions.pullEvent('opened'));
      assert.equal(new Set(Object.values(results)), new Set(['skipped']));
    },
    { isDraft: true },
  ),
);

test('nothing of the pull request decides what runs or how', () =>
  withActions(
    async actions => {
      const { jobs, results } = await actions.run(FILE, await actions.pullEvent('synchronize'));
      assert.is(results['publish'], 'success', jobs['publish']?.[0]?.log);
      assert.match(actions.ours()[0]?.body ?? '', /1 warning/);
      assert.match(actions.ours()[0]?.body ?? '', /\.apfel-bot\.json/);
    },
    {
      change: {
        'a.js': 'one();\ndebugger;\n',
        '.apfel-bot.json': '{"checks": {"debugger": "off"}}',
        '.npmrc': 'registry=http://127.0.0.1:9/\n',
        'package.json': '{"name": "apfel-bot", "bin": "a.js"}',
        'node_modules/.bin/apfel-bot': '#!/bin/sh\nexit 99\n',
      },
    },
  ));

test('nothing is published when a review failed', () =>
  withActions(
    async actions => {
      const { jobs, results } = await actions.run(FILE, await actions.pullEvent('opened'));
      assert.equal(results, { fork: 'skipped', review: 'failure', publish: 'skipped' });
      assert.match(jobs['review']?.[0]?.log ?? '', /\.apfel-bot\.json/);
      assert.equal(actions.hub.writes(), []);
    },
    { before: { '.apfel-bot.json': '{"checks": 7}' } },
  ));

test('checks.yml annotates its findings and needs neither a model nor write permission', () =>
  withActions(async actions => {
    const event = await actions.pullEvent('opened');
    const { jobs, results } = await actions.run('workflows/checks.yml', event);
    assert.equal(results, { checks: 'success' });
    assert.match(jobs['checks']?.[0]?.log ?? '', /^::warning file=a\.js,line=2/m);
    assert.equal(actions.apfel.requests, []);
    assert.equal(actions.hub.writes(), []);
  }));

test.long('checks.yml fails for an error that is pushed to main', () =>
  withActions(async actions => {
    const before = await actions.main();
    await actions.repo.git('switch', '--quiet', 'main');
    const after = await actions.repo.commit({ 'b.test.js': 'it.only("x", () => {});\n' });
    await actions.repo.git('push', '--quiet', 'origin', 'main');
    const payload = { before, after, repository: { full_name: 'ada/engine' } };
    const where = { ref: 'refs/heads/main', sha: after, isFromFork: false };
    const push = { name: 'push', payload, ...where } as const;
    const { jobs, results } = await actions.run('workflows/checks.yml', push);
    assert.equal(results, { checks: 'failure' });
    assert.match(jobs['checks']?.[0]?.log ?? '', /^::error file=b\.test\.js,line=1/m);
    const elsewhere = await actions.run('workflows/checks.yml', { ...push, ref: 'refs/heads/x' });
    assert.equal(elsewhere.results, {});
  }),
);

test.run();
