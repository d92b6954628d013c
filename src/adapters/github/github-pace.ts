import { setTimeout as sleep } from 'node:timers/promises';

/** A place in a queue, in the form that the throttling plugin asks for one. */
export interface Pace {
  key(id: string): {
    schedule<Value>(options: object, work: (...args: unknown[]) => Promise<Value>): Promise<Value>;
  };
}

/** One after another, `gapMs` apart at least. Unlike the plugin's own queue it ends with the run. */
export function openPace(gapMs: number, signal: AbortSignal): Pace {
  let freeAt = 0;
  const wait = async (): Promise<void> => {
    const now = Date.now();
    const delayMs = Math.max(0, freeAt - now);
    freeAt = now + delayMs + gapMs;
    if (delayMs > 0) await sleep(delayMs, undefined, { signal });
  };
  return {
    key: () => ({
      schedule: async (_, work) => {
        await wait();
        return work();
      },
    }),
  };
}
