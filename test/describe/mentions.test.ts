import * as assert from 'uvu/assert';
import { keepTrueMentions, plainSummary, plainTitle, tidyTitle } from '../../src/describe/words.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';

const test = suite('describe/mentions');

const CHANGED = ['src/agent/loop.ts', 'docs/my notes.md', 'README.md', '.gitignore', 'app/main.c'];

const SHOWN = 'console.log(this.value); map.set("1.2", "1.3"); retryAll();';

for (const sentence of [
  'Calls `retryAll` in two places.',
  'Adds a retry to src/agent/loop.ts.',
  'Adds a retry to `src/agent/loop.ts`, twice.',
  'Adds a retry to loop.ts and ./src/agent/loop.ts.',
  'Reworks agent/loop.ts in src/agent and in src/.',
  'Mentions docs/my notes.md as well.',
  'Updates the README and README.md.',
  'Ignores more in .gitignore.',
  'Uses Node.js and console.log for read/write and input/output.',
  'Raises the version from 1.2 to 1.3, e.g. for this.value and map.set.',
  'Changes app\\main.c.',
]) {
  test(`a true sentence is kept: ${sentence}`, () =>
    assert.equal(keepTrueMentions(sentence, CHANGED, SHOWN), { text: sentence, dropped: 0 }));
}

for (const sentence of [
  'Adds a retry to src/agent/talk.ts.',
  'Adds a retry to src/agent/loop.tsx.',
  'Adds a retry to lib/src/agent/loop.ts.',
  'Touches the Makefile.',
  'Touches package.json.',
  'Updates the CHANGELOG.',
  'Rewrites everything in src/checks.',
  'Rewrites `../other/loop.ts`!',
  'See https://example.test/x for more.',
  'Loads .env first.',
  'Fixes other\\main.c.',
  'Calls `retryOnce` now.',
  'Adds waitForAll() to it.',
  'Calls retryAl in a loop.',
  'Raises the limit to 12.',
  'Calls `retryAll` in dozens of places.',
]) {
  test(`a sentence about other files is dropped: ${sentence}`, () =>
    assert.equal(keepTrueMentions(sentence, CHANGED, SHOWN), { text: '', dropped: 1 }));
}

test('only the sentence that is wrong is dropped', () => {
  const text = 'Adds a retry.\nAlso changes src/other.ts. Keeps loop.ts short!';
  assert.equal(keepTrueMentions(text, CHANGED, SHOWN), {
    text: 'Adds a retry. Keeps loop.ts short!',
    dropped: 1,
  });
});

test('hostile text is read in linear time', () => {
  mustEnd(() => {
    for (const piece of ['a/', '.', ' ', 'a. ', '\\', '/.', '"', 'x'.repeat(9)]) {
      keepTrueMentions(piece.repeat(500_000), CHANGED, SHOWN);
      tidyTitle(piece.repeat(500_000));
    }
  });
});

for (const [said, title] of [
  ['Add a retry to the loop.', 'Add a retry to the loop'],
  ['Title: "Add a retry"', 'Add a retry'],
  ['  Add\n a  retry!... ', 'Add a retry'],
  ['**Add a retry**', 'Add a retry'],
  ['...', ''],
  ['', ''],
  [
    `Add a retry to the loop so that requests which fail because of the ${'x'.repeat(20)}`,
    'Add a retry to the loop so that requests which fail',
  ],
  ['} ~~~ ~~~~', ''],
] as const) {
  test(`a title is made of ${JSON.stringify(said.slice(0, 30))}`, () =>
    assert.is(tidyTitle(said), title));
}

test('no title has more than 72 characters', () => {
  const words = `Fix ${'a'.repeat(60)} letters`;
  assert.is(words.length, 72);
  assert.is(tidyTitle(words), words);
  assert.is(tidyTitle(`${words}s`), `Fix ${'a'.repeat(60)}`);
  for (let length = 60; length < 90; length += 1) {
    for (const text of ['x'.repeat(length), 'word '.repeat(length).slice(0, length)]) {
      assert.ok(tidyTitle(text).length <= 72);
      assert.not.match(tidyTitle(text), /[. ]$/);
    }
  }
});

test('code can write a title without the model', () => {
  const file = (path: string) => ({ path, added: 2, removed: 1 });
  assert.is(plainTitle([file('src/a.ts')]), 'Change src/a.ts');
  assert.is(plainTitle([file('src/x/a.ts'), file('src/x/b.ts')]), 'Change 2 files in src/x');
  assert.is(plainTitle([file('src/a.ts'), file('b.ts')]), 'Change 2 files');
  assert.is(plainTitle([]), 'Change nothing');
  assert.is(plainSummary([file('a'), file('b')]), 'Changes a (+2 -1), b (+2 -1).');
  assert.match(plainSummary('abcdefg'.split('').map(file)), / and 2 more\.$/);
});

test.run();
