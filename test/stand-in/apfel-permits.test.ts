import { setTimeout as wait } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.js';
import { needsOwnServer, say, type Target, untilActive, withStandIn } from './apfel-target.js';

const test = suite('stand-in/apfel-permits');

const slow = { maxConcurrent: 1, latencyMs: 1000, permitWaitMs: 60_000 };

test.unless(
  needsOwnServer,
  'a request that gets no permit in time is refused with the capacity',
  () =>
    withStandIn({ maxConcurrent: 1, latencyMs: 2000, permitWaitMs: 30 }, async target => {
      const { post } = target;
      const first = post(say('one'));
      await untilActive(target, 1);
      const second = await post(say('two'));
      assert.is(second.status, 429);
      assert.is(second.json.error.type, 'rate_limit_error');
      assert.is(
        second.json.error.message,
        'Server at max concurrent capacity (1). Try again later or increase with --max-concurrent.',
      );
      assert.is(second.headers.get('retry-after'), null);
      assert.is((await first).status, 200);
    }),
);

test.unless(needsOwnServer, 'waiters are served in the order they came', () =>
  withStandIn({ ...slow, latencyMs: 500, permitWaitMs: 60_000 }, async ({ post }, standIn) => {
    const waits: Promise<unknown>[] = [];
    for (const text of ['one', 'two', 'three']) {
      waits.push(post(say(text)));
      await wait(100);
    }
    await Promise.all(waits);
    const texts = standIn.requests.map(
      ({ body }) => JSON.stringify(body).match(/one|two|three/)?.[0],
    );
    assert.equal(texts, ['one', 'two', 'three']);
  }),
);

test.unless(needsOwnServer, 'even a bad request waits for its permit', () =>
  withStandIn({ maxConcurrent: 1, latencyMs: 600_000, permitWaitMs: 20 }, async target => {
    const first = target.post(say('one')).catch(() => undefined);
    await untilActive(target, 1);
    assert.is((await target.post('not json')).status, 429);
    void first;
  }),
);

test.unless(
  needsOwnServer,
  '/health counts the requests with a permit, not those that wait, and never waits itself',
  () =>
    withStandIn(slow, async target => {
      const both = [target.post(say('one')), target.post(say('two'))];
      await untilActive(target, 1);
      await wait(20);
      assert.is((await target.get('/health')).json.active_requests, 1);
      await Promise.all(both);
      assert.is((await target.get('/health')).json.active_requests, 0);
    }),
);

/** Asks, and leaves as soon as the request has its permit. */
async function leave(target: Target, body: unknown): Promise<void> {
  const abort = new AbortController();
  const asked = fetch(`${target.url}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify(body),
    signal: abort.signal,
  }).then(response => response.text());
  await untilActive(target, 1);
  abort.abort();
  await asked.catch(() => undefined);
}

test.unless(
  needsOwnServer,
  'closing a stream frees the permit, closing a connection without a stream does not',
  () =>
    withStandIn({ ...slow, latencyMs: 3000 }, async target => {
      await leave(target, say('hi', { stream: true }));
      await untilActive(target, 0);
      await leave(target, say('hi'));
      assert.is((await target.get('/health')).json.active_requests, 1);
      await untilActive(target, 0);
    }),
);

test.unless(needsOwnServer, 'closing a connection that waits for a body frees no permit', () =>
  withStandIn({ maxConcurrent: 1, permitWaitMs: 200, quirks: { stall: 1 } }, async target => {
    await leave(target, say('hi'));
    assert.is((await target.post(say('next'))).status, 429);
  }),
);

test.unless(
  needsOwnServer,
  'closing a stream that comes in one piece frees the permit only once it is written',
  () =>
    withStandIn({ maxConcurrent: 1, permitWaitMs: 200, latencyMs: 600_000 }, async target => {
      const inOnePiece = { stream: true, response_format: { type: 'json_object' } };
      await leave(target, say('hi', inOnePiece));
      assert.is((await target.post(say('next'))).status, 429);
    }),
);

test.unless(
  needsOwnServer,
  'the chunk with the role arrives before the model has written anything',
  () =>
    withStandIn({ latencyMs: 600_000 }, async ({ url }) => {
      const response = await fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        body: JSON.stringify(say('hi', { stream: true })),
      });
      const reader = response.body?.getReader();
      const first = await reader?.read();
      assert.match(Buffer.from(first?.value ?? []).toString(), /"role":"assistant"/);
      await reader?.cancel();
    }),
);

for (const speed of ['prefill', 'decode'] as const) {
  test.unless(needsOwnServer, `a slow ${speed} delays a reply, but not a refusal`, () =>
    withStandIn({ [speed]: 1e-3 }, async (target, standIn) => {
      const asked = target.post(say('hi'));
      await untilActive(target, 1);
      assert.is((await target.post({})).status, 400);
      assert.is((await target.get('/health')).json.active_requests, 1);
      standIn.setLatency(0);
      assert.is((await asked).status, 200);
    }),
  );
}

test.run();
