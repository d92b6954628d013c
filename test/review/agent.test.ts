import * as assert from 'uvu/assert';
import { TIME_UP } from '../../src/core/deadline.js';
import type { ModelReply, ModelRequest } from '../../src/model/model.js';
import { review } from '../../src/review/ask-chunks.js';
import { type Chunk, type ChunkPart, lineMark, type ReviewDraft } from '../../src/review/chunk.js';
import { halveParts } from '../../src/review/split.js';
import { DEFAULT_LIMITS } from '../agent/default-limits.js';
import { calls, type FakeModel, fails, fakeModel, says } from '../support/fake-model.js';
import { suite } from '../support/suite.js';

const BUG = 'index <= list.length';

const part = (path: string, count: number, bugAt = 0): ChunkPart => ({
  path,
  hunk: 1,
  section: '',
  lines: Array.from({ length: count }, (_, at) => ({
    kind: 'added',
    text: at + 1 === bugAt ? `for (;${BUG};) go();` : `const value${at} = compute(${at});`,
    newLine: at + 1,
  })),
});

const chunk = (...parts: ChunkPart[]): Chunk => ({ number: 1, parts, tokens: 0, risk: 0 });

const reviewing = (
  model: FakeModel,
  chunks: readonly Chunk[],
  { signal = new AbortController().signal, votes = 1 } = {},
): Promise<ReviewDraft> =>
  review(
    { chunks, votes, rulesFor: () => [] },
    { model, protocol: 'native', limits: DEFAULT_LIMITS, clock: { now: () => 0 }, signal },
  );

const textIn = ({ messages }: ModelRequest): string => JSON.stringify(messages);
const isSecondLook = (request: ModelRequest): boolean => /Is the claim wrong/.test(textIn(request));
const DONE = calls('finish', { answer: 'nothing' });
const HOLDS = calls('finish', { answer: 'holds' });

/** Reports the bug when it is shown and was not reported yet. */
function answer(request: ModelRequest): ModelReply {
  if (isSecondLook(request)) return HOLDS;
  const text = textIn(request);
  const [, line] = /\+(\d+)#\w+\| for \(;/.exec(text) ?? [];
  if (line === undefined || /noted at/.test(text)) return DONE;
  const [, path] = /file (\S+?)\\n/.exec(text.slice(0, text.indexOf('for (;'))) ?? [];
  return calls('report_finding', {
    line: lineMark(Number(line), `for (;${BUG};) go();`),
    quote: BUG,
    severity: 'error',
    message: 'reads past the end',
    ...(path === undefined ? {} : { path }),
  });
}

/** Refuses what is longer, whatever window it claims to have. */
const narrow = (characters: number): FakeModel =>
  fakeModel(request =>
    textIn(request).length > characters ? fails('overflow', 'too long') : answer(request),
  );

const states = ({ parts }: ReviewDraft): string => parts.map(each => each.state).join(' ');
const claimed = ({ parts }: ReviewDraft): string[] =>
  parts.flatMap(({ claims }) => claims.map(({ path, line }) => `${path}:${line}`));

const test = suite('the agent of a review');

test('a server that refuses the length gets halves until it takes them', async () => {
  const model = narrow(1500);
  const draft = await reviewing(model, [chunk(part('a.ts', 70, 33))]);
  assert.is(states(draft), 'reviewed');
  assert.equal(claimed(draft), ['a.ts:33']);
});

test('several parts are told apart first, and each keeps its own state', async () => {
  const model = narrow(1500);
  const draft = await reviewing(model, [
    chunk(part('a.ts', 20, 3), part('b.ts', 20), part('c.ts', 60, 50)),
  ]);
  assert.is(states(draft), 'reviewed reviewed reviewed');
  assert.equal(claimed(draft), ['a.ts:3', 'c.ts:50']);
});

test('what was once too long is not tried again in that length', async () => {
  const model = narrow(1500);
  const chunks = Array.from({ length: 10 }, (_, at) => chunk(part(`f${at}.ts`, 40)));
  const draft = await reviewing(model, chunks);
  assert.is(states(draft), Array.from({ length: 10 }, () => 'reviewed').join(' '));
  const refused = model.requests.filter(request => textIn(request).length > 1500).length;
  assert.ok(refused <= 2, `${refused} of ${model.requests.length}`);
});

test('a server that takes nothing leaves the hunk failed, with the reason, and comes to an end', async () => {
  const model = narrow(1);
  const draft = await reviewing(model, [chunk(part('a.ts', 40))]);
  assert.is(states(draft), 'failed');
  assert.match(draft.parts[0]?.reason ?? '', /not even one line/);
  assert.ok(model.requests.length < 10, `${model.requests.length}`);
});

for (const word of ['nothing', 'Nothing.', ' "nothing" ', '“NOTHING”!', "'nothing'."]) {
  test(`a review ends with ${JSON.stringify(word)}, in a call or in plain words`, async () => {
    for (const reply of [calls('finish', { answer: word }), says(word)]) {
      const model = fakeModel([reply]);
      const draft = await reviewing(model, [chunk(part('a.ts', 3))]);
      assert.is(states(draft), 'reviewed');
      assert.is(model.requests.length, 1);
    }
  });
}

for (const [answer, state] of [
  ['nothing to see, but line 3 reads past the end', 'failed'],
  [`nothing${' '.repeat(100)}but line 3`, 'failed'],
  ['not nothing', 'failed'],
  ['There is a bug in line 3.', 'failed'],
  ['I am sorry for the delay.', 'failed'],
  ["I'm sorry, but I can't assist with that.", 'refused'],
  ['抱歉，我无法协助处理这个请求。', 'refused'],
] as const) {
  test(`a review that ends with ${JSON.stringify(answer)} is asked once more, then ${state}`, async () => {
    for (const reply of [calls('finish', { answer }), says(answer)]) {
      const model = fakeModel([reply]);
      const draft = await reviewing(model, [chunk(part('a.ts', 3))]);
      assert.is(states(draft), state);
      assert.is(model.requests.length, 2);
      assert.not.equal(draft.parts[0]?.reason, '');
    }
  });
}

test('a review that ends with other words first, and then as agreed, is a review', async () => {
  const model = fakeModel([calls('finish', { answer: 'It looks good to me.' }), DONE]);
  const draft = await reviewing(model, [chunk(part('a.ts', 3))]);
  assert.is(states(draft), 'reviewed');
  assert.match(JSON.stringify(model.requests[1]), /can only be \\"nothing\\"/);
});

test('what was reported before a wrong ending is kept, and the hunk is failed', async () => {
  const model = fakeModel(request => {
    const reply = answer(request);
    return reply === DONE ? calls('finish', { answer: 'I reported the bug.' }) : reply;
  });
  const draft = await reviewing(model, [chunk(part('a.ts', 5, 2))]);
  assert.is(states(draft), 'failed');
  assert.equal(claimed(draft), ['a.ts:2']);
});

test('a second look that time did not allow leaves the hunk unfinished, its finding kept', async () => {
  const abort = new AbortController();
  const model = fakeModel(request => {
    if (!isSecondLook(request)) return answer(request);
    abort.abort(TIME_UP);
    throw abort.signal.reason;
  });
  const draft = await reviewing(model, [chunk(part('a.ts', 5, 2)), chunk(part('b.ts', 5))], abort);
  assert.is(states(draft), 'outOfTime outOfTime');
  assert.equal(claimed(draft), ['a.ts:2']);
});

test('halves hold every line once, what leads to the cut is shown again, and they get shorter', () => {
  const whole = part('a.ts', 37);
  const halves = halveParts([whole]) ?? [];
  const added = halves.flat().flatMap(({ lines }) => lines.filter(line => line.kind === 'added'));
  assert.equal(added, whole.lines);
  assert.is(halves[1]?.[0]?.lines.filter(line => line.kind === 'context').length, 3);
  for (let left = [whole.lines.length]; left.length > 0; ) {
    left = left.flatMap(count => {
      const pieces = halveParts([part('a.ts', count)]) ?? [];
      const sizes = pieces.flat().map(({ lines }) => lines.length);
      assert.ok(
        sizes.every(size => size < count),
        `${count} became ${sizes}`,
      );
      return sizes;
    });
  }
});

test.run();
