import { lookup as resolveName } from 'node:dns';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import { isLoopback } from './address.js';

export interface HttpOptions {
  readonly loopbackOnly: boolean;
  /** Told the host of every request that is made. */
  readonly onContact?: ((host: string) => void) | undefined;
}

export interface Sent {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A model's answer is some kilobytes; what is larger is no answer. */
const MOST_ANSWER_BYTES = 8 * 1024 * 1024;

/**
 * The door to the server: no redirects, no proxy from the environment, no kept connections (a stale
 * one looks like a server that died), no headers but those needed. Unlike the built-in `fetch` it
 * keeps the system's error codes, which tell "nobody there" from "gone in the middle", and costs a
 * hook nothing but what it does.
 */
export async function send(
  url: string,
  sent: Sent,
  options: HttpOptions,
): Promise<IncomingMessage> {
  const target = new URL(url);
  const address = target.hostname.replace(/^\[|\]$/g, '');
  if (options.loopbackOnly && isIP(address) !== 0 && !isLoopback(address)) {
    throw notHere(address, address);
  }
  const open = target.protocol === 'https:' ? (await import('node:https')).request : requestHttp;
  options.onContact?.(target.host);
  const length = sent.body === undefined ? {} : { 'content-length': byteLength(sent.body) };
  return new Promise((resolve, reject) => {
    const request = open(target, {
      method: sent.method,
      headers: { 'user-agent': 'apfel-bot', ...sent.headers, ...length },
      agent: false,
      ...(sent.signal ? { signal: sent.signal } : {}),
      ...(options.loopbackOnly ? { lookup: lookupLoopback } : {}),
    });
    request.on('error', reject);
    request.on('response', resolve);
    request.end(sent.body);
  });
}

const byteLength = (text: string): string => String(Buffer.byteLength(text));

/** What the server says, as far as it is an answer. */
export async function* bodyOf(message: IncomingMessage): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_ANSWER_BYTES) throw new Error(`the answer is over ${MOST_ANSWER_BYTES} bytes`);
    yield chunk;
  }
}

export async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of bodyOf(message)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
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
