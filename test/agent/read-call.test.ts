import * as assert from 'uvu/assert';
import { fieldsIn, type RawCall, readCall } from '../../src/agent/read-reply.js';
import { finish, getTime, listDir, readFile, searchCode } from '../../src/agent/reading.js';
import { registry } from '../../src/agent/tool.js';
import { suite } from '../support/suite.js';
import { recordedTool } from './conversation-support.js';
import { memorySource } from './tools/memory-source.js';

const test = suite('agent/read-call');
const source = memorySource({});
const tools = registry([
  readFile(source),
  searchCode(source),
  getTime({ now: () => 0, stamp: () => '1970-01-01T00:00:00.000Z' }),
  finish,
]);

const repaired = (name: string, given: unknown, offered = tools) => {
  const call = readCall({ name, arguments: given }, offered);
  return [call.name, call.input, [...call.repairs]];
};

type Case = readonly [what: string, said: RawCall, name: string, input: unknown, repairs: string[]];

const CASES: readonly Case[] = [
  ['nothing', { name: 'read_file', arguments: { path: 'a' } }, 'read_file', { path: 'a' }, []],
  [
    'JSON in a string',
    { name: 'read_file', arguments: '{"path": "a"}' },
    'read_file',
    { path: 'a' },
    [],
  ],
  [
    'a string in a string',
    { name: 'read_file', arguments: '"{\\"path\\": \\"a\\"}"' },
    'read_file',
    { path: 'a' },
    ['value-unwrapped'],
  ],
  [
    'an object in a list',
    { name: 'read_file', arguments: [{ path: 'a' }] },
    'read_file',
    { path: 'a' },
    ['value-unwrapped'],
  ],
  [
    'an extra key',
    { name: 'read_file', arguments: { path: 'a', language: 'en' } },
    'read_file',
    { path: 'a' },
    ['key-dropped'],
  ],
  [
    'a known word',
    { name: 'read_file', arguments: { filename: 'a' } },
    'read_file',
    { path: 'a' },
    ['key-renamed'],
  ],
  [
    'another spelling',
    { name: 'read_file', arguments: { path: 'a', start_line: 3 } },
    'read_file',
    { path: 'a', startLine: 3 },
    ['key-renamed'],
  ],
  [
    'the one key left for the one missing',
    { name: 'search_code', arguments: { topic: 'x' } },
    'search_code',
    { query: 'x' },
    ['key-renamed'],
  ],
  [
    'a suffix',
    { name: 'read_file', arguments: { path_name: 'a', startLine: 2 } },
    'read_file',
    { startLine: 2, path: 'a' },
    ['key-renamed'],
  ],
  [
    'known words for each',
    { name: 'read_file', arguments: { file: 'a', from_line: 2, to_line: 3 } },
    'read_file',
    { path: 'a', startLine: 2, endLine: 3 },
    ['key-renamed', 'key-renamed', 'key-renamed'],
  ],
  [
    'outputs for inputs',
    { name: 'get_time', arguments: { current_time: '12:00' } },
    'get_time',
    {},
    ['key-dropped'],
  ],
  [
    'a wrapped object',
    { name: 'read_file', arguments: { value: '{"path": "a"}' } },
    'read_file',
    { path: 'a' },
    ['value-unwrapped'],
  ],
  [
    'a wrapped word',
    { name: 'read_file', arguments: { value: 'a' } },
    'read_file',
    { path: 'a' },
    ['key-renamed'],
  ],
  [
    'a list of one',
    { name: 'read_file', arguments: { path: ['a'] } },
    'read_file',
    { path: 'a' },
    ['type-changed'],
  ],
  [
    'a number in words',
    { name: 'read_file', arguments: { path: 'a', startLine: '12' } },
    'read_file',
    { path: 'a', startLine: 12 },
    ['type-changed'],
  ],
  [
    'null for what may be left out',
    { name: 'read_file', arguments: { path: 'a', startLine: null, endLine: 0 } },
    'read_file',
    { path: 'a' },
    [],
  ],
  [
    'a tool in another spelling',
    { name: 'functions.readFile', arguments: { path: 'a' } },
    'read_file',
    { path: 'a' },
    ['tool-renamed'],
  ],
  [
    'a tool by a known word',
    { name: 'open_file', arguments: { path: 'a' } },
    'read_file',
    { path: 'a' },
    ['tool-renamed'],
  ],
  [
    'a tool with a slip',
    { name: 'serch_code', arguments: { query: 'a' } },
    'search_code',
    { query: 'a' },
    ['tool-renamed'],
  ],
];

for (const [what, said, name, input, repairs] of CASES) {
  test(`a call is repaired: ${what}`, () => {
    assert.equal(repaired(said.name, said.arguments), [name, input, repairs]);
  });
}

test('two keys for one parameter are asked about, not repaired', () => {
  const info = registry([recordedTool('get_info', ['subject'])]);
  assert.equal(repaired('get_info', { town: 'Vienna', person: 'Bob' }, info), [
    'get_info',
    {},
    ['key-dropped'],
  ]);
  assert.equal(repaired('read_file', { file: 'a', filename: 'b' }), [
    'read_file',
    {},
    ['key-dropped'],
  ]);
});

test('two keys with the same value count as one', () => {
  assert.equal(repaired('read_file', { file: 'a', filename: 'a' })[1], { path: 'a' });
});

test('a key that is present is never overruled by a synonym', () => {
  assert.equal(repaired('read_file', { path: 'a', file: 'b' })[1], { path: 'a' });
});

test('unknown keys are not taken for a missing parameter', () => {
  for (const given of [
    { encoding: 'utf8' },
    { language: 'en' },
    { result: 'ok', status: 'success' },
    { result: 'ok', status_name: 'success' },
    { description: 'reads the file' },
  ]) {
    assert.equal(repaired('read_file', given)[1], {}, JSON.stringify(given));
    assert.equal(repaired('finish', given)[1], {}, JSON.stringify(given));
  }
});

test('a value of another type is not taken for a missing parameter', () => {
  assert.equal(repaired('search_code', { topic: 12 })[1], {});
});

test('an invented tool keeps its name, so that the error can name it', () => {
  for (const name of ['wikipedia.info', 'addition', 'write_file', 'delete_file', '', 'read']) {
    const [found] = repaired(name, { path: 'a' });
    assert.is(found, name === 'read' ? 'read_file' : name);
  }
});

test('a name that could mean two of the offered tools is not resolved', () => {
  const both = registry([
    recordedTool('read_diff', ['path']),
    recordedTool('Read_Diff', ['path']),
    listDir(source),
  ]);
  assert.is(repaired('READ-DIFF', { path: 'a' }, both)[0], 'READ-DIFF');
});

test('a misspelling equally close to two tools is not resolved', () => {
  const both = registry([
    recordedTool('list_one', []),
    recordedTool('list_one_', []),
    recordedTool('list_onf', []),
  ]);
  assert.is(repaired('list_onx', {}, both)[0], 'list_onx');
});

test('arguments that are cut off, not an object or not JSON are reported as such', () => {
  for (const [given, problem] of [
    ['{"path": "a', /cut off/],
    [7, /must be one JSON object/],
    ['please read a.ts', /not JSON/],
    [['a', 'b'], /must be one JSON object/],
  ] as const) {
    assert.match(readCall({ name: 'read_file', arguments: given }, tools).problem ?? '', problem);
  }
});

test('property names of JavaScript objects are treated like any other name', () => {
  for (const name of ['constructor', '__proto__', 'toString']) {
    assert.is(repaired(name, {})[0], name);
    assert.equal(repaired('get_time', JSON.parse(`{"${name}": 1}`))[1], {});
  }
});

test("a value that isn't one of the choices is kept with others, but isn't an answer by itself", () => {
  const fields = [
    { name: 'verdict', description: '', choices: ['nothing', 'problem'] },
    { name: 'name', description: '', choices: ['parse'] },
    { name: 'severity', description: '', choices: ['error'] },
  ];
  const answer = { verdict: 'Problem', severity: 'critical' };
  const read = { verdict: 'problem', severity: 'critical' };
  assert.equal(fieldsIn(answer, fields), read);
  assert.equal(fieldsIn({ name: 'answer', arguments: answer }, fields), read);
  assert.equal(fieldsIn({ severity: ' ' }, fields), undefined);
});

test.run();
