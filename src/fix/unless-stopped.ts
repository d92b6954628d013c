import { isTimeUp } from '../core/time-up.js';

/** When the time is up or somebody presses Ctrl-C, what was verified so far is still worth keeping. */
export async function unlessStopped<Value>(
  signal: AbortSignal,
  work: () => Promise<Value>,
  otherwise: (reason: string) => Value,
): Promise<Value> {
  try {
    return await work();
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
    return otherwise(isTimeUp(signal) ? 'the deadline was reached' : 'the run was stopped');
  }
}
