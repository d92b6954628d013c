import * as assert from 'uvu/assert';
import type { Outcome } from '../../src/core/outcome.js';
import { jsonText, toJson } from '../../src/report/json.js';
import { suite } from '../support/suite.js';
import { EMPTY, SAMPLE } from './sample-outcome.js';

const json = (outcome: Outcome): Promise<string> =>
  toJson(outcome, { yieldToEventLoop: () => undefined });

const test = suite('report/json');

test('an outcome written as JSON is read back unchanged, hostile paths included', async () => {
  assert.equal(JSON.parse(await json(SAMPLE)), SAMPLE);
  assert.equal(JSON.parse(await json(EMPTY)), EMPTY);
});

test('the JSON ends in one newline', async () => {
  assert.match(await json(EMPTY), /[^\n]\n$/);
});

test('the JSON contains no hidden or control character and no lone surrogate', async () => {
  const outcome = { ...SAMPLE, notices: ['\x7f\x9b\u2028\u202e\u200b\u{e0041}\ud800\x00'] };
  assert.not.match(await json(outcome), /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}](?<!\n)/u);
  assert.equal(JSON.parse(await json(outcome)), outcome);
});

test('the JSON contains no workflow command, and its data is unchanged', () => {
  const text = '##[set-output name=x]1 ##vso[task] ::set-output::';
  const json = jsonText({ text });
  assert.not.match(json, /##(?:vso)?\[/);
  assert.equal(JSON.parse(json), { text });
});

test.run();
