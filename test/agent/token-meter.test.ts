import * as assert from 'uvu/assert';
import { userMessage } from '../../src/agent/question.js';
import { TokenMeter } from '../../src/agent/tokens.js';
import { suite } from '../support/suite.js';

const test = suite('agent/token-meter');

const PLAIN = { system: 'You review code.', messages: [userMessage('one two three '.repeat(40))] };
const SCHEMA = {
  name: 'answer',
  schema: { type: 'object', properties: { line: { enum: Array.from({ length: 90 }, String) } } },
};

test('the count of a server, which leaves the schema out, is compared with an estimate without it', () => {
  const meter = new TokenMeter();
  const plain = meter.cost(PLAIN);
  const guided = { ...PLAIN, schema: SCHEMA };
  assert.ok(meter.cost(guided) > 1.5 * plain);
  meter.learn(guided, meter.cost(guided), Math.round(1.5 * plain));
  assert.ok(Math.abs(meter.scale - 1.5) < 0.02, String(meter.scale));
});

test('a count below the estimate does not lower it', () => {
  const meter = new TokenMeter();
  meter.learn({}, meter.cost(PLAIN), 1);
  assert.is(meter.scale, 1);
});

test.run();
