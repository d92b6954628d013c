import * as assert from 'uvu/assert';
import { callsIn } from '../../src/agent/read-reply.js';
import { registry } from '../../src/agent/tool.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';
import { recordedTool } from './conversation-support.js';

const test = suite('agent/find-calls');
const usage = { promptTokens: 0, completionTokens: 0 };
const findCalls = (text: string, offered: typeof tools) =>
  callsIn({ kind: 'answer', text, isCut: false, usage }, offered);
const tools = registry([recordedTool('read_file', ['path']), recordedTool('finish', ['answer'])]);
const read = [{ name: 'read_file', arguments: { path: 'a' } }];

const SHAPES: ReadonlyArray<readonly [what: string, text: string]> = [
  ['name and arguments', '{"name": "read_file", "arguments": {"path": "a"}}'],
  ['the same in a fence', '```json\n{"name": "read_file", "arguments": {"path": "a"}}\n```'],
  ['parameters', '{"name": "read_file", "parameters": {"path": "a"}}'],
  [
    'tool_calls',
    '{"tool_calls": [{"id": "1", "function": {"name": "read_file", "arguments": {"path": "a"}}}]}',
  ],
  [
    'tool_calls not closed',
    '{"tool_calls": [{"function": {"name": "read_file", "arguments": {"path": "a"}}}}',
  ],
  ['a function by name', '{"function": "read_file", "arguments": {"path": "a"}}'],
  ['an action', '{"action": "read_file", "path": "a"}'],
  [
    'an action with order and reason',
    '{"a_reason": "because", "b_action": "read_file", "c_path": "a"}',
  ],
  ['an action with arguments', '{"tool": "read_file", "args": {"path": "a"}}'],
  ['the name as key', '{"read_file": {"path": "a"}}'],
  ['the name before', 'read_file {"path": "a"}'],
  ['the name before, as code', 'Let me call `read_file`: {"path": "a"}'],
  ['a function call', 'read_file({"path": "a"})'],
  [
    'words around it',
    'I will read it.\n\n{"name": "read_file", "arguments": {"path": "a"}}\n\nDone.',
  ],
];

for (const [what, text] of SHAPES) {
  test(`a call is found: ${what}`, () => {
    const found = findCalls(text, tools);
    assert.is(found.kind, 'calls');
    const calls = found.kind === 'calls' ? found.calls : [];
    assert.equal(
      calls.map(({ name, arguments: given }) => ({ name, arguments: withoutOrder(given) })),
      read,
    );
  });
}

const withoutOrder = (given: unknown): unknown =>
  Object.fromEntries(
    Object.entries(Object(given)).map(([key, value]) => [key.replace(/^c_/, ''), value]),
  );

test('a call of an invented tool is a call and gets an error', () => {
  const found = findCalls('{"name": "wikipedia.info", "arguments": {"q": "cats"}}', tools);
  assert.equal(found.kind === 'calls' && found.calls[0]?.name, 'wikipedia.info');
});

test('an answer that shows JSON or code is not a call', () => {
  for (const text of [
    'The manifest says {"name": "apfel-bot", "version": "1.0.0"}.',
    'function f() { return { name: "x" }; }',
    '```json\n{"action": "deploy", "target": "prod"}\n```',
    '{"answer": 42}',
    'No braces at all.',
  ]) {
    assert.is(findCalls(text, tools).kind, 'none', text);
  }
});

test('a call that is cut off is neither a call nor an answer', () => {
  for (const text of [
    '{"tool_calls": [{"function": {"name": "read_file", "arguments": "{\\"path\\": \\"sr',
    '{"action": "read_file", "path": "sr',
    'read_file {"path": "sr',
  ]) {
    assert.is(findCalls(text, tools).kind, 'cut', text);
  }
});

test('hostile texts are searched in linear time', () => {
  for (const text of [
    '{'.repeat(500_000),
    'read_file '.repeat(50_000),
    '{"name": '.repeat(55_000),
  ]) {
    mustEnd(() => {
      findCalls(text, tools);
    });
  }
});

test.run();
