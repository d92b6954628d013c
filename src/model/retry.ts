import type { ModelFailure } from './model.js';

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
