import * as assert from 'uvu/assert';
import { type Check, type DoctorReport, doctorJson, doctorText } from '../../src/doctor/report.js';
import { suite } from '../support/suite.js';

const test = suite('doctor/doctor-text');

const check = (changes: Partial<Check>): Check => ({
  id: 'git',
  area: 'git',
  status: 'ok',
  message: 'git 2.39.5',
  fix: undefined,
  ...changes,
});

const REPORT: DoctorReport = {
  checks: [
    check({}),
    check({
      id: 'hooks',
      status: 'attention',
      message: 'no hook runs apfel-bot; git runs none of those that there are',
      fix: 'add to .git/hooks/pre-commit: npx apfel-bot review',
    }),
    check({ id: 'server', status: 'problem', message: 'nothing answers', fix: 'apfel --serve' }),
  ],
  ending: 'git',
};

test('each line of doctor has a status, a name and what was found, with the fix below', () => {
  assert.equal(doctorText(REPORT, { color: false, columns: 60 }).split('\n'), [
    'ok         git     git 2.39.5',
    'attention  hooks   no hook runs apfel-bot; git runs none of',
    '                   those that there are',
    '                   fix: add to .git/hooks/pre-commit: npx',
    '                   apfel-bot review',
    'problem    server  nothing answers',
    '                   fix: apfel --serve',
    '',
    '1 problem prevents a review',
    '',
  ]);
});

test('several problems of one check get a line each', () => {
  const config = check({
    id: 'config',
    status: 'problem',
    message: 'a.json:\n  1:2 one\n  3:4 two',
  });
  const text = doctorText({ checks: [config], ending: 'config' }, { color: false, columns: 80 });
  const lines = ['a.json:', '  1:2 one', '  3:4 two'].map(line => `${' '.repeat(19)}${line}`);
  assert.match(text, lines.join('\n').trim());
});

test("colours in doctor's lines change no width", () => {
  const plain = doctorText(REPORT, { color: false, columns: 60 });
  const colored = doctorText(REPORT, { color: true, columns: 60 });
  assert.ok(colored.includes('\x1b[31mproblem  \x1b[39m  server'));
  assert.is(colored.replace(/\x1b\[\d+m/g, ''), plain);
});

test('the last line says whether a review will work', () => {
  const text = (...checks: Check[]): string =>
    doctorText({ checks, ending: 'done' }, { color: false, columns: 80 });
  const model = check({ id: 'model' });
  assert.match(text(model), /\na review with the model will work\n$/);
  assert.match(text(check({})), /\na review will work, with checks only\n$/);
  assert.match(
    text(model, check({ status: 'attention' })),
    /model will work; 1 marked attention\n$/,
  );
  const bad = check({ status: 'problem' });
  assert.match(text(bad, bad), /\n2 problems prevent a review/);
});

test('a long word is not broken, and a line cannot begin a command for a runner', () => {
  const word = 'x'.repeat(200);
  const text = doctorText(
    { checks: [check({ message: `${word} end`, fix: `${word}` })], ending: 'done' },
    { color: false, columns: 60 },
  );
  assert.ok(text.includes(word));
  const fix = `${'y'.repeat(50)} ::error::x`;
  const hostile = doctorText(
    { checks: [check({ fix })], ending: 'done' },
    { color: false, columns: 60 },
  );
  assert.not.match(hostile, /^\s*::/m);
});

test('the JSON of doctor has its documented fields', () => {
  assert.equal(JSON.parse(doctorJson(REPORT)), {
    checks: REPORT.checks.map(({ id, status, message, fix }) => ({
      id,
      status,
      message,
      fix: fix ?? null,
    })),
  });
});

test.run();
