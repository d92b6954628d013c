import * as assert from 'uvu/assert';
import { listedRun, listText, runFacts, runHead } from '../../src/runs/run-text.js';
import { EMPTY } from '../report/sample-outcome.js';
import { suite } from '../support/suite.js';
import { hostileRun } from './sample-hostile.js';
import { manyTurns } from './sample-many.js';
import { reviewRun } from './sample-run.js';

const test = suite('runs/run-text');

test('the first lines of show name the run, its time and its command', () => {
  assert.equal(runHead(reviewRun()), [
    'run 01JZ8Q4W6T7Y9ABCDEFGHJKMNP review',
    '2026-02-03 04:05:06 UTC, took 5.2 s',
    'apfel-bot review --staged --deadline 8s',
  ]);
  assert.match(runHead({ ...reviewRun(), origin: 'note' })[1] ?? '', '(from a note)');
});

test('the facts name conversations, the fullest window, hosts and the way to the page', () => {
  assert.equal(runFacts(reviewRun()), [
    'conversation 1: Review: src/list/last.js (3 turns, finished)',
    'conversation 2: Second look: src/list/last.js (2 turns, finished)',
    'window: at most 1,706 of 4,096 tokens in one request',
    'hosts: 127.0.0.1:11434 (this machine, 9 requests)',
    'page: apfel-bot show 01JZ8Q4W6T7Y9ABCDEFGHJKMNP --html',
  ]);
  assert.ok(runFacts(manyTurns(100)).includes('… 12 more conversations'));
});

test('a hostile record cannot control the terminal', () => {
  const run = hostileRun();
  const text = [...runHead(run), ...runFacts(run)].join('');
  assert.not.match(text, /[\u001b\u0000\u202e\n]/);
});

test('a host that is not this machine is called another machine', () => {
  const run = reviewRun();
  const hosts = [
    { host: 'models.example:443', times: 1 },
    { host: '127.0.0.1.example.com', times: 1 },
    { host: '[::1]:80', times: 2 },
  ];
  const [line = ''] = runFacts({ ...run, conversations: [], facts: { ...run.facts, hosts } });
  assert.is(
    line,
    'hosts: models.example:443 (another machine, 1 request), 127.0.0.1.example.com (another machine, 1 request), [::1]:80 (this machine, 2 requests)',
  );
});

test('a list has a line for each run that fits 80 columns', () => {
  const head = 'c0ffee'.padEnd(40, '0');
  const runs = [
    EMPTY,
    { ...EMPTY, run: '01B', task: 'ask', change: {}, complete: false },
    { ...EMPTY, task: 'fix-lint', change: { head }, complete: false },
  ].flatMap(
    (outcome, at) =>
      listedRun(outcome, (['run', 'transcript', 'hook'] as const)[at] ?? 'run') ?? [],
  );
  assert.is(
    listText(runs),
    [
      'run           when (UTC)        task      head          found  state',
      '01JZ8Q4W6T7Y  2026-02-03 04:05  review    index         0      complete',
      '01B           2026-02-03 04:05  ask       -             -      broke off',
      '01JZ8Q4W6T7Y  2026-02-03 04:05  fix-lint  c0ffee000000  0      incomplete (hook)',
      '',
    ].join('\n'),
  );
  assert.match(listText([]), 'no runs are recorded here yet');
});

test('a record without a run id is not listed', () => {
  for (const value of [undefined, null, 7, {}, { run: '../x' }, { run: '' }]) {
    assert.is(listedRun(value, 'run'), undefined);
  }
});

test.run();
