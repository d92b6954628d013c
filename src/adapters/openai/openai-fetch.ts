import { lookup as resolveName } from 'node:dns';
import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { Readable } from 'node:stream';

export type PlainFetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

export interface FetchOptions {
  readonly loopbackOnly: boolean;
  /** Told the host of every request that is made. */
  readonly onContact?: ((host: string) => void) | undefined;
}

/** A model's answer is some kilobytes; what is larger is no answer. */
const MOST_ANSWER_BYTES = 8 * 1024 * 1024;

/**
 * The door to the server: no redirects, no proxy from the environment, no kept connections (a stale
 * one looks like a server that died), no headers but those needed. Unlike the built-in `fetch` it
 * keeps the system's error codes, which tell "nobody there" from "gone in the middle".
 */
export function openFetch(options: FetchOptions): PlainFetch {
  return (url, init = {}) =>
    new Promise((resolve, reject) => {
      // Called by the `openai` package and by ourselves with text or a URL, never with a Request.
      const target = new URL(String(url));
      const address = target.hostname.replace(/^\[|\]$/g, '');
      if (options.loopbackOnly && isIP(address) !== 0 && !isLoopback(address)) {
        reject(notHere(address, address));
        return;
      }
      options.onContact?.(target.host);
      const send = target.protocol === 'https:' ? requestHttps : requestHttp;
      const request = send(target, requestOptions(init, options.loopbackOnly));
      request.on('error', reject);
      request.on('response', message => {
        try {
          resolve(toResponse(message));
        } catch (thrown) {
          message.destroy();
          reject(thrown);
        }
      });
      request.end(typeof init.body === 'string' ? init.body : undefined);
    });
}

const KEPT_HEADERS = ['accept', 'authorization', 'content-type'];

function requestOptions(init: RequestInit, loopbackOnly: boolean): RequestOptions {
  const given = new Headers(init.headers);
  const headers: Record<string, string> = { 'user-agent': 'apfel-bot' };
  for (const name of KEPT_HEADERS) {
    const value = given.get(name);
    if (value !== null) headers[name] = value;
  }
  if (typeof init.body === 'string') headers['content-length'] = `${Buffer.byteLength(init.body)}`;
  return {
    method: init.method ?? 'GET',
    headers,
    agent: false,
    ...(init.signal ? { signal: init.signal } : {}),
    ...(loopbackOnly ? { lookup: lookupLoopback } : {}),
  };
}

function toResponse(message: IncomingMessage): Response {
  const status = message.statusCode ?? 0;
  if (status < 200 || status > 599) throw new Error(`the server answered with status ${status}`);
  const headers = new Headers();
  const type = message.headers['content-type'];
  if (type !== undefined) headers.set('content-type', type);
  if (status === 204 || status === 205 || status === 304) {
    message.destroy();
    return new Response(null, { status, headers });
  }
  const body = Readable.toWeb(Readable.from(bounded(message), { objectMode: false }));
  // Node's own and the DOM's stream types differ in name only.
  return new Response(body as unknown as ReadableStream<Uint8Array>, { status, headers });
}

async function* bounded(message: IncomingMessage): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_ANSWER_BYTES) throw new Error(`the answer is over ${MOST_ANSWER_BYTES} bytes`);
    yield chunk;
  }
}

/** Holds at the moment of connecting what was true when the address was checked. */
const lookupLoopback: LookupFunction = (hostname, options, callback) => {
  resolveName(hostname, { ...options, all: true }, (error, found) => {
    const addresses = error === null ? found : [];
    const stranger = addresses.find(({ address }) => !isLoopback(address));
    const problem = error ?? (stranger && notHere(hostname, stranger.address));
    const first = addresses[0];
    if (problem || first === undefined) callback(problem ?? new Error('no address'), '');
    else if (options.all) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};

const notHere = (name: string, address: string): Error =>
  Object.assign(new Error(`${name} leads to ${address}, which is not this machine`), {
    code: 'EHOSTUNREACH',
  });

/** 127.0.0.0/8 and ::1, as `URL` and the resolver spell them. */
export function isLoopback(address: string): boolean {
  if (isIP(address) === 4) return address.startsWith('127.');
  return address === '::1';
}
