export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** The same for people and files: ISO 8601 in UTC. */
  stamp(milliseconds: number): string;
  /** An identifier that sorts by the time it was made; within a run always the same. */
  runId(): string;
  /** For long loops: lets Ctrl-C and deadlines in when it is time to, else costs nothing. */
  yieldToEventLoop(): Promise<void> | undefined;
}

/** Crockford's letters: no I, L, O, U. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_LETTERS = 10;
const RANDOM_LETTERS = 16;

/** A fifth of what a person at the keyboard may notice: the rest is for what one step takes. */
const LONGEST_BREATH_MS = 10;
let lastBreath = 0;
/** As `performance.now()`, for which Node would load ten modules. */
const milliseconds = (): number => Number(process.hrtime.bigint()) / 1e6;

export const nodeClock: Clock = {
  now: () => Date.now(),
  stamp: milliseconds => new Date(milliseconds).toISOString(),
  /** A ULID: ten letters of time, sixteen of chance. */
  runId: () => {
    let time = '';
    for (let rest = Date.now(), at = 0; at < TIME_LETTERS; at += 1) {
      time = (LETTERS[rest % 32] ?? '0') + time;
      rest = Math.floor(rest / 32);
    }
    // A name and not a secret: node:crypto would take longer to load than the diff to be read.
    const chance = Array.from(
      { length: RANDOM_LETTERS },
      () => LETTERS[Math.floor(Math.random() * 32)],
    );
    return time + chance.join('');
  },
  yieldToEventLoop: () => {
    if (milliseconds() - lastBreath < LONGEST_BREATH_MS) return undefined;
    return new Promise(done => {
      setImmediate(() => {
        lastBreath = milliseconds();
        done();
      });
    });
  },
};

/** Aborted when the other signal is, and after so many milliseconds. */
export const endingAfter = (signal: AbortSignal, milliseconds: number): AbortSignal =>
  AbortSignal.any([signal, AbortSignal.timeout(Math.max(0, Math.floor(milliseconds)))]);
