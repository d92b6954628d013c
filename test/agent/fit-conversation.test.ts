import * as assert from 'uvu/assert';
import { exchangeOf } from '../../src/agent/conversation-state.js';
import {
  type Exchange,
  fitConversation,
  restateConversation,
} from '../../src/agent/fit-conversation.js';
import { TokenMeter } from '../../src/agent/prepare-request.js';
import { succeeded } from '../../src/agent/tool.js';
import { textOf, toolCallsOf } from '../../src/model/model.js';
import { suite } from '../support/suite.js';
import { resultTexts } from './conversation-support.js';

const test = suite('conversation');
const usage = { promptTokens: 0, completionTokens: 0 };

const exchange = (number: number, lines = 40): Exchange =>
  exchangeOf(
    [
      {
        call: {
          type: 'toolCall',
          id: `call_${number}`,
          name: 'read_file',
          input: { path: `${number}.ts` },
        },
        outcome: succeeded(
          `${number}.ts: ${lines} lines\n${'a line of this file\n'.repeat(lines)}`,
        ),
      },
    ],
    { model: 'm', usage },
  );

const history = (count: number, lines = 40) => ({
  opening: 'The task is to find the bug.',
  exchanges: Array.from({ length: count }, (_, at) => exchange(at + 1, lines)),
});

test('what fits is sent as it is', () => {
  const { messages, compaction, wholeFrom } = fitConversation(history(3), 3000, new TokenMeter());
  assert.equal([compaction, wholeFrom, messages.length], ['none', 0, 7]);
});

test('older results shrink to one line first', () => {
  const { messages, compaction, wholeFrom } = fitConversation(history(4), 900, new TokenMeter());
  assert.equal([compaction, messages.length], ['shrunk', 9]);
  assert.ok(wholeFrom > 0 && wholeFrom <= 2);
  assert.is(resultTexts(messages)[0], '1.ts: 40 lines (shown earlier)');
  assert.match(resultTexts(messages)[3] ?? '', /a line of this file/);
});

test('then older exchanges fold into a summary behind the task', () => {
  const { messages, compaction } = fitConversation(history(30), 900, new TokenMeter());
  assert.is(compaction, 'folded');
  const [first] = messages;
  assert.match(
    first === undefined ? '' : textOf(first),
    /^The task is to find the bug\.\n\nDone so far/,
  );
  assert.match(
    first === undefined ? '' : textOf(first),
    /earlier steps left out|- read_file 1\.ts/,
  );
  assert.match(resultTexts(messages).at(-1) ?? '', /^30\.ts: 40 lines\na line of this file/);
});

test('whatever the room, the messages fit it, and calls keep their results', () => {
  for (const room of [150, 250, 400, 700, 1500, 3000]) {
    for (const count of [0, 1, 2, 3, 10, 60]) {
      for (const lines of [1, 40, 150]) {
        const meter = new TokenMeter();
        const { messages } = fitConversation(history(count, lines), room, meter);
        assert.ok(
          meter.messages(messages) <= room,
          `${room} for ${count} of ${lines}: ${meter.messages(messages)}`,
        );
        const asked = messages.flatMap(message =>
          message.role === 'assistant' ? toolCallsOf(message).map(call => call.id) : [],
        );
        const answered = messages.flatMap(message =>
          message.role === 'toolResult' ? [message.toolCallId] : [],
        );
        assert.equal(asked, answered);
        assert.match(messages[0] === undefined ? '' : textOf(messages[0]), /^The task/);
      }
    }
  }
});

test('a task too long for the room keeps its head and its tail', () => {
  const opening = `FIRST\n${'something to read\n'.repeat(2000)}LAST`;
  const meter = new TokenMeter();
  const { messages, compaction } = fitConversation(
    { opening, exchanges: [exchange(1)] },
    500,
    meter,
  );
  assert.is(compaction, 'cut');
  assert.ok(meter.messages(messages) <= 500);
  assert.match(
    messages[0] === undefined ? '' : textOf(messages[0]),
    /^FIRST[\s\S]*not shown[\s\S]*LAST/,
  );
});

test('retold, it is one message with the task, the last results and what was done', () => {
  const { messages } = restateConversation(history(6), 900);
  const text = messages[0] === undefined ? '' : textOf(messages[0]);
  assert.is(messages.length, 1);
  assert.match(
    text,
    /^The task[\s\S]*Done so far[\s\S]*- read_file 1\.ts[\s\S]*6\.ts: 40 lines[\s\S]*\(result of read_file\)/,
  );
  const meter = new TokenMeter();
  for (const room of [150, 300, 800, 2000]) {
    assert.ok(meter.messages(restateConversation(history(20, 80), room).messages) <= room);
  }
});

test('the meter believes the server when it counts more, and never less', () => {
  const meter = new TokenMeter();
  meter.learn({}, 100, 50);
  assert.is(meter.scale, 1);
  meter.learn({}, 100, 130);
  assert.is(meter.scale, 1.3);
  meter.learn({}, 100, 90);
  assert.is(meter.scale, 1.3);
});

test('the server counts a request without its schema, and so does the comparison', () => {
  const meter = new TokenMeter();
  const schema = {
    name: 'answer',
    schema: { type: 'object', properties: { a: { type: 'string' } } },
  };
  const bare = meter.frame({ system: 'Be brief.', maxTokens: 9 });
  const whole = meter.frame({ system: 'Be brief.', maxTokens: 9, schema });
  meter.learn({ schema }, whole, bare * 1.2);
  assert.is(meter.scale, 1.2);
});

test('after an overflow clearly less is sent, until it is clear that it need not be', () => {
  const meter = new TokenMeter();
  meter.overflowed(1000, 3000);
  assert.ok(3000 / meter.scale <= 700);
  for (let good = 0; good < 6; good += 1) meter.learn({}, 1000, 900);
  assert.is(meter.scale, 1);
});

test.run();
