import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { bodyOf, type HttpOptions, send } from './loopback-http.js';

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
