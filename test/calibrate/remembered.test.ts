import * as assert from 'uvu/assert';
import { betterFounded, machineKey, readRemembered } from '../../src/model/calibration.js';
import type { ModelFacts } from '../../src/model/model.js';
import { suite } from '../support/suite.js';

const test = suite('calibrate/remembered');

const FACTS: ModelFacts = {
  name: 'apple-foundationmodel',
  baseUrl: 'http://127.0.0.1:11434/v1',
  isApfel: true,
  version: '1.8.4',
  contextWindow: 4096,
};
const TRIAL = {
  protocol: 'guided',
  toolChoice: null,
  prompt: 'directive',
  seed: 1,
  verdict: 'faithful',
  ms: 900,
};
const PICKED = { protocol: 'guided', toolChoice: null, faithful: 4, runs: 5, ms: 9 } as const;

test('a calibration holds for a server version, a model and a system, wherever apfel listens', () => {
  const key = (changes: Partial<ModelFacts>, system = 'darwin 25.4'): string =>
    machineKey({ ...FACTS, ...changes }, system);
  assert.is(key({ baseUrl: 'http://127.0.0.1:5000/v1', contextWindow: 8192 }), key({}));
  const others = [
    key({ version: '1.9.0' }),
    key({ name: 'other' }),
    key({}, 'darwin 26.0'),
    key({ isApfel: false }),
    key({ isApfel: false, baseUrl: 'http://127.0.0.1:5000/v1' }),
  ];
  assert.is(new Set([key({}), ...others]).size, 6);
  assert.ok(key({ name: 'x'.repeat(100_000) }).length < 1000);
});

test('only valid fields of a saved calibration are read', () => {
  const tokens = [{ estimated: 100, actual: 90 }];
  assert.equal(readRemembered({ trials: [TRIAL], picked: PICKED, tokens }), {
    trials: [TRIAL],
    picked: PICKED,
    tokens,
  });
  const wrong = [
    { ...TRIAL, protocol: 'smoke' },
    { ...TRIAL, toolChoice: 'none' },
    { ...TRIAL, prompt: 'loud' },
    { ...TRIAL, seed: '1' },
    { ...TRIAL, verdict: 'fine' },
    { ...TRIAL, ms: -1 },
    [],
    null,
  ];
  const nothing = { trials: [], picked: undefined, tokens: [] };
  assert.equal(
    readRemembered({ trials: wrong, picked: { ...PICKED, runs: null }, tokens: [{ actual: 1 }] }),
    nothing,
  );
  for (const entry of [undefined, null, 7, 'x', [], {}, { trials: {} }]) {
    assert.equal(readRemembered(entry), nothing);
  }
});

test('a pick based on more measurements is not replaced by one based on fewer', () => {
  const sketchy = { ...PICKED, protocol: 'text', runs: 2 } as const;
  assert.is(betterFounded(PICKED, sketchy), PICKED);
  assert.is(betterFounded(PICKED, undefined), PICKED);
  assert.is(betterFounded(PICKED, { ...sketchy, runs: 5 })?.protocol, 'text');
  assert.is(betterFounded(undefined, sketchy), sketchy);
});

test.run();
