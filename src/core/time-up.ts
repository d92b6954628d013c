/** Reasons to abort a run, as they stand in `signal.reason`. */
export const TIME_UP = 'time-up';
export const INTERRUPTED = 'interrupted';
export const DONE = 'done';

export const isTimeUp = (signal: AbortSignal): boolean => signal.reason === TIME_UP;

/** What was done, or what stands for it when the time was up before; any other failure goes on up. */
export async function unlessTimeUp<Value>(
  signal: AbortSignal,
  work: () => Promise<Value>,
  late: () => Value | Promise<Value>,
): Promise<Value> {
  try {
    return await work();
  } catch (thrown) {
    if (!isTimeUp(signal)) throw thrown;
    return late();
  }
}
