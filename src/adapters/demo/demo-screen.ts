import { setTimeout as sleep } from 'node:timers/promises';

export interface DemoScreen {
  print(text: string): void;
  /** Time to read, where somebody reads. */
  rest(): Promise<void>;
}

/** A screen of text takes longer to read; this is enough to see that a step is over. */
const REST_MS = 1500;

/** Standard output as the story goes on, instead of all of it at the end. */
export function openDemoScreen(wish: {
  readonly isHurried: boolean;
  readonly signal: AbortSignal;
}): DemoScreen {
  const { stdout } = process;
  return {
    print: text => void stdout.write(text),
    rest: async () => {
      if (wish.isHurried || stdout.isTTY !== true) return;
      await sleep(REST_MS, undefined, { signal: wish.signal }).catch(() => undefined);
    },
  };
}
