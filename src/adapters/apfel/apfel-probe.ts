import { countIn, field, textIn } from '../openai/openai-fields.js';

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

export interface Look {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly allowRemote: boolean;
  readonly apiKey?: string | undefined;
  readonly onContact?: ((host: string) => void) | undefined;
}

/** Asks for `/health`, which only apfel answers in this way, and tells Ollama by its greeting. */
export async function probe(baseUrl: string, look: Look): Promise<Answer> {
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

export type Fetched =
  | { readonly kind: 'answered'; readonly status: number; readonly text: string }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'silent' };

/** A GET that is over when its time is, whatever the other side does. */
export async function get(url: string, look: Look): Promise<Fetched> {
  const wire = new AbortController();
  const giveUp = () => wire.abort();
  const timer = setTimeout(giveUp, Math.max(1, look.timeoutMs));
  look.signal.addEventListener('abort', giveUp, { once: true });
  try {
    look.signal.throwIfAborted();
    const headers = look.apiKey === undefined ? {} : { authorization: `Bearer ${look.apiKey}` };
    // Not before somebody is there: to load what speaks HTTP takes as long as to ask.
    const { send, textOf } = await import('../openai/http-door.js');
    const door = { loopbackOnly: !look.allowRemote, onContact: look.onContact };
    const message = await send(url, { method: 'GET', headers, signal: wire.signal }, door);
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

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON is an answer too: it is just not the one looked for.
    return undefined;
  }
}
