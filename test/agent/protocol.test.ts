import * as assert from 'uvu/assert';
import type { Protocol, Turn } from '../../src/agent/protocol.js';
import { actionSchema, guided } from '../../src/agent/protocol-guided.js';
import { native } from '../../src/agent/protocol-native.js';
import { plainText } from '../../src/agent/protocol-text.js';
import { chooseProtocols } from '../../src/agent/protocols.js';
import { registry } from '../../src/agent/tool.js';
import { readFile } from '../../src/agent/tools/read-file.js';
import { finish, searchCode } from '../../src/agent/tools/reading.js';
import { type ModelFacts, textOf } from '../../src/model/model.js';
import { calls, says } from '../support/fake-model.js';
import { suite } from '../support/suite.js';
import { recordedTool } from './conversation-support.js';
import { memorySource } from './tools/memory-source.js';

const test = suite('protocols');
const source = memorySource({});
const tools = registry([readFile(source), searchCode(source), finish]);

const turn: Turn = {
  system: 'SYSTEM',
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'TASK' }] },
    {
      role: 'assistant',
      content: [{ type: 'toolCall', id: 'call_1', name: 'read_file', input: { path: 'a' } }],
      stopReason: 'toolUse',
      model: 'm',
      usage: { promptTokens: 0, completionTokens: 0 },
    },
    {
      role: 'toolResult',
      toolCallId: 'call_1',
      toolName: 'read_file',
      isError: false,
      content: [{ type: 'text', text: 'RESULT' }],
      details: {},
    },
  ],
  prompt: 'PROMPT',
  tools,
  maxTokens: 512,
  seed: 7,
};

const understood = (protocol: Protocol, text: string): unknown =>
  protocol.understand(says(text) as Parameters<Protocol['understand']>[0], tools);

test('the guided schema is one flat object whose keys sort as they should be thought', () => {
  const schema = actionSchema(tools);
  const properties = Object(schema['properties']);
  assert.equal(Object.keys(properties).sort(), [
    'a_reason',
    'b_action',
    'c_path',
    'f_startLine',
    'g_endLine',
    'h_query',
    'm_answer',
  ]);
  assert.equal(properties['b_action'].enum, ['read_file', 'search_code', 'finish']);
  assert.equal(schema['required'], ['a_reason', 'b_action']);
});

test('what every action on offer requires is required of the reply', () => {
  const only = (...names: string[]) =>
    actionSchema(registry(tools.tools.filter(tool => names.includes(tool.name))))['required'];
  assert.equal(only('finish'), ['a_reason', 'b_action', 'm_answer']);
  assert.equal(only('read_file'), ['a_reason', 'b_action', 'c_path']);
  assert.equal(only('read_file', 'finish'), ['a_reason', 'b_action']);
});

test('the guided schema uses nothing that the server ignores or refuses', () => {
  const text = JSON.stringify(actionSchema(tools));
  for (const word of [
    'anyOf',
    'oneOf',
    'allOf',
    '$ref',
    'array',
    'minimum',
    'maxLength',
    'pattern',
    'null',
  ]) {
    assert.not.ok(text.includes(`"${word}"`), word);
  }
});

test('tools of other people get letters that do not clash', () => {
  const keys = Object.keys(
    Object(actionSchema(registry([recordedTool('x', ['one', 'two', 'path'])]))['properties']),
  );
  assert.equal(keys, ['a_reason', 'b_action', 'n_one', 'o_two', 'c_path']);
});

test('guided: the names without their order are the tool and its parameters', () => {
  const text =
    '{"a_reason": "r", "b_action": "read_file", "c_path": "a", "f_startLine": 2, "m_answer": ""}';
  assert.equal(understood(guided, text), {
    kind: 'calls',
    calls: [{ name: 'read_file', arguments: { path: 'a', startLine: 2 } }],
    repairs: [],
    reason: 'r',
  });
});

test('guided: what is cut is cut, what is not an object is bad', () => {
  assert.is(Object(understood(guided, '{"a_reason": "r", "b_ac')).kind, 'cut');
  assert.is(Object(understood(guided, 'Sure, I will read it.')).kind, 'bad');
  assert.is(Object(understood(guided, '{"x": 1}')).kind, 'bad');
});

test('native: tools are sent without tool_choice and named again in the system text', () => {
  const request = native.request(turn);
  assert.is(request.tools?.length, 3);
  assert.is(request.toolChoice, undefined);
  assert.is(request.schema, undefined);
  assert.match(request.system, /read_file\(path, startLine\?, endLine\?\)/);
  assert.match(request.system, /Example: read_file \{"path":"src\/index.ts"\}/);
});

test('native: calls, calls in the text, answers and nothing are recognised', () => {
  const sent = calls('read_file', { path: 'a' });
  assert.is(native.understand(sent as Parameters<Protocol['understand']>[0], tools).kind, 'calls');
  assert.is(
    Object(understood(native, '```json\n{"name": "finish", "arguments": {"answer": "x"}}\n```'))
      .kind,
    'calls',
  );
  assert.equal(understood(native, 'It is 8.'), { kind: 'answer', text: 'It is 8.' });
  assert.is(Object(understood(native, '  ')).kind, 'bad');
});

test('text: neither tools nor schema, and calls and results are ordinary messages', () => {
  const request = plainText.request(turn);
  assert.is(request.tools ?? request.schema, undefined);
  assert.equal(
    request.messages.map(message => message.role),
    ['user', 'assistant', 'user'],
  );
  assert.equal(request.messages.map(textOf), [
    'TASK',
    '{"action":"read_file","path":"a"}',
    'RESULT\n(result of read_file)\n\nPROMPT',
  ]);
  assert.match(request.system, /"action"/);
});

test('the prompt is always the last word, in a message of the user', () => {
  for (const protocol of [guided, native, plainText]) {
    const last = protocol.request(turn).messages.at(-1);
    assert.is(last?.role, 'user');
    assert.match(last === undefined ? '' : textOf(last), /PROMPT$/);
  }
});

const facts = (isApfel: boolean, version: string | undefined, isOwn = true): ModelFacts => ({
  name: 'm',
  baseUrl: 'u',
  contextWindow: 4096,
  isApfel,
  version,
  isOwn,
});

test('guided comes first where the server decodes under a schema', () => {
  const names = (wanted: 'auto' | 'text', known: ModelFacts): string =>
    chooseProtocols(wanted, known)
      .map(protocol => protocol.name)
      .join(' ');
  assert.is(names('auto', facts(true, '1.8.4')), 'guided native text');
  assert.is(names('auto', facts(true, '1.4.0')), 'guided native text');
  assert.is(names('auto', facts(true, '2.0.0')), 'guided native text');
  assert.is(names('auto', facts(true, '1.3.9')), 'native text');
  assert.is(names('auto', facts(true, undefined)), 'native text');
  assert.is(names('auto', facts(false, undefined)), 'guided native text');
  // It may have MCP tools, and what keeps them out would break the text protocol.
  assert.is(names('auto', facts(true, '1.8.4', false)), 'guided native');
  assert.is(names('text', facts(true, '1.8.4')), 'text');
});

test.run();
