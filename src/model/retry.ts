import type { ModelFailure } from './model.js';

/** What is done about a failure: first by the adapter on its own, then by whoever asked. */
interface FailurePolicy {
  /** How often the adapter sends the same request again before it gives the failure back. */
  readonly retries: number;
  /** Before the first retry; doubled for each further one. */
  readonly delayMs: number;
  readonly longestDelayMs: number;
  /** A server that we started is started anew before the retry; once a run. */
  readonly restartsServer: boolean;
}

const GIVEN_BACK = { retries: 0, delayMs: 0, longestDelayMs: 0, restartsServer: false } as const;

/** The one table. apfel sends no `Retry-After`, so the delays are ours. */
export const POLICY: Readonly<Record<ModelFailure, FailurePolicy>> = {
  refused: GIVEN_BACK,
  // A rate limit can come dressed as a guardrail: the caller's pause before rewording covers it.
  blocked: GIVEN_BACK,
  overflow: GIVEN_BACK,
  // "Retry after a few seconds", says the server.
  'rate-limited': {
    retries: 3,
    delayMs: 1500,
    longestDelayMs: 8000,
    restartsServer: false,
  },
  busy: {
    retries: 5,
    delayMs: 300,
    longestDelayMs: 3000,
    restartsServer: false,
  },
  loading: {
    retries: 6,
    delayMs: 500,
    longestDelayMs: 4000,
    restartsServer: false,
  },
  // A service under launchd comes back by itself, ours has to be brought back.
  unreachable: {
    retries: 3,
    delayMs: 400,
    longestDelayMs: 2000,
    restartsServer: true,
  },
  // Once only: the same request may kill the next server too.
  died: { retries: 1, delayMs: 400, longestDelayMs: 400, restartsServer: true },
  // The server goes on generating for nobody; the same request would queue behind itself.
  'timed-out': GIVEN_BACK,
  // An unknown failure of the server is taken for a passing one, once.
  malformed: {
    retries: 1,
    delayMs: 300,
    longestDelayMs: 300,
    restartsServer: false,
  },
  rejected: GIVEN_BACK,
};

type Retry = { readonly again: false } | { readonly again: true; readonly delayMs: number };

/** With less than this left a retry could only run into the deadline. */
const LEAST_TIME_FOR_RETRY_MS = 250;

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
  // From 0.75 to 1.25 of it, so that several runners do not come back in step.
  const delayMs = Math.round(full * (0.75 + state.random / 2));
  if (delayMs + LEAST_TIME_FOR_RETRY_MS > state.remainingMs) return { again: false };
  return { again: true, delayMs };
}
