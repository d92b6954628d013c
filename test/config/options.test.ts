import * as assert from 'uvu/assert';
import { workOptions } from '../../src/config/options.js';
import { suite } from '../support/suite.js';

const test = suite('config/options');

const optionsOf = (
  values: Readonly<Record<string, string>>,
  ...switches: readonly string[]
): ReturnType<typeof workOptions> =>
  workOptions({
    values: new Map(Object.entries(values)),
    switches: new Set(switches),
    positionals: [],
    paths: [],
  });

test('a range has two or three dots, and a missing side is HEAD', () => {
  const range = { kind: 'range', from: 'a', to: 'b' };
  assert.equal(optionsOf({ range: 'a..b' }).selector, { ...range, symmetric: false });
  assert.equal(optionsOf({ range: 'a...b' }).selector, { ...range, symmetric: true });
  assert.equal(optionsOf({ range: 'a..' }).selector, { ...range, to: 'HEAD', symmetric: false });
  assert.equal(optionsOf({ range: '..b' }).selector, { ...range, from: 'HEAD', symmetric: false });
  for (const text of ['', '..', '...', 'a'])
    assert.throws(() => optionsOf({ range: text }), /--range must be A..B or A...B/, text);
});

test('one selector is allowed, and two are not', () => {
  assert.is(optionsOf({}).selector, undefined);
  assert.equal(optionsOf({}, 'staged').selector, { kind: 'staged' });
  assert.throws(() => optionsOf({ commit: 'a' }, 'staged'), /--staged and --commit exclude/);
});

test('a pull request has a number from 1 on', () => {
  assert.equal(optionsOf({ pr: '1', base: 'main' }).pull, { number: 1, base: 'main' });
  assert.equal(optionsOf({ pr: '#12' }).pull, { number: 12, base: undefined });
  for (const text of ['0', '-1', '1.5', 'x', '1234567890'])
    assert.throws(() => optionsOf({ pr: text }), /--pr must be the number/, text);
  assert.throws(() => optionsOf({ base: 'main' }), /--base needs --pr N/);
});

test('votes are a whole number from 1 to 9', () => {
  assert.equal(
    ['1', '9'].map(votes => optionsOf({ votes }).votes),
    [1, 9],
  );
  for (const votes of ['0', '10', '1.5', 'x', ''])
    assert.throws(() => optionsOf({ votes }), /--votes/, votes);
});

test('a dry run writes no file', () => {
  assert.is(optionsOf({ out: 'a.json' }).out, 'a.json');
  assert.is(optionsOf({ out: 'a.json' }, 'dry-run').out, undefined);
});

test.run();
