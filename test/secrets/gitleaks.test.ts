import * as assert from 'uvu/assert';
import { findSecrets } from '../../src/secrets/scan.js';
import { suite } from '../support/suite.js';
import { gitleaksCases, readCases, readRules } from './gitleaks-cases.js';
import { percent, scoreCases } from './score-cases.js';

const test = suite('secrets/gitleaks');

const absent = gitleaksCases.absent;

test.unless(absent, 'the converted rules find every case that they must find', () => {
  const rules = readRules();
  const missed = readCases('small.jsonl').filter(
    one => one.kind === 'tp' && rules.get(one.rule)?.pattern.test(one.text) !== true,
  );
  assert.equal(missed, []);
});

test.unless(
  absent,
  'rules that recognize a secret by its format are separated from those that need a keyword',
  () => {
    const rules = readRules();
    const isStructured = (id: string): boolean | undefined => rules.get(id)?.isStructured;
    for (const id of [
      'github-pat',
      'aws-access-token',
      'private-key',
      'mailchimp-api-key',
      'lob-api-key',
    ]) {
      assert.is(isStructured(id), true, id);
    }
    for (const id of [
      'discord-api-token',
      'heroku-api-key',
      'generic-api-key',
      'sonar-api-token',
    ]) {
      assert.is(isStructured(id), false, id);
    }
    assert.is([...rules.values()].filter(rule => rule.isStructured).length, 138);
  },
);

test.unless(absent, 'of secrets with a fixed prefix or structure at least 95 % are found', () => {
  const { structured } = scoreCases(readCases('small.jsonl'), readRules());
  assert.ok(structured.of > 400, `${structured.of} cases`);
  assert.ok(percent(structured) >= 95, `${percent(structured).toFixed(1)} %`);
});

test.unless(absent, 'of secrets that only a word nearby reveals at least 80 % are found', () => {
  const { byWord } = scoreCases(readCases('small.jsonl'), readRules());
  assert.ok(byWord.of > 200, `${byWord.of} cases`);
  assert.ok(percent(byWord) >= 80, `${percent(byWord).toFixed(1)} %`);
});

test.unless(absent, 'of texts in which gitleaks finds nothing at most 2 % are reported', () => {
  const { harmless } = scoreCases(readCases('small.jsonl'), readRules());
  assert.ok(harmless.of > 300, `${harmless.of} cases`);
  assert.ok(percent(harmless) <= 2, harmless.flagged.join('\n'));
});

test.unless(absent, 'the secrets of a text are those of its lines read one by one', () => {
  const { structured } = scoreCases(readCases('small.jsonl'), readRules());
  const whole = readCases('small.jsonl').filter(
    one => one.kind === 'tp' && findSecrets(one.text).length > 0,
  );
  assert.ok(whole.length >= structured.found);
});

test.run();
