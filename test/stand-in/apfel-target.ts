import { request as httpRequest } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { type StandIn, type StandInOptions, startStandIn } from '../../fixtures/apfel/stand-in.js';

const realUrl = process.env['APFEL_BOT_TEST_URL'];

/** Reasons to skip when a real server is being asked: it cannot be told what to say or how to start. */
export const needsScript =
  realUrl === undefined ? undefined : 'needs a model that says what it is told';
export const needsOwnServer =
  realUrl === undefined ? undefined : 'needs a server started with other settings';

export const MODEL = 'apple-foundationmodel';

export interface Target {
  readonly url: string;
  post(body: unknown, headers?: Record<string, string>): Promise<Reply>;
  get(path: string, headers?: Record<string, string>): Promise<Reply>;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // The shape is what the tests are about, so they read it without ceremony.
  // biome-ignore lint/suspicious/noExplicitAny: parsed JSON under test
  readonly json: any;
}

/** The server under test: the one named in the environment, else a stand-in of its own. */
export async function withTarget(
  body: (target: Target) => Promise<void>,
  options: StandInOptions = {},
): Promise<void> {
  if (realUrl !== undefined) return body(targetAt(realUrl.replace(/\/(v1\/?)?$/, '')));
  await withStandIn(options, body);
}

/** A stand-in, whatever the environment says. */
export async function withStandIn(
  options: StandInOptions,
  body: (target: Target, standIn: StandIn) => Promise<void>,
): Promise<void> {
  const standIn = await startStandIn({ permitWaitMs: 100, ...options });
  try {
    await body(targetAt(standIn.url), standIn);
  } finally {
    await standIn.close();
  }
}

function targetAt(url: string): Target {
  const fetchText = async (path: string, init: RequestInit): Promise<Reply> => {
    const response = await fetch(url + path, init);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: parse(text) };
  };
  return {
    url,
    get: (path, headers = {}) => fetchText(path, { headers }),
    post: (body, headers = {}) =>
      fetchText('/v1/chat/completions', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Streams and empty bodies are no JSON; the test that expects JSON fails on undefined.
    return undefined;
  }
}

/** Waits, up to a minute, until the server says that so many permits are held. */
export async function untilActive({ get }: Target, wanted: number): Promise<void> {
  let active: unknown;
  for (let tries = 0; tries < 6000; tries += 1) {
    active = (await get('/health')).json.active_requests;
    if (active === wanted) return;
    await wait(10);
  }
  throw new Error(`${String(active)} permits are held, not ${wanted}`);
}

/** A real model may decline; upstream's own tests go through a few seeds before they call it a failure. */
export async function tryingSeeds(
  ask: (seed: number) => Promise<Reply>,
  isWanted: (reply: Reply) => boolean,
): Promise<Reply> {
  let reply = await ask(42);
  for (const seed of [7, 123, 5, 99]) {
    if (isWanted(reply)) return reply;
    reply = await ask(seed);
  }
  return reply;
}

export const say = (text: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  model: MODEL,
  messages: [{ role: 'user', content: text }],
  max_tokens: 64,
  ...more,
});

/** The JSON events of a stream, the final `[DONE]` left out. */
// biome-ignore lint/suspicious/noExplicitAny: parsed JSON under test
export function eventsOf(reply: Reply): any[] {
  return reply.text
    .split('\n')
    .filter(line => line.startsWith('data: ') && line !== 'data: [DONE]')
    .map(line => JSON.parse(line.slice('data: '.length)));
}

/** A request with headers that fetch would not let through, `Host` above all. */
export function rawRequest(
  url: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> },
): Promise<{ status: number; headers: Record<string, unknown>; text: string }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers }, response => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', chunk => {
        text += chunk;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
    request.on('error', reject);
    request.end();
  });
}
