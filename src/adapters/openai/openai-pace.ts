import { setTimeout as wait } from 'node:timers/promises';

/** Time and chance as the adapters need them; tests bring their own. */
export interface Pace {
  /** Milliseconds of the run that are left; `Infinity` when it has no deadline. */
  remainingMs(): number;
  /** Rejects with the signal's reason as soon as it is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** In [0, 1). */
  random(): number;
}

/** The real thing, for a run that ends at `deadlineAt` (milliseconds since the epoch). */
export const openPace = (deadlineAt: number): Pace => ({
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
