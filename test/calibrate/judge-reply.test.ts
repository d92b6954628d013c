import * as assert from 'uvu/assert';
import { questionFor } from '../../src/calibrate/questions.js';
import { judgeReply, type ReadCall } from '../../src/calibrate/trial.js';
import type { ModelFailure } from '../../src/model/model.js';
import { fails, says } from '../support/fake-model.js';
import { suite } from '../support/suite.js';

const test = suite('judge-reply');

const TIME = questionFor(1);
const FILE = questionFor(2);

const judged = (calls: readonly ReadCall[], question = FILE) =>
  judgeReply(says(''), question, { read: () => ({ kind: 'calls', calls }) });

const verdict = (name: string, given: unknown, question = FILE): string => {
  const judgement = judged([{ name, arguments: given }], question);
  return judgement.kind === 'measured' ? judgement.verdict : judgement.kind;
};

test('the right tool with exactly the arguments asked for is faithful', () => {
  assert.is(verdict('read_file', FILE.arguments), 'faithful');
  assert.is(verdict('read_file', JSON.stringify(FILE.arguments)), 'faithful');
  for (const nothing of [{}, '{}', '', null, undefined]) {
    assert.is(verdict('get_time', nothing, TIME), 'faithful');
  }
});

test('more, fewer or other arguments are not', () => {
  const { path, startLine } = FILE.arguments;
  const others = [
    { path },
    { path, startLine, language: 'en' },
    { path, startLine: String(startLine) },
    { file: path, startLine },
    { path: 'elsewhere', startLine },
    [path, startLine],
    'not JSON',
    '7',
    JSON.parse('{"__proto__": 1, "path": 2}'),
  ];
  for (const given of others) assert.is(verdict('read_file', given), 'other-arguments');
  assert.is(verdict('get_time', { current_time: 'noon' }, TIME), 'other-arguments');
});

test('any other name is a wrong one, even that of the other tool', () => {
  assert.is(verdict('get_time', {}), 'wrong-name');
  assert.is(verdict('readFile', FILE.arguments), 'wrong-name');
});

test('a second call was not asked for', () => {
  const call = { name: 'read_file', arguments: FILE.arguments };
  assert.equal(judged([call, call]), { kind: 'measured', verdict: 'other-arguments' });
  assert.equal(judged([call, { ...call, name: 'x' }]), { kind: 'measured', verdict: 'wrong-name' });
  assert.equal(judged([]), { kind: 'measured', verdict: 'no-call' });
});

test('refusals of every kind are refusals', () => {
  const read = () => ({ kind: 'refusal' }) as const;
  const refused = { kind: 'measured', verdict: 'refused' };
  assert.equal(judgeReply(says('I am sorry'), TIME, { read }), refused);
  assert.equal(judgeReply(fails('refused'), TIME, { read }), refused);
  assert.equal(judgeReply(fails('blocked'), TIME, { read }), refused);
});

test('a server without time or life says nothing about the model', () => {
  const read = () => ({ kind: 'no-call' }) as const;
  const kindOf = (kind: ModelFailure): string => {
    const judgement = judgeReply(fails(kind), TIME, { read });
    return judgement.kind === 'measured' ? judgement.verdict : judgement.kind;
  };
  assert.equal((['rate-limited', 'busy', 'loading'] as const).map(kindOf), Array(3).fill('missed'));
  assert.is(kindOf('unreachable'), 'gone');
  const fruitless = ['overflow', 'died', 'timed-out', 'malformed', 'rejected'] as const;
  assert.equal(fruitless.map(kindOf), Array(5).fill('no-call'));
});

test.run();
