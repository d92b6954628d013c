import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { timeTool } from '../../fixtures/apfel/example-tools.js';
import { always } from '../../fixtures/apfel/policy.js';
import { suite } from '../support/suite.js';
import { say, untilActive, withStandIn } from './apfel-target.js';

const test = suite('stand-in/apfel-connection');

const policy = always({ kind: 'text', text: 'A sentence that is long enough to be cut in two.' });

/** What arrived within the time, and how it ended. */
function listenFor(url: string, body: unknown, ms: number): Promise<{ text: string; end: string }> {
  const { hostname, port } = new URL(url);
  return new Promise(resolve => {
    let text = '';
    const socket = connect(Number(port), hostname);
    const finish = (end: string): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ text, end });
    };
    const timer = setTimeout(() => finish('still open'), ms);
    socket.on('data', chunk => {
      text += chunk.toString();
    });
    socket.on('error', error => finish('code' in error ? String(error.code) : 'error'));
    socket.on('close', () => finish('closed'));
    const json = JSON.stringify(body);
    socket.write(
      `POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`,
    );
  });
}

test('a reset breaks the connection in the middle of the body', () =>
  withStandIn({ quirks: { reset: 1 }, policy }, async ({ url }) => {
    const { text, end } = await listenFor(url, say('hi'), 60_000);
    assert.is(end, 'ECONNRESET');
    assert.match(text, /^HTTP\/1\.1 200 OK/);
    assert.match(text, /"choices"/);
    assert.not.match(text, /total_tokens/);
  }));

test('a reset breaks the connection in the middle of a stream', () =>
  withStandIn({ quirks: { reset: 1 }, policy }, async ({ url }) => {
    const { text, end } = await listenFor(url, say('hi', { stream: true }), 60_000);
    assert.is(end, 'ECONNRESET');
    assert.match(text, /"role":"assistant"/);
    assert.not.match(text, /DONE/);
  }));

test('a stalled reply sends nothing, or only a beginning', () =>
  withStandIn({ quirks: { stall: 1 }, policy }, async target => {
    const { url } = target;
    assert.equal(await listenFor(url, say('hi'), 1000), { text: '', end: 'still open' });
    const stream = await listenFor(url, say('hi', { stream: true }), 1000);
    assert.is(stream.end, 'still open');
    assert.match(stream.text, /"content":"/);
    assert.not.match(stream.text, /DONE/);
    // Leaving frees the permit of the stream, not that of the body.
    await untilActive(target, 1);
  }));

test('a dripping reply comes one byte at a time', () =>
  withStandIn({ quirks: { drip: 1 }, policy }, async ({ url }) => {
    const { text, end } = await listenFor(url, say('hi'), 1500);
    const body = text.slice(text.indexOf('\r\n\r\n') + 4);
    assert.is(end, 'still open');
    assert.ok(body.length >= 1 && body.length <= 40, `${body.length} bytes`);
  }));

test('scalar arguments end the whole server: the connection, the listener and other requests', () =>
  withStandIn(
    { quirks: { 'scalar-arguments': 1 }, latencyMs: 500, policy: always(CALL) },
    async ({ url, get }, standIn) => {
      const other = get('/health');
      await other;
      const { text } = await listenFor(url, say('now', { tools: [timeTool] }), 60_000);
      assert.is(text, '');
      assert.match(await standIn.died, /get_time/);
      const refused = await get('/health').then(
        () => 'answered',
        () => 'refused',
      );
      assert.is(refused, 'refused');
    },
  ));

const CALL = { kind: 'call', name: 'get_time', arguments: {} } as const;

test('closing the stand-in leaves no connection open, not even a stalled reply', async () => {
  let ended: Promise<{ end: string }> | undefined;
  await withStandIn({ quirks: { stall: 1 }, policy }, async ({ url }) => {
    ended = listenFor(url, say('hi'), 60_000);
    await wait(50);
  });
  assert.is.not((await ended)?.end, 'still open');
});

test.run();
