import * as assert from 'uvu/assert';
import type { Limits } from '../../src/agent/question.js';
import { TIME_UP } from '../../src/core/deadline.js';
import type { ProtocolName } from '../../src/model/calibration.js';
import type { ModelReply, ModelRequest } from '../../src/model/model.js';
import { type ReviewRule, review } from '../../src/review/ask-chunks.js';
import type { Chunk, ChunkPart, ReviewDraft } from '../../src/review/chunk.js';
import { halveParts } from '../../src/review/split.js';
import { DEFAULT_LIMITS } from '../agent/default-limits.js';
import {
  answerTo,
  asksForRuling,
  fieldsIn,
  knownIn,
  newLinesIn,
  textIn,
} from '../support/closed-questions.js';
import { type FakeModel, fails, fakeModel, says } from '../support/fake-model.js';
import { suite } from '../support/suite.js';

const BUG = 'index <= list.length';

const part = (path: string, count: number, bugAt = 0): ChunkPart => ({
  path,
  hunk: 1,
  enclosing: [],
  survivors: new Map(),
  lines: Array.from({ length: count }, (_, at) => ({
    kind: 'added',
    text: at + 1 === bugAt ? `for (;${BUG};) go();` : `const value${at} = compute(${at});`,
    newLine: at + 1,
  })),
});

const inContext = (each: ChunkPart): ChunkPart => ({
  ...each,
  enclosing: ['class Big'],
  lines: [{ kind: 'context', text: 'attack(target);', oldLine: 1, newLine: 99 }, ...each.lines],
});

const later = (each: ChunkPart, by: number): ChunkPart => ({
  ...each,
  hunk: 2,
  lines: each.lines.map(line =>
    line.kind === 'added' ? { ...line, newLine: line.newLine + by } : line,
  ),
});

const chunk = (...parts: ChunkPart[]): Chunk => ({ number: 1, parts, tokens: 0, risk: 0 });

const reviewing = (
  model: FakeModel,
  chunks: readonly Chunk[],
  {
    signal = new AbortController().signal,
    votes = 1,
    protocol = 'guided' as ProtocolName,
    rules = [],
    ...others
  }: {
    signal?: AbortSignal;
    votes?: number;
    protocol?: ProtocolName;
    rules?: readonly ReviewRule[];
    clock?: { now: () => number };
    limits?: Limits;
  } = {},
): Promise<ReviewDraft> =>
  review(
    { chunks, votes, rulesFor: () => rules },
    {
      model,
      protocol,
      limits: DEFAULT_LIMITS,
      clock: { now: () => 0 },
      signal,
      about: { subject: undefined, source: undefined },
      ...others,
    },
  );

const sizeOf = (request: ModelRequest): number => textIn(request).length;
const isSecondLook = (request: ModelRequest): boolean => asksForRuling(fieldsIn(request));
/** A vote's seeds start at a hundred times its number. */
const voteOf = ({ seed = 0 }: ModelRequest): number => Math.floor(seed / 100);
const REASON = 'these lines compute a value in a loop';
const nothing = (request: ModelRequest): ModelReply =>
  answerTo(request, { reason: REASON, verdict: 'nothing' });

/** Reports the bug when it is shown and isn't known yet. */
function answer(request: ModelRequest): ModelReply {
  if (isSecondLook(request)) return answerTo(request, { reason: REASON, ruling: 'real_bug' });
  const question = textIn(request);
  const bug = newLinesIn(question).find(({ text }) => text.includes(BUG));
  if (bug === undefined || knownIn(question).includes(bug.line)) return nothing(request);
  return answerTo(request, {
    reason: REASON,
    verdict: 'problem',
    line: String(bug.line),
    quote: BUG,
    severity: 'error',
    message: 'reads past the end',
    more: 'no',
  });
}

/** Refuses what is longer, whatever window it claims to have. */
const narrow = (characters: number): FakeModel =>
  fakeModel(request =>
    sizeOf(request) > characters ? fails('overflow', 'too long') : answer(request),
  );

const states = ({ parts }: ReviewDraft): string => parts.map(each => each.state).join(' ');
const claimed = ({ parts }: ReviewDraft): string[] =>
  parts.flatMap(({ candidates: claims }) => claims.map(({ path, line }) => `${path}:${line}`));

const test = suite('review/agent');

test('a server that refuses the length gets halves until it takes them', async () => {
  const model = narrow(1500);
  const draft = await reviewing(model, [chunk(part('a.ts', 70, 33))]);
  assert.is(states(draft), 'reviewed');
  assert.equal(claimed(draft), ['a.ts:33']);
});

for (const [end, bad] of [
  ['failed', says('{"a_reason": ')],
  ['refused', fails('refused')],
] as const) {
  test(`a rule whose question is ${end} leaves the open question, and the hunk is ${end}`, async () => {
    const rules = [{ name: 'loops', body: 'Loops must end.', severity: 'error' as const }];
    const model = fakeModel(request =>
      request.system.includes('Loops must end.') ? bad : answer(request),
    );
    const chunks = ['a.ts', 'b.ts', 'c.ts'].map(path => chunk(part(path, 3, 2)));
    const draft = await reviewing(model, chunks, { rules });
    assert.is(states(draft), `${end} ${end} ${end}`);
    assert.equal(claimed(draft), ['a.ts:2', 'b.ts:2', 'c.ts:2']);
  });
}

test('several parts of a file are read in turn, and each keeps its own state', async () => {
  const model = narrow(1500);
  const draft = await reviewing(model, [
    chunk(part('a.ts', 20, 3), later(part('a.ts', 60, 50), 100)),
  ]);
  assert.is(states(draft), 'reviewed reviewed');
  assert.equal(claimed(draft), ['a.ts:3', 'a.ts:150']);
});

test('a prompt length that the server refused is not sent again', async () => {
  const model = narrow(1500);
  const chunks = Array.from({ length: 10 }, (_, at) => chunk(part(`f${at}.ts`, 40)));
  const draft = await reviewing(model, chunks);
  assert.is(states(draft), Array.from({ length: 10 }, () => 'reviewed').join(' '));
  const refused = model.requests.filter(request => sizeOf(request) > 1500).length;
  assert.ok(refused <= 2, `${refused} of ${model.requests.length}`);
});

test('a server that refuses every length leaves the hunk failed with the reason', async () => {
  const model = narrow(1);
  const draft = await reviewing(model, [chunk(part('a.ts', 40))]);
  assert.is(states(draft), 'failed');
  assert.match(draft.parts[0]?.reason ?? '', /not even one line/);
  assert.ok(model.requests.length < 10, `${model.requests.length}`);
});

for (const protocol of ['guided', 'native', 'text'] as const) {
  test(`a chunk with nothing wrong takes one request in the ${protocol} protocol, a finding two`, async () => {
    for (const [bugAt, requests] of [
      [0, 1],
      [2, 2],
    ] as const) {
      const model = fakeModel(answer);
      const draft = await reviewing(model, [chunk(part('a.ts', 5, bugAt))], { protocol });
      assert.is(states(draft), 'reviewed');
      assert.equal(claimed(draft), bugAt === 0 ? [] : ['a.ts:2']);
      assert.is(model.requests.length, requests);
    }
  });
}

test('the first try has temperature 0; a retry samples and uses other words', async () => {
  const model = fakeModel([says('{"a_reason":"fine","b_verdict":"nothing"}')]);
  await reviewing(model, [chunk(part('a.ts', 3))]);
  const [first, second] = model.requests;
  assert.equal([first?.temperature, first?.seed], [0, undefined]);
  assert.is(second?.temperature, undefined);
  assert.type(second?.seed, 'number');
  assert.is.not(first?.system, second?.system);
});

test('the second and the third try of a question have different words', async () => {
  const model = fakeModel([says('no JSON')]);
  await reviewing(model, [chunk(part('a.ts', 1))], { protocol: 'text' });
  const words = model.requests.map(request => `${request.system}\n${textIn(request)}`);
  assert.equal([words.length, new Set(words).size], [3, 3]);
});

test('every vote after the first samples and uses other words', async () => {
  const model = fakeModel(nothing);
  await reviewing(model, [chunk(part('a.ts', 3))], { votes: 3 });
  const [first, ...others] = model.requests;
  assert.equal([first?.temperature, first?.seed, others.length], [0, undefined, 2]);
  for (const { temperature, system } of others) {
    assert.is(temperature, undefined);
    assert.is.not(system, first?.system);
  }
  assert.is(new Set(others.map(({ seed }) => seed)).size, 2);
});

for (const [what, failure, state] of [
  ['fails', fails('malformed', 'HTTP 500'), 'failed'],
  ['is blocked', fails('blocked', 'a guardrail'), 'refused'],
  ['is vague', says('{"a_reason":"fine","b_verdict":"nothing"}'), 'failed'],
] as const) {
  test(`a vote that ${what} does not count against a finding, and the hunk is ${state}`, async () => {
    for (const failing of [[1], [2], [1, 2], [0]]) {
      const model = fakeModel(request =>
        failing.includes(voteOf(request)) && !isSecondLook(request) ? failure : answer(request),
      );
      const draft = await reviewing(model, [chunk(part('a.ts', 3, 2))], { votes: 3 });
      const found = [states(draft), claimed(draft), draft.rejected];
      // A server that failed isn't asked for more votes.
      const isFound = !(failing.includes(0) && what === 'fails');
      assert.equal(found, [state, isFound ? ['a.ts:2'] : [], []], `votes ${failing} ${what}`);
    }
  });
}

test('without a majority of the votes that answered, a finding is outvoted', async () => {
  const model = fakeModel(request => {
    if (isSecondLook(request) || voteOf(request) === 2) return answer(request);
    return voteOf(request) === 0 ? nothing(request) : fails('blocked');
  });
  const draft = await reviewing(model, [chunk(part('a.ts', 3, 2))], { votes: 3 });
  assert.equal([states(draft), claimed(draft)], ['refused', []]);
  assert.equal(
    draft.rejected.map(({ reason }) => reason),
    ['outvoted'],
  );
});

for (const [reason, state] of [
  ['looks good to me', 'failed'],
  ['There is a bug in line 3.', 'failed'],
  ['', 'failed'],
  ["I'm sorry, but I can't assist with that.", 'refused'],
  ['抱歉，我无法协助处理这个请求。', 'refused'],
] as const) {
  test(`a verdict with the reason ${JSON.stringify(reason)} is asked once more, then ${state}`, async () => {
    for (const lines of [inContext(part('a.ts', 2)), part('a.ts', 3), part('a.ts', 10)]) {
      const model = fakeModel(request => answerTo(request, { reason, verdict: 'nothing' }));
      const draft = await reviewing(model, [chunk(lines)]);
      assert.is(states(draft), state);
      assert.is(model.requests.length, 2);
      assert.not.equal(draft.parts[0]?.reason, '');
    }
  });
}

test('a problem without its line is asked for with every field, and with both verdicts to choose from', async () => {
  const model = fakeModel((request, number) =>
    number === 1 ? answerTo(request, { reason: REASON, verdict: 'problem' }) : answer(request),
  );
  const draft = await reviewing(model, [chunk(part('a.ts', 5, 2))]);
  assert.equal(claimed(draft), ['a.ts:2']);
  const schema = model.requests[1]?.schema?.schema as {
    required: string[];
    properties: Record<string, { enum?: string[] }>;
  };
  assert.is(schema.required.length, Object.keys(schema.properties).length);
  assert.equal(schema.properties['b_verdict']?.enum, ['nothing', 'problem']);
});

test('the lines to choose from are the numbers of the new lines, as strings', async () => {
  const model = fakeModel(answer);
  await reviewing(model, [chunk(part('a.ts', 3))]);
  const schema = model.requests[0]?.schema?.schema as {
    properties: Record<string, { enum?: string[] }>;
  };
  assert.equal(schema.properties['c_line']?.enum, ['1', '2', '3']);
});

test('more: yes asks for the next problem with the known line noted, at most three in all', async () => {
  const model = fakeModel(request => {
    if (isSecondLook(request)) return answer(request);
    const question = textIn(request);
    const next = newLinesIn(question).find(({ line }) => !knownIn(question).includes(line));
    return answerTo(request, {
      reason: REASON,
      verdict: 'problem',
      line: String(next?.line),
      quote: next?.text,
      severity: 'error',
      message: 'this is wrong',
      more: 'yes',
    });
  });
  const draft = await reviewing(model, [chunk(part('a.ts', 9))]);
  assert.equal(claimed(draft), ['a.ts:1', 'a.ts:2', 'a.ts:3']);
  assert.match(draft.parts[0]?.leftOut?.join() ?? '', /more to report/);
});

for (const [failure, perChunk] of [
  ['malformed', 2],
  ['unreachable', 1],
] as const) {
  test(`after two failed chunks in a row nothing more is asked, and the others say so (${failure})`, async () => {
    const model = fakeModel([fails(failure, 'HTTP 500')]);
    const chunks = Array.from({ length: 14 }, (_, at) => chunk(part(`f${at}.ts`, 3)));
    const draft = await reviewing(model, chunks);
    assert.is(states(draft), chunks.map(() => 'failed').join(' '));
    assert.is(model.requests.length, 2 * perChunk);
    assert.equal(
      draft.parts.map(({ reason }) => reason),
      chunks.map((_, at) => (at < 2 ? 'HTTP 500' : 'not asked after 2 failures in a row')),
    );
    assert.equal(draft.notices, []);
  });

  test(`a failed chunk between others does not end the asking (${failure})`, async () => {
    const model = fakeModel(request =>
      textIn(request).includes('bad.ts') ? fails(failure) : answer(request),
    );
    const paths = ['bad.ts', 'a.ts', 'bad.ts', 'b.ts'];
    const draft = await reviewing(
      model,
      paths.map(path => chunk(part(path, 3))),
    );
    assert.equal([states(draft), draft.notices], ['failed reviewed failed reviewed', []]);
  });
}

test('chunks that are not asked about after two refusals in a row are failed, not refused', async () => {
  const model = fakeModel([fails('refused', 'declined')]);
  const chunks = Array.from({ length: 4 }, (_, at) => chunk(part(`f${at}.ts`, 3)));
  const draft = await reviewing(model, chunks);
  assert.is(states(draft), 'refused refused failed failed');
  assert.match(draft.parts[3]?.reason ?? '', /^not asked after 2 failures/);
});

test('after two failed chunks in a row no finding gets a second look', async () => {
  let now = 0;
  const model = fakeModel(request => {
    now += 1000;
    return textIn(request).includes('bad.ts') ? fails('malformed', 'HTTP 500') : answer(request);
  });
  const chunks = [part('a.ts', 5, 2), part('bad.ts', 5), part('bad.ts', 5), part('c.ts', 5)];
  // Not enough time for the second look before the other chunks.
  const limits = { ...DEFAULT_LIMITS, deadlineMs: 3500 };
  const draft = await reviewing(
    model,
    chunks.map(each => chunk(each)),
    { clock: { now: () => now }, limits },
  );
  assert.equal(model.requests.filter(isSecondLook), []);
  assert.equal([states(draft), claimed(draft)], ['failed failed failed reviewed', ['a.ts:2']]);
});

test('when the window grows with the first answer, what is left is asked in fewer chunks', async () => {
  const chunks = Array.from({ length: 7 }, (_, at) => chunk(later(part('a.ts', 60), 100 * at)));
  const model = fakeModel(request => {
    Object.assign(model.facts, { contextWindow: 8192 });
    return answer(request);
  });
  const draft = await reviewing(model, chunks);
  assert.is(draft.parts.length, 7);
  assert.is(states(draft), chunks.map(() => 'reviewed').join(' '));
  assert.ok(model.requests.length <= 3, `${model.requests.length} requests`);
});

for (const [what, reply, why] of [
  ['gives no ruling', { reason: REASON }, /no ruling/],
  ['declines', { reason: "I'm sorry, but I can't assist.", ruling: 'real_bug' }, /sorry/],
  ['is vague', { reason: 'fine', ruling: 'real_bug' }, /without a word/],
  ['is cut', says('{"a_reason":"these li'), /cut/],
  ['is blocked', fails('blocked', 'a guardrail'), /guardrail/],
  ['fails', fails('malformed', 'HTTP 500'), /HTTP 500/],
] as const) {
  test(`a finding whose second look ${what} is info, and one notice says why`, async () => {
    const model = fakeModel(request => {
      if (!isSecondLook(request)) return answer(request);
      return 'kind' in reply ? reply : answerTo(request, reply);
    });
    const draft = await reviewing(model, [chunk(part('a.ts', 5, 2)), chunk(part('b.ts', 5, 2))]);
    assert.is(states(draft), 'reviewed reviewed');
    assert.equal(
      draft.parts.flatMap(({ candidates: claims }) => claims.map(({ severity }) => severity)),
      ['info', 'info'],
    );
    const [notice = '', ...others] = draft.notices ?? [];
    assert.match(
      notice,
      /^2 findings weren't confirmed by a second look \(.+\), so they are info$/,
    );
    assert.match(notice, why);
    assert.equal(others, []);
  });
}

test('a model that never answers in the fields is asked three times, and not about halves', async () => {
  const model = fakeModel([says('There is a bug in line 3.')]);
  const draft = await reviewing(model, [chunk(part('a.ts', 10))]);
  assert.equal([states(draft), model.requests.length], ['failed', 3]);
});

test('a chunk with three bad replies is asked about in halves', async () => {
  for (const wrong of [
    (request: ModelRequest) => answerTo(request, { reason: REASON }),
    () => says('{"a_reason":"these lines comp'),
    () => fails('blocked'),
  ]) {
    const model = fakeModel(request =>
      newLinesIn(textIn(request)).length > 6 && !isSecondLook(request)
        ? wrong(request)
        : answer(request),
    );
    const draft = await reviewing(model, [chunk(part('a.ts', 10, 8))]);
    assert.is(states(draft), 'reviewed');
    assert.equal(
      draft.parts.flatMap(({ candidates: claims }) => claims.map(({ line }) => line)),
      [8],
    );
    // Three for the whole, one for each half, and the second look.
    assert.is(model.requests.length, 6);
  }
});

test('fields that were left out once stay required, whatever happens next', async () => {
  const model = fakeModel((request, number) => {
    if (number === 1) return answerTo(request, { reason: REASON, verdict: 'problem' });
    return number === 2 ? fails('blocked') : answer(request);
  });
  await reviewing(model, [chunk(part('a.ts', 3, 2))]);
  const required = model.requests.map(({ schema }) => schema?.schema['required']);
  assert.equal(
    required.map(names => Array.isArray(names) && names.length),
    [2, 7, 7, 2],
  );
});

test('a change too small for halves is asked about once more without its context', async () => {
  const guarded = fakeModel(request =>
    textIn(request).includes('attack') ? fails('blocked') : answer(request),
  );
  const draft = await reviewing(guarded, [chunk(inContext(part('a.ts', 2, 2)))]);
  assert.equal([states(draft), claimed(draft)], ['reviewed', ['a.ts:2']]);
  const [, , , bare] = guarded.requests.map(textIn);
  assert.not.match(bare ?? 'Big', /Big|attack/);
});

for (const [what, lines, wrong] of [
  ['halves after blocks', part('a.ts', 10, 8), () => fails('blocked')],
  ['halves after cut replies', part('a.ts', 10, 8), () => says('{"a_reason":"these lines comp')],
  [
    'halves after incomplete replies',
    part('a.ts', 10, 8),
    (request: ModelRequest) => answerTo(request, { reason: REASON }),
  ],
  ['no context after blocks', inContext(part('a.ts', 2, 2)), () => fails('blocked')],
] as const) {
  test(`a question with ${what} samples and uses the words of a retry`, async () => {
    const model = fakeModel((request, number) => (number <= 3 ? wrong(request) : answer(request)));
    const draft = await reviewing(model, [chunk(lines)]);
    assert.is(states(draft), 'reviewed');
    const [first, ...retries] = model.requests.filter(request => !isSecondLook(request));
    assert.is(first?.temperature, 0);
    assert.ok(retries.length >= 3);
    for (const { temperature, seed, system } of retries) {
      assert.equal([temperature, typeof seed], [undefined, 'number']);
      assert.is.not(system, first?.system);
    }
  });
}

test('other forms of a question are given up after two failures in a row', async () => {
  const model = fakeModel(() => fails('blocked'));
  const chunks = ['a.ts', 'b.ts', 'c.ts', 'd.ts'].map(path => chunk(part(path, 8)));
  assert.is(states(await reviewing(model, chunks)), 'refused refused refused refused');
  // Whole and first half, twice; then only whole.
  assert.is(model.requests.length, 6 + 6 + 3 + 3);
});

test('a model that describes a problem where it finds nothing is asked again once, not about every chunk', async () => {
  const model = fakeModel(request => {
    const [first] = newLinesIn(textIn(request));
    const quote = first?.text ?? '';
    const described = {
      line: String(first?.line),
      quote,
      severity: 'info',
      message: 'all fine here',
    };
    return answerTo(request, { reason: REASON, verdict: 'nothing', ...described, more: 'no' });
  });
  const draft = await reviewing(model, [chunk(part('a.ts', 3)), chunk(part('b.ts', 3))]);
  assert.equal([states(draft), model.requests.length], ['reviewed reviewed', 3]);
});

test('a second look that names no code does not drop a finding', async () => {
  const model = fakeModel(request =>
    isSecondLook(request)
      ? answerTo(request, { reason: 'fine', ruling: 'not_a_bug' })
      : answer(request),
  );
  const draft = await reviewing(model, [chunk(part('a.ts', 3, 2))]);
  assert.equal(claimed(draft), ['a.ts:2']);
  assert.equal(
    draft.parts.flatMap(({ candidates }) => candidates.map(({ severity }) => severity)),
    ['info'],
  );
  assert.is(model.requests.length, 3);
});

for (const [what, text] of [
  ['JSON that breaks off', '{"a_reason":"these lines comp'],
  ['text without JSON', 'hello world'],
] as const) {
  test(`after ${what} the next reply gets a higher token limit`, async () => {
    const model = fakeModel((request, number) => (number === 1 ? says(text) : answer(request)));
    const draft = await reviewing(model, [chunk(part('a.ts', 3))]);
    assert.is(states(draft), 'reviewed');
    const [first, second] = model.requests;
    assert.is(second?.maxTokens, (first?.maxTokens ?? 0) * 2);
  });
}

for (const [what, deadlineMs, order] of [
  ['comes before the next chunk where there is time for all', 60_000, 'first second first first'],
  ['waits for the other chunks where there is not', 3_500, 'first first first second'],
] as const) {
  test(`a second look ${what}`, async () => {
    let now = 0;
    const model = fakeModel(request => {
      now += 1000;
      return answer(request);
    });
    const chunks = [part('a.ts', 5, 2), part('b.ts', 5), part('c.ts', 5)].map(each => chunk(each));
    const limits = { ...DEFAULT_LIMITS, deadlineMs };
    const draft = await reviewing(model, chunks, { clock: { now: () => now }, limits });
    const looks = model.requests.map(request => (isSecondLook(request) ? 'second' : 'first'));
    assert.is(looks.join(' '), order);
    assert.equal([claimed(draft), states(draft)], [['a.ts:2'], 'reviewed reviewed reviewed']);
  });
}

test('a second look without time leaves the hunk unfinished and keeps the finding', async () => {
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

test('halves have every line once, repeat the lines before the cut, and get shorter', () => {
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
