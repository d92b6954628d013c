import { randomBytes } from 'node:crypto';
import type { Clock } from '../world.js';

/** Crockford's letters: no I, L, O, U. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_LETTERS = 10;
const RANDOM_LETTERS = 16;

/** A fifth of what a person at the keyboard may notice: the rest is for what one step takes. */
const LONGEST_BREATH_MS = 10;
let lastBreath = 0;

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
    const chance = [...randomBytes(RANDOM_LETTERS)].map(byte => LETTERS[byte % 32]).join('');
    return time + chance;
  },
  breathe: () => {
    if (performance.now() - lastBreath < LONGEST_BREATH_MS) return undefined;
    return new Promise(done => {
      setImmediate(() => {
        lastBreath = performance.now();
        done();
      });
    });
  },
};
