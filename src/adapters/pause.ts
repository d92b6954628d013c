import { setTimeout as sleep } from 'node:timers/promises';

/** Waits, but no longer than the run lasts. */
export const openPause =
  (signal: AbortSignal) =>
  async (milliseconds: number): Promise<void> => {
    await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
  };
