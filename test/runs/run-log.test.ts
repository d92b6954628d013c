import * as assert from 'uvu/assert';
import { sourceHash } from '../../src/runs/page/page.js';
import { auditHunks, RunLog } from '../../src/runs/run-log.js';
import { redactValue } from '../../src/secrets/redact.js';
import { planted } from '../secrets/planted.js';
import { suite } from '../support/suite.js';

const test = suite('runs/run-log');

test('the log of a run returns what was added to it', () => {
  const runLog = new RunLog();
  runLog.addStage({ title: 'Looking', atMs: 5, durationMs: 2 });
  for (const host of ['a:1', 'b:2', 'a:1']) runLog.addContact(host);
  assert.equal(runLog.facts('apfel-bot review', []), {
    asked: 'apfel-bot review',
    stages: [{ title: 'Looking', atMs: 5, durationMs: 2 }],
    hunks: [],
    hosts: [
      { host: 'a:1', times: 2 },
      { host: 'b:2', times: 1 },
    ],
    texts: [],
  });
});

test('hunks are collected only when they are asked for, up to a limit', () => {
  const runLog = new RunLog();
  let asked = 0;
  const hunk = { path: 'a', hunk: 1, state: 'checked', reason: '' } as const;
  runLog.setHunks(() => {
    asked += 1;
    return auditHunks(
      [],
      [],
      Array.from({ length: 5000 }, () => hunk),
    );
  });
  assert.is(asked, 0);
  assert.is(runLog.facts('', []).hunks.length, 3000);
});

test('a hunk on the map has its lines, its question and its state; one that was not read has no size', () => {
  const seen = { path: 'a', number: 1, newStart: 7, newLines: 3, added: 2, removed: 1 };
  const more = { tokens: 9, skip: undefined, broken: undefined };
  const states = [
    { path: 'a', hunk: 1, state: 'reviewed', reason: '' },
    { path: 'a', hunk: 2, state: 'outOfTime', reason: 'late' },
  ] as const;
  assert.equal(auditHunks([{ ...seen, ...more }], [{ chunk: 3, tokens: 9 }], states), [
    {
      path: 'a',
      hunk: 1,
      line: 7,
      added: 2,
      removed: 1,
      state: 'reviewed',
      reason: '',
      chunk: 3,
      tokens: 9,
    },
    {
      path: 'a',
      hunk: 2,
      line: 0,
      added: 0,
      removed: 0,
      state: 'outOfTime',
      reason: 'late',
      chunk: null,
      tokens: 0,
    },
  ]);
});

test('secrets are masked anywhere in a value, and the rest is unchanged', () => {
  const { githubToken: secret } = planted;
  const value = { n: 1, none: null, is: true, list: ['short', { deep: `x ${secret}` }] };
  const masked = redactValue(value);
  assert.equal({ ...masked, list: [] }, { ...value, list: [] });
  assert.match(JSON.stringify(masked), /"short",\{"deep":"x ghp_\*{36}"\}/);
});

test('a script is named by its hash, as in a content security policy', () => {
  assert.is(sourceHash(''), "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='");
});

test.run();
