import * as assert from 'uvu/assert';
import { EXIT } from '../../src/core/bot-error.js';
import { suite } from '../support/suite.js';

const test = suite('core/exit-codes');

test('every ending has the exit code that the contract promises', () => {
  assert.equal(EXIT, {
    done: 0,
    findings: 1,
    usage: 2,
    config: 2,
    git: 3,
    'model-required': 4,
    'publish-failed': 5,
    incomplete: 6,
    'not-permitted': 7,
    bug: 70,
    interrupted: 130,
    terminated: 143,
  });
});

test.run();
