import { connect } from 'node:net';
import { parseJson } from '../core/json-fields.js';
import { countIn, field, textIn } from './address.js';

/** What answers at a base URL. */
export type Answer =
  | { readonly kind: 'apfel'; readonly health: Health }
  | { readonly kind: 'ollama' }
  | { readonly kind: 'other' }
  /** Nobody listens. */
  | { readonly kind: 'nothing' }
  /** Somebody listens and does not answer in time. */
  | { readonly kind: 'silent' };

export interface Health {
  readonly model: string;
  readonly isAvailable: boolean;
  /** 0 when not told. */
  readonly contextWindow: number;
  readonly version: string | undefined;
}

export interface Probed {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly allowRemote: boolean;
  readonly apiKey?: string | undefined;
  readonly onContact?: ((host: string) => void) | undefined;
}

/** Asks for `/health`, which only apfel answers in this way, and tells Ollama by its greeting. */
export async function probe(baseUrl: string, look: Probed): Promise<Answer> {
  const root = baseUrl.replace(/\/v1$/, '');
  const answer = await get(`${root}/health`, look);
  if (answer.kind !== 'answered') return answer;
  const health = readHealth(parseJson(answer.text));
  if (health !== undefined) return { kind: 'apfel', health };
  const greeting = await get(`${root}/`, look);
  const isOllama = greeting.kind === 'answered' && greeting.text.startsWith('Ollama is running');
  return { kind: isOllama ? 'ollama' : 'other' };
}

function readHealth(body: unknown): Health | undefined {
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

/** A GET that is over when its time is, whatever the other side does. */
export async function get(url: string, look: Probed): Promise<Fetched> {
  const wire = new AbortController();
  const giveUp = () => wire.abort();
  const timer = setTimeout(giveUp, Math.max(1, look.timeoutMs));
  look.signal.addEventListener('abort', giveUp, { once: true });
  try {
    look.signal.throwIfAborted();
    const headers = look.apiKey === undefined ? {} : { authorization: `Bearer ${look.apiKey}` };
    // Not before somebody is there: to load what speaks HTTP takes as long as to ask.
    const { send, textOf } = await import('./loopback-http.js');
    const http = { loopbackOnly: !look.allowRemote, onContact: look.onContact };
    const message = await send(url, { method: 'GET', headers, signal: wire.signal }, http);
    return { kind: 'answered', status: message.statusCode ?? 0, text: await textOf(message) };
  } catch {
    look.signal.throwIfAborted();
    // Refused at once, or broken off: in neither case is there a server to talk to.
    return { kind: wire.signal.aborted ? 'silent' : 'nothing' };
  } finally {
    clearTimeout(timer);
    look.signal.removeEventListener('abort', giveUp);
    wire.abort();
  }
}

/** On this machine nobody takes longer to say that nobody is there. */
const KNOCK_MS = 200;

/**
 * Whether it is certain that nobody listens. Asked of this machine's own addresses only, and before
 * anything that speaks HTTP is loaded: without a server that would be half of what a hook costs.
 */
export function isNobodyThere(baseUrl: string, signal: AbortSignal): Promise<boolean> {
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
    socket.setTimeout(KNOCK_MS, () => answer(false));
    socket.once('connect', () => answer(false));
    // Anything but a plain refusal is for the real question to find out.
    socket.once('error', (error: NodeJS.ErrnoException) => answer(error.code === 'ECONNREFUSED'));
  });
}
