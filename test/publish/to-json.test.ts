import * as assert from 'uvu/assert';
import { toJson } from '../../src/publish/to-json.js';
import { suite } from '../support/suite.js';
import { EMPTY, SAMPLE } from './sample-outcome.js';

const test = suite('to-json');

test('the outcome comes back as it was, hostile paths and all', () => {
  assert.equal(JSON.parse(toJson(SAMPLE)), SAMPLE);
  assert.equal(JSON.parse(toJson(EMPTY)), EMPTY);
});

test('it ends in one newline', () => {
  assert.match(toJson(EMPTY), /[^\n]\n$/);
});

test('no hidden, control or half character stands in the file', () => {
  const outcome = { ...SAMPLE, notices: ['\x7f\x9b\u2028\u202e\u200b\u{e0041}\ud800\x00'] };
  assert.not.match(toJson(outcome), /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}](?<!\n)/u);
  assert.equal(JSON.parse(toJson(outcome)), outcome);
});

test.run();
