import * as assert from 'uvu/assert';
import { timeTool } from '../../fixtures/apfel/example-tools.js';
import { always } from '../../fixtures/apfel/policy.js';
import { drawQuirks } from '../../fixtures/apfel/quirks.js';
import { DOCUMENTED_RATES } from '../../fixtures/apfel/rates.js';
import type { QuirkName, StandInOptions } from '../../fixtures/apfel/stand-in.js';
import { suite } from '../support/suite.js';
import { say, withStandIn } from './apfel-target.js';

const test = suite('stand-in/apfel-quirk-draws');

const call = always({ kind: 'call', name: 'get_time', arguments: { zone: 'UTC' } });
const body = (text: string): Record<string, unknown> => say(text, { tools: [timeTool] });
type Draws = ReadonlyArray<readonly QuirkName[]>;

async function draws(texts: readonly string[], options: StandInOptions): Promise<Draws> {
  const found = new Map<string, readonly QuirkName[]>();
  await withStandIn({ policy: call, ...options }, async ({ post }, standIn) => {
    const times = new Map<string, number>();
    for (const text of texts) {
      await post(body(text));
      const time = (times.get(text) ?? 0) + 1;
      times.set(text, time);
      found.set(`${text}#${time}`, standIn.requests.at(-1)?.quirks ?? []);
    }
  });
  return [...found.keys()].sort().map(key => found.get(key) ?? []);
}

const quirks = { 'missing-call': 0.5, 'extra-arguments': 0.5, guardrail: 0.2 };
const texts = Array.from({ length: 20 }, (_, index) => `question ${index % 10}`);

test('the same seed gives the same replies, whatever the order of the questions', async () => {
  const forward = await draws(texts, { quirks, seed: 5 });
  const backward = await draws([...texts].reverse(), { quirks, seed: 5 });
  assert.equal(backward, forward);
  assert.ok(forward.some(names => names.length > 0));
});

test('another seed gives other replies', async () => {
  const one = await draws(texts, { quirks, seed: 5 });
  const other = await draws(texts, { quirks, seed: 6 });
  assert.not.equal(other, one);
});

const again = Array.from({ length: 30 }, () => 'again');

test('a repeated question may fail differently, unless failures are set to repeat', async () => {
  const fresh = await draws(again, { quirks, seed: 2 });
  assert.ok(new Set(fresh.map(String)).size > 1);
  const repeated = await draws(again, { quirks, seed: 2, repeatFailures: 1 });
  assert.is(new Set(repeated.map(String)).size, 1);
});

test('without sampling the model repeats itself, while the server around it may still fail', () =>
  withStandIn({ policy: call, quirks, seed: 2 }, async ({ post }, { requests }) => {
    for (const _ of again) await post({ ...body('again'), temperature: 0 });
    const written = requests.filter(({ quirk }) => quirk !== 'guardrail');
    assert.is(new Set(written.map(request => String(request.quirks))).size, 1);
    assert.ok(written.length < requests.length);
  }));

test('a repetition with another seed of the client is still a repetition', () =>
  withStandIn({ policy: call, quirks: { guardrail: 0.5 }, repeatFailures: 1 }, async (at, own) => {
    for (const seed of [42, 7, 123, 5, 6]) await at.post({ ...body('x'), seed });
    assert.is(new Set(own.requests.map(request => String(request.quirks))).size, 1);
  }));

test('quirks that may occur together occur at their documented rates', () => {
  const { 'extra-arguments': extra, 'renamed-arguments': renamed } = DOCUMENTED_RATES;
  const settings = {
    rates: { 'extra-arguments': extra, 'renamed-arguments': renamed },
    seed: 1,
    repeatFailures: 0,
    conversationKey: 'x',
  };
  const found = Array.from({ length: RUNS }, (_, index) =>
    drawQuirks(
      { ...turnOf(index + 1), isGuided: false, isStreamed: false, isGreedy: false },
      settings,
    ),
  );
  const share = (name: QuirkName): number =>
    found.filter(names => names.includes(name)).length / RUNS;
  const deviation = (rate: number): number => Math.sqrt((rate * (1 - rate)) / RUNS);
  assert.ok(Math.abs(share('extra-arguments') - extra) < 3 * deviation(extra));
  assert.ok(Math.abs(share('renamed-arguments') - renamed) < 3 * deviation(renamed));
});

const RUNS = 1000;

const turnOf = (attempt: number) => ({
  reply: { kind: 'call', name: 'get_time', arguments: {} } as const,
  conversation: {
    messages: [],
    tools: [],
    schema: undefined,
    wantsJsonObject: false,
    toolChoice: undefined,
    seed: undefined,
    droppedEntries: 0,
    attempt,
  },
});

test('every documented rate is between 0 and 1', () => {
  for (const [name, rate] of Object.entries(DOCUMENTED_RATES))
    assert.ok(rate > 0 && rate < 1, name);
});

test('while the model loads apfel reports that, and afterwards it answers', () =>
  withStandIn({ loading: 2 }, async ({ post }) => {
    const statuses = [];
    for (let count = 0; count < 3; count += 1) statuses.push((await post(say('hi'))).status);
    assert.equal(statuses, [503, 503, 200]);
  }));

test('without a model the server runs, reports that, and generates nothing', () =>
  withStandIn({ modelAvailable: false }, async ({ post, get }, standIn) => {
    const health = (await get('/health')).json;
    assert.is(health.status, 'model_unavailable');
    assert.is(health.model_available, false);
    assert.is((await post(say('hi'))).status, 503);
    standIn.setModelAvailable(true);
    assert.is((await get('/health')).json.status, 'ok');
    assert.is((await post(say('hi'))).status, 200);
  }));

test.run();
