import * as assert from 'uvu/assert';
import type { Entry } from '../../src/agent/transcript.js';
import { review } from '../../src/review/ask-chunks.js';
import type { ChunkPart } from '../../src/review/chunk.js';
import { lookUp, namesUsed } from '../../src/review/look-up.js';
import { DEFAULT_LIMITS } from '../agent/default-limits.js';
import { memorySource } from '../agent/tools/memory-source.js';
import { answerTo, fieldsIn, textIn } from '../support/closed-questions.js';
import { fakeModel } from '../support/fake-model.js';
import { suite } from '../support/suite.js';

const test = suite('look-up');

const part: ChunkPart = {
  path: 'src/a.ts',
  hunk: 1,
  enclosing: [],
  survivors: new Map(),
  lines: [
    { kind: 'added', text: 'const total = sumOf(items, new Cart());', newLine: 1 },
    { kind: 'added', text: 'function here() { return "notThis()"; } // norThat()', newLine: 2 },
    { kind: 'added', text: 'here();', newLine: 3 },
  ],
};

const source = memorySource({
  'src/b.ts': 'export const other = 1;\nexport function sumOf(items, cart) {\n  return 0;\n}\n',
  'lib/c.py': 'def sumOf(items):\n    return 1\n',
});

test('names that are called and not defined in the lines shown are on offer, those in texts are not', () => {
  assert.equal(namesUsed([part]), ['sumOf', 'Cart']);
});

test('the definition in a file of the same kind is shown, to the end of its block', async () => {
  const text = await lookUp('sumOf', 'src/a.ts', source);
  assert.is(text, 'src/b.ts\n2| export function sumOf(items, cart) {\n3|   return 0;\n4| }');
});

test('a name that is defined nowhere is said to be', async () => {
  assert.match(await lookUp('Cart', 'src/a.ts', source), /no definition of Cart/);
});

test('a model may look up one name a chunk, and the definition is in the transcript', async () => {
  const entries: Entry[] = [];
  const reason = 'adds up items with sumOf';
  const model = fakeModel(request =>
    fieldsIn(request).includes('name')
      ? answerTo(request, { reason, verdict: 'look_up', name: 'sumOf' })
      : answerTo(request, { reason, verdict: 'nothing' }),
  );
  const draft = await review(
    { chunks: [{ number: 1, parts: [part], tokens: 0, risk: 0 }], votes: 1, rulesFor: () => [] },
    {
      model,
      protocol: 'guided',
      limits: DEFAULT_LIMITS,
      clock: { now: () => 0 },
      signal: new AbortController().signal,
      onEntry: entry => entries.push(entry),
      about: { subject: 'Add up the cart', source },
    },
  );
  assert.is(draft.parts[0]?.state, 'reviewed');
  assert.is(model.requests.length, 2);
  const second = model.requests[1];
  assert.match(second === undefined ? '' : textIn(second), /^Commit: Add up the cart\n/);
  assert.match(second === undefined ? '' : textIn(second), /function sumOf\(items, cart\)/);
  assert.equal(
    entries.map(({ type }) => type),
    ['request', 'reply', 'call', 'result', 'request', 'reply', 'end'],
  );
});

test.run();
