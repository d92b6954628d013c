import * as assert from 'uvu/assert';
import type { Entry } from '../../src/agent/question.js';
import { review } from '../../src/review/ask-chunks.js';
import type { ChunkPart } from '../../src/review/chunk.js';
import { lookUp, namesUsed } from '../../src/review/look-up.js';
import { DEFAULT_LIMITS } from '../agent/default-limits.js';
import { memorySource } from '../agent/tools/memory-source.js';
import { answerTo, asksForRuling, fieldsIn, textIn } from '../support/closed-questions.js';
import { fakeModel } from '../support/fake-model.js';
import { suite } from '../support/suite.js';

const test = suite('review/look-up');

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

test('names that are called and not defined in the lines shown are offered, those in strings are not', () => {
  assert.equal(namesUsed([part]), ['sumOf', 'Cart']);
});

test('the definition in a file of the same kind is shown, to the end of its block', async () => {
  const text = await lookUp('sumOf', 'src/a.ts', source);
  assert.is(text, 'src/b.ts\n2| export function sumOf(items, cart) {\n3|   return 0;\n4| }');
});

test('a name that is defined nowhere is reported as such', async () => {
  assert.match(await lookUp('Cart', 'src/a.ts', source), /no definition of Cart/);
});

test('a model may look up one name a chunk; its definition is in the transcript and in the second look', async () => {
  const entries: Entry[] = [];
  const reason = 'adds up items with sumOf';
  const quote = 'sumOf(items, new Cart())';
  const problem = { line: '1', quote, severity: 'error', message: 'sumOf gives 0', more: 'no' };
  const model = fakeModel(request => {
    const fields = fieldsIn(request);
    if (asksForRuling(fields)) return answerTo(request, { reason, ruling: 'real_bug' });
    return fields.includes('name')
      ? answerTo(request, { reason, verdict: 'look_up', name: 'sumOf' })
      : answerTo(request, { reason, verdict: 'problem', ...problem });
  });
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
  const [first, ...others] = model.requests;
  assert.match(first?.system ?? '', '"look_up" to see the definition of a name');
  assert.is(others.length, 2, 'the question again, and the second look');
  for (const request of others) {
    assert.match(textIn(request), /^Commit: Add up the cart\n/);
    assert.match(textIn(request), /Definition:\n~~~\nsrc\/b.ts\n2\| export function sumOf/);
    assert.not.match(request.system, 'look_up');
  }
  assert.equal(
    entries.map(({ type }) => type),
    ['request', 'reply', 'call', 'result', 'request', 'reply', 'end', 'request', 'reply', 'end'],
  );
});

test.run();
