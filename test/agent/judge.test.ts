import * as assert from 'uvu/assert';
import { type DoneCall, hasLooked } from '../../src/agent/judge.js';
import { failed, succeeded } from '../../src/agent/tool.js';
import { suite } from '../support/suite.js';

const test = suite('judge');
const opening = 'What is the limit?';
const call = (name: string, outcome: DoneCall['outcome']): DoneCall => ({
  name,
  input: {},
  outcome,
});
const read = call('read_file', succeeded('a.ts: lines 1-1 of 1\nconst limit = 42;'));

test('an answer needs something that was read, and must show it', () => {
  const missed = call('read_file', failed('no such file'));
  assert.match(
    hasLooked({ opening, calls: [], answer: 'It is 42.' }) ?? '',
    /nothing has been read/,
  );
  assert.match(
    hasLooked({ opening, calls: [missed], answer: 'It is 42.' }) ?? '',
    /nothing has been read/,
  );
  assert.match(hasLooked({ opening, calls: [read], answer: '' }) ?? '', /no answer yet/);
  assert.match(hasLooked({ opening, calls: [read], answer: 'success' }) ?? '', /shows nothing/);
  assert.is(hasLooked({ opening, calls: [read], answer: 'It is 42.' }), undefined);
});

test('that nothing was found may be said in any words', () => {
  const none = call('search_code', succeeded('0 matches for "limit". Try a shorter text'));
  assert.is(hasLooked({ opening, calls: [none], answer: 'There is no such thing.' }), undefined);
});

test.run();
