import * as assert from 'uvu/assert';
import { behaviourOf } from '../../fixtures/apfel/behaviour.js';
import { detectToolCalls } from '../../fixtures/apfel/detect-tool-calls.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';

const test = suite('stand-in/apfel-detect-tool-calls');

const now = behaviourOf('1.8.4');
const found = (text: string, behaviour = now): unknown => {
  const detection = detectToolCalls(text, behaviour);
  if (detection.kind !== 'calls') return detection.kind;
  return detection.calls.map(call => [call.name, call.arguments]);
};
const call = (rest: string): string =>
  `{"tool_calls": [{"id": "a", "type": "function", "function": {"name": "f", ${rest}}}]}`;

test('arguments may be an object, encoded as a string, wrapped or invented', () => {
  assert.equal(found(call('"arguments": "{\\"a\\": 1}"')), [['f', '{"a": 1}']]);
  assert.equal(found(call('"arguments": "{broken"')), [['f', '{broken']]);
  assert.equal(found(call('"arguments": {"b": 1, "a": [2]}')), [['f', '{"a":[2],"b":1}']]);
  assert.equal(found(call('"arguments": [1]')), [['f', '[1]']]);
  assert.equal(found(call('"arguments": ""')), [['f', '{}']]);
  assert.equal(found(call('"arguments": "desktop"')), [['f', '{"value":"desktop"}']]);
  assert.equal(found(call('"x": 1')), [['f', '{}']]);
});

test('a scalar in place of arguments ends the server', () => {
  for (const scalar of ['7', 'true', 'null', '1.5'])
    assert.is(found(call(`"arguments": ${scalar}`)), 'aborts');
});

test('calls are found in the whole text, in fences and after a marker in prose', () => {
  const good = call('"arguments": "{}"');
  assert.equal(found(`  ${good}\n`), [['f', '{}']]);
  assert.equal(found(`Sure:\n\`\`\`json\n${good}\n\`\`\`\nDone.`), [['f', '{}']]);
  assert.equal(found(`\`\`\`\n${good}\n\`\`\``), [['f', '{}']]);
  assert.equal(found(`\`\`\`js\n1\n\`\`\` then \`\`\`json\n${good}\n\`\`\``), [['f', '{}']]);
  assert.equal(found(`I call ${good} now`), [['f', '{}']]);
});

test('a brace inside a string does not close an object', () => {
  const text = `Look: {"tool_calls": [{"id": "a}b", "function": {"name": "f", "arguments": "{}"}}]} }`;
  assert.equal(found(text), [['f', '{}']]);
});

test('JSON of any other shape stays text', () => {
  for (const text of [
    '{"name": "f", "arguments": "{}"}',
    '[{"function": {"name": "f", "arguments": "{}"}}]',
    '{"tool_calls": []}',
    '{"tool_calls": "f"}',
    '{"tool_calls": [1]}',
    '{ "tool_calls": [{"nothing": 1}]}',
    'just words',
    '',
  ])
    assert.is(found(text), 'none', text);
});

test('a function may be only a name, and an id may be missing', () => {
  const text = '{"tool_calls": [{"function": "f", "arguments": {"a": 1}}]}';
  assert.equal(found(text), [['f', '{"a":1}']]);
  const detection = detectToolCalls(text, now);
  assert.match(
    detection.kind === 'calls' ? (detection.calls[0]?.id ?? '') : '',
    /^call_[0-9A-F]{8}$/,
  );
  assert.is(found(text, behaviourOf('1.5.1')), 'none');
});

test('a list that was not closed is repaired', () => {
  const text = '{"tool_calls": [{"id": "a", "function": {"name": "f", "arguments": {"q": 1}}}}';
  assert.equal(found(text), [['f', '{"q":1}']]);
  assert.is(found(text, behaviourOf('1.5.1')), 'none');
});

test('a call that cannot be parsed is recovered from its name', () => {
  assert.equal(found(call('"arguments": "{"city": "Vienna"}"')), [['f', '{"city": "Vienna"}']]);
  const broken = '{"tool_calls": [{"id": "a", "function": {"name": "f", "arguments": "{\\"a\\": 1';
  assert.equal(found(broken), [['f', '"{\\"a\\": 1']]);
  assert.is(found('{"tool_calls": [{"id": "a", "function": {'), 'none');
  assert.is(found(broken, behaviourOf('1.5.1')), 'none');
});

test('400 kB of anything is searched in linear time', () => {
  for (const piece of ['{', '[', '"', '```', '\\', '{"tool_calls"', '"name" ', '"name": "', '``` '])
    for (const start of ['', '{"tool_calls"', '{"tool_calls": [{"arguments": ']) {
      mustEnd(() => {
        detectToolCalls(start + piece.repeat(400_000 / piece.length), now);
      });
    }
});

test.run();
