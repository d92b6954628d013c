import * as assert from 'uvu/assert';
import {
  branchCandidates,
  isPlainBranch,
  runOfMessage,
  withRunTrailer,
} from '../../src/git/commit-plan.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';

const test = suite('git/commit-plan');

for (const [message, marked] of [
  ['Fix it', 'Fix it\n\nApfel-Bot-Run: 01X\n'],
  ['Fix: it', 'Fix: it\n\nApfel-Bot-Run: 01X\n'],
  ['Fix it\n\nBecause.\n\n', 'Fix it\n\nBecause.\n\nApfel-Bot-Run: 01X\n'],
  ['Fix it\n\nRefs: #1\nSee-also: x', 'Fix it\n\nRefs: #1\nSee-also: x\nApfel-Bot-Run: 01X\n'],
  ['Fix it\n\nNote: this\nis prose', 'Fix it\n\nNote: this\nis prose\n\nApfel-Bot-Run: 01X\n'],
] as const) {
  test(`the run is the last trailer of ${JSON.stringify(message)}`, () => {
    assert.is(withRunTrailer(message, '01X'), marked);
    assert.is(runOfMessage(marked), '01X');
  });
}

test('a commit message that only mentions a run isn’t one of ours', () => {
  assert.is(runOfMessage('Fix it\n\nApfel-Bot-Run: 01X\n\nand more'), undefined);
  assert.is(runOfMessage('Fix it\n\nsee Apfel-Bot-Run: 01X'), undefined);
  assert.is(runOfMessage(''), undefined);
});

test('a hostile commit message or branch name is read in linear time', () => {
  for (const text of ['\n'.repeat(500_000), 'a-'.repeat(250_000), `${'x: \n'.repeat(125_000)}y`]) {
    mustEnd(() => {
      runOfMessage(withRunTrailer(text, '01X'));
      isPlainBranch(text);
    });
  }
});

test('only plain branch names are accepted', () => {
  for (const name of ['apfel-bot/fix-lint-0123456789ab', 'a', 'bot/x.y_z', '2', 'a'.repeat(200)]) {
    assert.ok(isPlainBranch(name), name);
  }
  for (const name of [
    '',
    '/',
    'a/',
    '-a',
    'a/-b',
    '.a',
    'a..b',
    'a.lock',
    'a.LOCK/b',
    'a b',
    'ä',
    'a~1',
    'a:b',
    '@',
    'a\n',
    'a'.repeat(201),
  ]) {
    assert.not.ok(isPlainBranch(name), JSON.stringify(name));
  }
});

test('the candidates after a taken branch name end in -2, -3 and so on', () => {
  assert.equal(branchCandidates('a/b', 3), ['a/b', 'a/b-2', 'a/b-3']);
});

test.run();
