import * as assert from 'uvu/assert';
import { measuredProtocols } from '../../src/calibrate/measure.js';
import { questionFor } from '../../src/calibrate/questions.js';
import type { ProtocolName, Trial } from '../../src/model/calibration.js';
import type { ModelRequest } from '../../src/model/model.js';
import { calls, chooses, says } from '../support/fake-model.js';
import { suite } from '../support/suite.js';

const test = suite('calibrate-protocols');

function protocolOf(name: ProtocolName) {
  const found = measuredProtocols().find(each => each.name === name);
  if (found === undefined) throw new Error(`no protocol ${name}`);
  return found;
}

const requestOf = (trial: Partial<Trial> & { readonly protocol: ProtocolName }): ModelRequest => {
  const whole = { toolChoice: null, prompt: 'directive', seed: 2, ...trial } as const;
  return protocolOf(trial.protocol).request(whole, questionFor(whole.seed));
};

const promptOf = ({ messages }: ModelRequest): string => JSON.stringify(messages);

test('the directive request is the one that the agent would send', () => {
  const native = requestOf({ protocol: 'native', seed: 4 });
  assert.match(native.system, 'read_file(path, startLine)');
  assert.match(promptOf(native), 'Use the read_file tool.');
  assert.equal(
    native.tools?.map(({ name }) => name),
    ['get_time', 'read_file'],
  );
  assert.equal([native.seed, 'toolChoice' in native], [4, false]);
  const guided = requestOf({ protocol: 'guided' });
  assert.match(JSON.stringify(guided.schema), 'b_action');
  assert.is(
    requestOf({ protocol: 'text' }).schema ?? requestOf({ protocol: 'text' }).tools,
    undefined,
  );
});

test('in the neutral request no words name the tool, except where there are only words', () => {
  for (const protocol of ['native', 'guided'] as const) {
    const request = requestOf({ protocol, prompt: 'neutral' });
    assert.is(request.system, '');
    assert.not.match(promptOf(request), 'read_file');
  }
  assert.match(requestOf({ protocol: 'text', prompt: 'neutral' }).system, '"action"');
});

test('tool_choice goes out as the variant says', () => {
  const choice = (toolChoice: Trial['toolChoice']) =>
    requestOf({ protocol: 'native', toolChoice }).toolChoice;
  assert.equal([choice('auto'), choice('required')], ['auto', 'required']);
  assert.equal(choice('named'), { name: 'read_file' });
  assert.equal(protocolOf('guided').toolChoices, []);
});

test('replies are read as the agent reads them, before any repair', () => {
  const read = (name: ProtocolName, reply: Parameters<ReturnType<typeof protocolOf>['read']>[0]) =>
    protocolOf(name).read(reply);
  const worded = (reply: ReturnType<typeof says>) => {
    if (reply.kind !== 'answer' && reply.kind !== 'tool-calls') throw new Error(reply.kind);
    return reply;
  };
  const asked = { path: 'a.ts', startLine: 3 };
  assert.equal(read('guided', worded(chooses('read_file', asked))), {
    kind: 'calls',
    calls: [{ name: 'read_file', arguments: asked }],
  });
  const native = read('native', worded(calls('readFile', { file: 'a.ts' })));
  assert.match(JSON.stringify(native), /"name":"readFile".*file/);
  const text = says(JSON.stringify({ action: 'get_time' }));
  assert.equal(read('text', worded(text)), {
    kind: 'calls',
    calls: [{ name: 'get_time', arguments: {} }],
  });
  const sorry = says("I'm sorry, but I can't assist with that.");
  assert.equal(read('native', worded(sorry)), { kind: 'refusal' });
  assert.equal(read('native', worded(says('It is noon.'))), { kind: 'no-call' });
  assert.equal(read('guided', worded(says('{"a_reason": "cu', true))), { kind: 'no-call' });
});

test.run();
