import * as assert from 'uvu/assert';
import { entryLine } from '../../src/report/transcript-lines.js';
import { suite } from '../support/suite.js';

const test = suite('report/transcript-lines');

const REQUEST = {
  type: 'request',
  number: 2,
  atMs: 0,
  protocol: 'guided',
  estimatedTokens: 90,
  request: { system: '', messages: [], maxTokens: 1 },
} as const;
const CALL = { type: 'call', id: 'call_1', name: 'read_file', input: { path: 'a.ts' } } as const;

test('a request is one line with its size, and how it was shortened', () => {
  assert.is(entryLine({ ...REQUEST, compaction: 'none' }), 'request 2: guided, about 90 tokens');
  assert.is(
    entryLine({ ...REQUEST, compaction: 'shrunk' }),
    'request 2: guided, about 90 tokens, shrunk',
  );
});

test('a call is one line with its repairs', () => {
  assert.is(entryLine({ ...CALL, repairs: [] }), '→ read_file {"path":"a.ts"}');
  assert.is(
    entryLine({ ...CALL, repairs: ['quotes', 'comma'] }),
    '→ read_file {"path":"a.ts"} (repaired: quotes, comma)',
  );
});

test('a long text is cut after 160 characters', () => {
  const line = (message: string): string => entryLine({ type: 'end', reason: 'finished', message });
  assert.is(line('x'.repeat(160)), `end: finished ${'x'.repeat(160)}`);
  assert.is(line('x'.repeat(161)), `end: finished ${'x'.repeat(160)}…`);
});

test.run();
