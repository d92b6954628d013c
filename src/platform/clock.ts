export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** ISO 8601 in UTC. */
  stamp(milliseconds: number): string;
  /** An id that sorts by time. */
  runId(): string;
  /** For long loops: lets Ctrl-C and deadlines through every few milliseconds; otherwise free. */
  yieldToEventLoop(): Promise<void> | undefined;
}

/** Crockford's letters: no I, L, O, U. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_LETTERS = 10;
const RANDOM_LETTERS = 16;

/** A fifth of the delay that people notice, because one step of a loop takes time too. */
const YIELD_EVERY_MS = 10;
let lastYield = 0;
/** Like `performance.now()`, for which Node would load ten modules. */
const milliseconds = (): number => Number(process.hrtime.bigint()) / 1e6;

export const nodeClock: Clock = {
  now: () => Date.now(),
  stamp: milliseconds => new Date(milliseconds).toISOString(),
  /** A ULID: ten letters of time, sixteen random ones. */
  runId: () => {
    let time = '';
    for (let rest = Date.now(), at = 0; at < TIME_LETTERS; at += 1) {
      time = (LETTERS[rest % 32] ?? '0') + time;
      rest = Math.floor(rest / 32);
    }
    // It isn't a secret, and loading node:crypto takes longer than reading the diff.
    const random = Array.from(
      { length: RANDOM_LETTERS },
      () => LETTERS[Math.floor(Math.random() * 32)],
    );
    return time + random.join('');
  },
  yieldToEventLoop: () => {
    if (milliseconds() - lastYield < YIELD_EVERY_MS) return undefined;
    return new Promise(done => {
      setImmediate(() => {
        lastYield = milliseconds();
        done();
      });
    });
  },
};

/** Aborted with the given signal, or after this time. */
export const endingAfter = (signal: AbortSignal, milliseconds: number): AbortSignal =>
  AbortSignal.any([signal, AbortSignal.timeout(Math.max(0, Math.floor(milliseconds)))]);

/**
 * How long ago, on a clock that may have been set back: a lock from the future must not last until
 * then.
 */
export const sinceMs = (then: number, now = Date.now()): number => Math.abs(now - then);
