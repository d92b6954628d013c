/** Values of `signal.reason` when a run is aborted. */
export const TIME_UP = 'time-up';
export const INTERRUPTED = 'interrupted';
export const DONE = 'done';

export const isTimeUp = (signal: AbortSignal): boolean => signal.reason === TIME_UP;

/** The result of `work`, or of `late` if the deadline passed first; other errors are thrown. */
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

const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/** `500ms`, `8s`, `2m`, `1h` in milliseconds; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? [];
  const factor = unit === undefined ? undefined : UNITS[unit];
  if (amount === undefined || factor === undefined) return undefined;
  const milliseconds = Math.round(Number(amount) * factor);
  return milliseconds > 0 && milliseconds <= 86_400_000 ? milliseconds : undefined;
}

/** In the largest unit that fits: `8s`, `2m`, `1500ms`. */
export function formatDuration(milliseconds: number): string {
  const [unit, factor] = Object.entries(UNITS).find(
    ([, factor]) => milliseconds >= factor && milliseconds % factor === 0,
  ) ?? ['ms', 1];
  return `${milliseconds / factor}${unit}`;
}
