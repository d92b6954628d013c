import { connect } from 'node:net';
import { parseJson } from '../core/json-fields.js';
import { countIn, field, textIn } from './address.js';

/** What answers at a base URL. */
export type Answer =
  | { readonly kind: 'apfel'; readonly health: Health }
  | { readonly kind: 'ollama' }
  | { readonly kind: 'other' }
  /** Nothing listens there. */
  | { readonly kind: 'nothing' }
  /** Something listens but doesn't answer in time. */
  | { readonly kind: 'silent' };

export interface Health {
  readonly model: string;
  readonly isAvailable: boolean;
  /** 0 when not reported. */
  readonly contextWindow: number;
  readonly version: string | undefined;
}

export interface ProbeOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly allowRemote: boolean;
  readonly apiKey?: string | undefined;
  readonly onContact?: ((host: string) => void) | undefined;
}

/**
 * Requests `/health`, which only apfel answers like this, and detects Ollama by its start page. The
 * key is sent only when asked for, as apfel does when it listens beyond this machine.
 */
export async function probe(baseUrl: string, options: ProbeOptions): Promise<Answer> {
  const root = baseUrl.replace(/\/v1$/, '');
  const answer = await askHealth(root, options);
  if (answer.kind !== 'answered') return answer;
  const health = readHealth(parseJson(answer.text));
  if (health !== undefined) return { kind: 'apfel', health };
  const greeting = await get(`${root}/`, withoutKey(options));
  const isOllama = greeting.kind === 'answered' && greeting.text.startsWith('Ollama is running');
  return { kind: isOllama ? 'ollama' : 'other' };
}

export async function askHealth(root: string, options: ProbeOptions): Promise<Fetched> {
  const answer = await get(`${root}/health`, withoutKey(options));
  const isRefused = answer.kind === 'answered' && answer.status === 401;
  return isRefused && options.apiKey !== undefined ? get(`${root}/health`, options) : answer;
}

const withoutKey = (options: ProbeOptions): ProbeOptions => ({ ...options, apiKey: undefined });

export function readHealth(body: unknown): Health | undefined {
  const model = textIn(body, 'model');
  const available = field(body, 'model_available');
  const contextWindow = countIn(body, 'context_window');
  if (model === undefined) return undefined;
  if (typeof available !== 'boolean' && contextWindow === 0) return undefined;
  const version = textIn(body, 'version');
  return { model, isAvailable: available !== false, contextWindow, version };
}

type Fetched =
  | { readonly kind: 'answered'; readonly status: number; readonly text: string }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'silent' };

/** A GET that ends with its timeout, whatever the other side does. */
export async function get(url: string, options: ProbeOptions): Promise<Fetched> {
  const wire = new AbortController();
  const giveUp = () => wire.abort();
  const timer = setTimeout(giveUp, Math.max(1, options.timeoutMs));
  options.signal.addEventListener('abort', giveUp, { once: true });
  try {
    options.signal.throwIfAborted();
    const headers =
      options.apiKey === undefined ? {} : { authorization: `Bearer ${options.apiKey}` };
    // Loaded only now: loading HTTP takes as long as the request.
    const { send, textOf } = await import('./loopback-http.js');
    const http = { loopbackOnly: !options.allowRemote, onContact: options.onContact };
    const message = await send(url, { method: 'GET', headers, signal: wire.signal }, http);
    return { kind: 'answered', status: message.statusCode ?? 0, text: await textOf(message) };
  } catch {
    options.signal.throwIfAborted();
    // Refused or broken off: there is no usable server.
    return { kind: wire.signal.aborted ? 'silent' : 'nothing' };
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener('abort', giveUp);
    wire.abort();
  }
}

/** On loopback a refused connection never takes longer. */
const CONNECT_MS = 200;

/**
 * Whether it's certain that nothing listens. Only for loopback addresses, and before HTTP is loaded:
 * without a server, that would be half the cost of a hook.
 */
export function isPortClosed(baseUrl: string, signal: AbortSignal): Promise<boolean> {
  const { hostname, port, protocol } = new URL(baseUrl);
  const host = hostname.replace(/^\[|\]$/g, '');
  if (host !== '127.0.0.1' && host !== '::1') return Promise.resolve(false);
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const socket = connect({ host, port: Number(port) || (protocol === 'https:' ? 443 : 80) });
    const giveUp = (): void => {
      socket.destroy();
      reject(signal.reason);
    };
    signal.addEventListener('abort', giveUp, { once: true });
    const answer = (isRefused: boolean): void => {
      signal.removeEventListener('abort', giveUp);
      socket.destroy();
      resolve(isRefused);
    };
    socket.setTimeout(CONNECT_MS, () => answer(false));
    socket.once('connect', () => answer(false));
    // Anything but a refused connection is left to the real request.
    socket.once('error', (error: NodeJS.ErrnoException) => answer(error.code === 'ECONNREFUSED'));
  });
}
