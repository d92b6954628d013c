import { createHash } from 'node:crypto';
import * as assert from 'uvu/assert';
import { answerKey } from '../../src/review/cache.js';
import { suite } from '../support/suite.js';

const test = suite('review/answer-key');

test('cached answers of older versions are not used', () => {
  const lines = [{ kind: 'added', text: 'one();', newLine: 1 }] as const;
  const part = {
    path: 'src/a.js',
    hunk: 1,
    enclosing: ['function f()'],
    lines,
    survivors: new Map<number, string>(),
  };
  const asked = { question: 'open', model: 'some-model' };
  const keyAt = (version: number, ...more: unknown[]): string =>
    createHash('sha256')
      .update(JSON.stringify([version, asked.model, asked.question, 'js', ...more]))
      .update('\nadded:one();')
      .digest('hex');
  const key = answerKey(part, asked);
  assert.not.ok([1, 2, 3, 4, 5].map(version => keyAt(version)).includes(key));
  for (const version of [6, 7]) assert.is.not(key, keyAt(version, part.enclosing));
  assert.is(key, keyAt(8, part.enclosing));
});

test.run();
