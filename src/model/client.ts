import { setTimeout as wait } from 'node:timers/promises';
import { attempt, type Connection, connect, type Endpoint } from './attempt.js';
import {
  type Model,
  type ModelFacts,
  type ModelFailure,
  type ModelReply,
  type ModelRequest,
  type ModelTotals,
  NOTHING_USED,
} from './model.js';

export interface OpenModelOptions {
  readonly facts: ModelFacts;
  /** Never printed, not even if a server echoes it. */
  readonly apiKey: string | undefined;
  readonly allowRemote: boolean;
  readonly requestTimeoutMs: number;
  readonly pace: Timing;
  readonly onContact?: ((host: string) => void) | undefined;
  /** Set when we started the server. */
  readonly keeper?: ServerKeeper;
  /** Reads the server's facts again: a cold model may report a smaller window than the real one. */
  readonly readFacts?: (endpoint: Endpoint, signal: AbortSignal) => Promise<ModelFacts | undefined>;
}

/** Restarts the server when it crashed, and stops it at the end. */
export interface ServerKeeper {
  restart(signal: AbortSignal): Promise<Endpoint | undefined>;
  stop(): Promise<void>;
}

/** A model behind an OpenAI-compatible server. Opening it sends nothing. */
export const openModel = (options: OpenModelOptions): Model => new OpenAiModel(options);

class OpenAiModel implements Model {
  readonly #options: OpenModelOptions;
  readonly #closing = new AbortController();
  #facts: ModelFacts;
  #connection: Connection;
  #restarting: Promise<boolean> | undefined;
  #isWarm = false;
  #totals: { -readonly [Name in keyof ModelTotals]: number } = { ...NOTHING_USED };

  constructor(options: OpenModelOptions) {
    this.#options = options;
    this.#facts = options.facts;
    this.#connection = this.#connect({ baseUrl: options.facts.baseUrl, apiKey: options.apiKey });
  }

  get facts(): ModelFacts {
    return this.#facts;
  }

  usage(): ModelTotals {
    return { ...this.#totals };
  }

  async ask(
    request: ModelRequest,
    signal: AbortSignal,
    mayRetry = (): boolean => true,
  ): Promise<ModelReply> {
    const reply = await this.#askWithRetries(request, signal, mayRetry);
    await this.#refreshFacts(reply, signal);
    return reply;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#restarting;
    await this.#options.keeper?.stop();
  }

  /** One request and its retries, by the policy. */
  async #askWithRetries(
    request: ModelRequest,
    signal: AbortSignal,
    mayRetry: () => boolean,
  ): Promise<ModelReply> {
    const { pace } = this.#options;
    const retries = new Map<ModelFailure, number>();
    for (;;) {
      const connection = this.#connection;
      const reply = await this.#try(
        {
          ...request,
          // With the same seed the model would repeat what crashed the server.
          ...(request.seed !== undefined && { seed: request.seed + (retries.get('died') ?? 0) }),
        },
        signal,
      );
      if (reply.kind === 'answer' || reply.kind === 'tool-calls') return reply;
      const retriesDone = retries.get(reply.kind) ?? 0;
      const state = { retriesDone, remainingMs: pace.remainingMs(), random: pace.random() };
      const retry = decideRetry({ failure: reply.kind, ...state });
      if (!retry.again || this.#closing.signal.aborted || !mayRetry()) return reply;
      if (this.#options.keeper !== undefined && POLICY[reply.kind].restartsServer) {
        if (!(await this.#restart(connection, signal))) return reply;
      } else {
        await pace.sleep(retry.delayMs, signal);
      }
      retries.set(reply.kind, retriesDone + 1);
      this.#totals.retries += 1;
    }
  }

  async #try(request: ModelRequest, signal: AbortSignal): Promise<ModelReply> {
    signal.throwIfAborted();
    const remainingMs = this.#options.pace.remainingMs();
    if (remainingMs <= 0) return { kind: 'timed-out', message: 'no time was left to ask' };
    this.#totals.requests += 1;
    const reply = await attempt({
      connection: this.#connection,
      request,
      facts: this.#facts,
      timeoutMs: Math.min(this.#options.requestTimeoutMs, remainingMs),
      signal,
      closing: this.#closing.signal,
    });
    if ('usage' in reply) {
      this.#totals.promptTokens += reply.usage.promptTokens;
      this.#totals.completionTokens += reply.usage.completionTokens;
    }
    if (reply.kind === 'refused' || reply.kind === 'blocked') this.#totals.refusals += 1;
    return reply;
  }

  /** Several requests can lose the same server; it is restarted once for all of them. */
  #restart(lost: Connection, signal: AbortSignal): Promise<boolean> {
    if (lost !== this.#connection) return Promise.resolve(true);
    this.#restarting ??= this.#replaceServer().finally(() => {
      this.#restarting = undefined;
    });
    return unlessAborted(this.#restarting, signal);
  }

  async #replaceServer(): Promise<boolean> {
    try {
      const endpoint = await this.#options.keeper?.restart(this.#closing.signal);
      if (endpoint === undefined) return false;
      this.#connection = this.#connect(endpoint);
      this.#facts = { ...this.#facts, baseUrl: endpoint.baseUrl };
      return true;
    } catch {
      // Closed in the meantime, or it won't start: the caller returns the original failure.
      return false;
    }
  }

  /** Reads the window again after the first answer, and when something didn't fit. */
  async #refreshFacts(reply: ModelReply, signal: AbortSignal): Promise<void> {
    const hasAnswered = reply.kind === 'answer' || reply.kind === 'tool-calls';
    if (reply.kind !== 'overflow' && (this.#isWarm || !hasAnswered)) return;
    this.#isWarm ||= hasAnswered;
    const facts = await this.#options.readFacts?.(this.#connection.endpoint, signal);
    if (facts !== undefined) this.#facts = facts;
  }

  #connect(endpoint: Endpoint): Connection {
    const { allowRemote, onContact } = this.#options;
    return connect(endpoint, { loopbackOnly: !allowRemote, onContact });
  }
}

/** The work's value, or a rejection with the signal's reason; the work itself continues. */
function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason);
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}

/** Time and randomness; tests supply their own. */
export interface Timing {
  /** Milliseconds left in the run; `Infinity` without a deadline. */
  remainingMs(): number;
  /** Rejects with the signal's reason when it is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** In [0, 1). */
  random(): number;
}

/** For a run that ends at `deadlineAt` (milliseconds since the epoch). */
export const openTiming = (deadlineAt: number): Timing => ({
  remainingMs: () => deadlineAt - Date.now(),
  sleep: sleepFor,
  random: Math.random,
});

async function sleepFor(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await wait(ms, undefined, { signal });
  } catch (thrown) {
    signal.throwIfAborted();
    throw thrown;
  }
}

/** How the client handles a failure before it returns it to the caller. */
interface FailurePolicy {
  /** How often the request is sent again. */
  readonly retries: number;
  /** Before the first retry; doubled for each one after it. */
  readonly delayMs: number;
  readonly longestDelayMs: number;
  /** A server that we started is restarted before the retry, once per run. */
  readonly restartsServer: boolean;
}

const policy = (
  retries: number,
  delayMs = 0,
  longestDelayMs = delayMs,
  restartsServer = false,
): FailurePolicy => ({ retries, delayMs, longestDelayMs, restartsServer });
const NO_RETRY = policy(0);

/** apfel sends no `Retry-After`, so the delays are ours. */
export const POLICY: Readonly<Record<ModelFailure, FailurePolicy>> = {
  refused: NO_RETRY,
  blocked: NO_RETRY,
  overflow: NO_RETRY,
  // The server's message says to retry after a few seconds.
  'rate-limited': policy(3, 1500, 8000),
  busy: policy(5, 300, 3000),
  loading: policy(6, 500, 4000),
  // launchd restarts a service; our own server has to be restarted.
  unreachable: policy(3, 400, 2000, true),
  // Once only: the request may crash the next server too.
  died: policy(1, 400, 400, true),
  // The server is still generating; the same request would wait behind itself.
  'timed-out': NO_RETRY,
  // An unknown failure may be temporary.
  malformed: policy(1, 300),
  rejected: NO_RETRY,
};

type Retry = { readonly again: false } | { readonly again: true; readonly delayMs: number };

/** With less time than this, a retry could only run into the deadline. */
const MIN_TIME_FOR_RETRY_MS = 250;

/** Whether to send the same request again, and when. `random` is in [0, 1). */
export function decideRetry(state: {
  readonly failure: ModelFailure;
  readonly retriesDone: number;
  readonly remainingMs: number;
  readonly random: number;
}): Retry {
  const policy = POLICY[state.failure];
  if (state.retriesDone >= policy.retries) return { again: false };
  const full = Math.min(policy.longestDelayMs, policy.delayMs * 2 ** state.retriesDone);
  // From 0.75 to 1.25 of it, so that several runners don't retry at the same time.
  const delayMs = Math.round(full * (0.75 + state.random / 2));
  if (delayMs + MIN_TIME_FOR_RETRY_MS > state.remainingMs) return { again: false };
  return { again: true, delayMs };
}
