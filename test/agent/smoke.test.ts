import * as assert from 'uvu/assert';
import { readFile } from '../../src/agent/tools/read-file.js';
import { listDir } from '../../src/agent/tools/reading.js';
import { textOf } from '../../src/model/model.js';
import { calls, chooses, fails, fakeModel } from '../support/fake-model.js';
import { suite } from '../support/suite.js';
import { recordedTool, resultTexts, runConversation } from './conversation-support.js';
import { memorySource } from './tools/memory-source.js';

const test = suite('smoke');

test('without a model the conversation ends with a reason that a caller can fall back on', async () => {
  const { end, answer, counts } = await runConversation(fakeModel([fails('unreachable')]), []);
  assert.equal([end.reason, answer, counts.turns], ['model-gone', undefined, 0]);
});

test('a large workspace stays under the limit of the window', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 3000 }, (_, at) => [`src/part-${at}/file.ts`, 'export {};\n'.repeat(400)]),
  );
  const source = memorySource(files);
  const model = fakeModel((_, number) =>
    number % 2 === 1
      ? chooses('list_dir', { path: number === 1 ? 'src' : `src/part-${number}` })
      : chooses('read_file', { path: `src/part-${number}/file.ts` }),
  );
  const { transcript, counts } = await runConversation(model, [listDir(source), readFile(source)], {
    limits: { turns: 20, requests: 30 },
  });
  assert.is(counts.turns, 20);
  for (const entry of transcript) {
    if (entry.type === 'request') assert.ok(entry.estimatedTokens <= 4096 - 512);
  }
});

test('errors of tools do not end the loop', async () => {
  const broken = recordedTool('broken', ['path'], {
    result: () => {
      throw new Error('no disk');
    },
  });
  const model = fakeModel([
    calls('broken', { path: 'a' }),
    calls('broken', { path: 'b' }),
    calls('broken', { path: 'c' }),
    calls('broken', { path: 'd' }),
    calls('finish', { answer: 'I gave up on it.' }),
  ]);
  const { end, messages } = await runConversation(model, [broken], { protocol: 'native' });
  assert.is(end.reason, 'finished');
  assert.is(resultTexts(messages).filter(text => text.startsWith('error: ')).length, 4);
});

test('what was read in one turn is there in the next', async () => {
  const source = memorySource({ 'a.ts': 'const a = 41;\n', 'b.ts': 'const b = 42;\n' });
  const model = fakeModel([
    chooses('read_file', { path: 'a.ts' }),
    chooses('read_file', { path: 'b.ts' }),
    chooses('finish', { answer: 'a is 41 and b is 42' }),
  ]);
  await runConversation(model, [readFile(source)]);
  const last = model.requests.at(-1)?.messages.map(textOf).join('\n') ?? '';
  assert.match(last, /const a = 41;[\s\S]*const b = 42;/);
});

test('what happens is reported while it happens', async () => {
  const told: string[] = [];
  const model = fakeModel((_, number) => {
    told.push(`asked ${number}`);
    return number === 1 ? chooses('look', { path: 'a' }) : chooses('finish', { answer: 'x' });
  });
  const onEntry = (entry: { type: string }) => told.push(entry.type);
  await runConversation(model, [recordedTool('look', ['path'])], { onEntry });
  assert.equal(told, [
    ...['request', 'asked 1', 'reply', 'call', 'result'],
    ...['request', 'asked 2', 'reply', 'call', 'end'],
  ]);
});

test.run();
