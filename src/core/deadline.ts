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

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `500ms`, `8s`, `2m`, `1h` in milliseconds; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? [];
  const factor = unit === undefined ? undefined : UNITS[unit];
  if (amount === undefined || factor === undefined) return undefined;
  const milliseconds = Math.round(Number(amount) * factor);
  return milliseconds > 0 && milliseconds <= 86_400_000 ? milliseconds : undefined;
}

/** The shortest way to say it: `8s`, `2m`, `1500ms`. */
export function formatDuration(milliseconds: number): string {
  for (const [unit, factor] of [
    ['h', 3_600_000],
    ['m', 60_000],
    ['s', 1000],
  ] as const) {
    if (milliseconds >= factor && milliseconds % factor === 0)
      return `${milliseconds / factor}${unit}`;
  }
  return `${milliseconds}ms`;
}
