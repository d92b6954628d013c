import { readdirSync, readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { type Policy, type RecordedRequest, startStandIn } from '../../fixtures/apfel/stand-in.js';
import { readFile } from '../../src/agent/reading.js';
import type { ProtocolName } from '../../src/model/calibration.js';
import { suite } from '../support/suite.js';
import { runConversation } from './conversation-support.js';
import { modelAt } from './simulation/simulate.js';
import { memorySource } from './tools/memory-source.js';

const test = suite('agent/budget');
const TURNS = 40;

/** Real code, packed data, other scripts: what tokenizers disagree about. */
function manyFiles(): Record<string, string> {
  const code = readdirSync('src/agent').filter(name => name.endsWith('.ts'));
  const texts = [
    ...code.map(name => readFileSync(`src/agent/${name}`, 'utf8')),
    `${'9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 '.repeat(10)}\n`.repeat(
      40,
    ),
    'Größenänderung für Straßenübergänge, naïve façade\n'.repeat(80),
    '日本語の説明がここに続きます。\n'.repeat(80),
    `${JSON.stringify({ a: [1, 2, { b: null }], 'c-d': '\\"x\\"' })}\n`.repeat(60),
    '\t\t\t\t{ };;;; !== ??= ...[]()<>\n'.repeat(120),
  ];
  return Object.fromEntries(
    Array.from({ length: TURNS }, (_, at) => [`file-${at}.txt`, texts[at % texts.length] ?? '']),
  );
}

/** Reads one file after the other and never has enough. */
function reader(): Policy {
  let next = 0;
  return ({ schema, tools }) => {
    const path = `file-${next % TURNS}.txt`;
    next += 1;
    if (schema !== undefined) {
      return { kind: 'object', value: { a_reason: 'more', b_action: 'read_file', c_path: path } };
    }
    if (tools.length > 0) return { kind: 'call', name: 'read_file', arguments: { path } };
    return { kind: 'text', text: JSON.stringify({ action: 'read_file', path }) };
  };
}

const overflowed = ({ status }: RecordedRequest): boolean => status !== 200;

for (const protocol of ['guided', 'native', 'text'] as const satisfies readonly ProtocolName[]) {
  test(`with ${protocol}, no request of ${TURNS} turns exceeds a window of 4096 tokens`, async () => {
    const standIn = await startStandIn({ policy: reader(), contextWindow: 4096 });
    try {
      const source = memorySource(manyFiles());
      const { end, results, overflows, transcript } = await runConversation(
        modelAt(standIn.baseUrl, {}),
        [readFile(source)],
        {
          protocol,
          opening: 'Read every file and say which one is the longest.',
          limits: { turns: TURNS, requests: 2 * TURNS, tokens: Number.POSITIVE_INFINITY },
        },
      );
      assert.equal([end.reason, results.length], ['turns', TURNS]);
      assert.equal([overflows, standIn.requests.filter(overflowed).length], [0, 0]);
      const shortened = transcript.filter(
        entry => entry.type === 'request' && entry.compaction !== 'none',
      );
      assert.ok(shortened.length > TURNS / 2, `${shortened.length} shortened`);
      const max = Math.max(...standIn.requests.map(request => request.promptTokens));
      assert.ok(max > 2000, `the window is put to use: at most ${max} tokens`);
    } finally {
      await standIn.close();
    }
  });
}

test("a window that turns out smaller is learnt from the server's refusal, and no message is lost", async () => {
  const standIn = await startStandIn({ policy: reader(), contextWindow: 4096 });
  try {
    const model = modelAt(standIn.baseUrl, { contextWindow: 8192 });
    const talk = await runConversation(model, [readFile(memorySource(manyFiles()))], {
      limits: { turns: 30, requests: 100, tokens: Number.POSITIVE_INFINITY },
    });
    assert.equal([talk.end.reason, talk.results.length], ['turns', 30]);
    assert.ok(talk.overflows > 0, 'the server refused at least once');
  } finally {
    await standIn.close();
  }
});

test('a task that no compaction can make fit ends as overflow, without a request', async () => {
  const model = modelAt('http://127.0.0.1:9/v1', { contextWindow: 700 });
  const { end, requests } = await runConversation(model, [readFile(memorySource({}))]);
  assert.equal([end.reason, requests], ['overflow', 0]);
});

test.run();
