import { lookup as resolveName } from 'node:dns';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { isLoopback } from './address.js';

export interface HttpOptions {
  readonly loopbackOnly: boolean;
  /** Called with the host of every request. */
  readonly onContact?: ((host: string) => void) | undefined;
}

interface OutgoingRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A model's answer is a few kilobytes. */
const MAX_ANSWER_MIB = 8;

/**
 * Sends a request without redirects, proxies from the environment, kept-alive connections (a stale
 * one looks like a crashed server) or unneeded headers. Unlike the built-in `fetch` it keeps the
 * system's error codes, which distinguish a closed port from a broken connection, and loads faster.
 */
export async function send(
  url: string,
  outgoing: OutgoingRequest,
  options: HttpOptions,
): Promise<IncomingMessage> {
  const target = new URL(url);
  const address = target.hostname.replace(/^\[|\]$/g, '');
  if (options.loopbackOnly && isIP(address) !== 0 && !isLoopback(address)) {
    throw notLoopback(address, address);
  }
  const open = target.protocol === 'https:' ? (await import('node:https')).request : requestHttp;
  options.onContact?.(target.host);
  const length =
    outgoing.body === undefined
      ? {}
      : { 'content-length': String(Buffer.byteLength(outgoing.body)) };
  return new Promise((resolve, reject) => {
    const request = open(target, {
      method: outgoing.method,
      headers: { 'user-agent': 'apfel-bot', ...outgoing.headers, ...length },
      agent: false,
      ...(outgoing.signal ? { signal: outgoing.signal } : {}),
      ...(options.loopbackOnly ? { lookup: lookupLoopback } : {}),
    });
    request.on('error', reject);
    request.on('response', resolve);
    request.end(outgoing.body);
  });
}

/** The body, up to the largest size accepted. */
export async function* bodyOf(message: IncomingMessage): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_MIB * 1024 * 1024)
      throw new Error(`it is too large, over ${MAX_ANSWER_MIB} MiB`);
    yield chunk;
  }
}

export async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of bodyOf(message)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** Checks the address again when connecting: a name may resolve differently by then. */
const lookupLoopback: LookupFunction = (hostname, options, callback) => {
  resolveName(hostname, { ...options, all: true }, (error, found) => {
    const addresses = error === null ? found : [];
    const other = addresses.find(({ address }) => !isLoopback(address));
    const problem = error ?? (other && notLoopback(hostname, other.address));
    const first = addresses[0];
    if (problem || first === undefined) callback(problem ?? new Error('no address'), '');
    else if (options.all) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};

const notLoopback = (name: string, address: string): Error =>
  Object.assign(new Error(`${name} resolves to ${address}, which is not this machine`), {
    code: 'EHOSTUNREACH',
  });

type PlainFetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

const SENT_HEADERS = ['accept', 'authorization', 'content-type'];

/** `send` as the `fetch` that the `openai` package calls, which never passes a Request. */
export function openFetch(options: HttpOptions): PlainFetch {
  return async (url, init = {}) => {
    const given = new Headers(init.headers);
    const headers: Record<string, string> = {};
    for (const name of SENT_HEADERS) {
      const value = given.get(name);
      if (value !== null) headers[name] = value;
    }
    const body = typeof init.body === 'string' ? init.body : undefined;
    const signal = init.signal ?? undefined;
    const outgoing = { method: init.method ?? 'GET', headers, body, signal };
    const message = await send(String(url), outgoing, options);
    try {
      return toResponse(message);
    } catch (thrown) {
      message.destroy();
      throw thrown;
    }
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
  const body = Readable.toWeb(Readable.from(bodyOf(message), { objectMode: false }));
  // Node's and the DOM's stream types differ only in name.
  return new Response(body as unknown as ReadableStream<Uint8Array>, { status, headers });
}
