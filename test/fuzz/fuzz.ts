import fc from 'fast-check';
import { mustEnd } from '../support/must-end.js';
import type { Target } from './targets.js';

/** As many inputs as asked for; throws with the smallest one for which a property doesn't hold. */
export async function fuzz({ input, check }: Target, runs: number, seed: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(input, async text => void (await check(text))),
    { numRuns: runs, seed, verbose: false },
  );
}

const LONG = 100_000;

/** A piece repeated to 100 kB takes long only where the time grows faster than the text. */
export function fuzzTime({ name, input, check }: Target, runs: number, seed: number): void {
  for (const piece of fc.sample(input, { numRuns: runs, seed })) {
    if (piece === '') continue;
    const text = piece.repeat(Math.ceil(LONG / piece.length)).slice(0, LONG);
    try {
      // What is asynchronous is awaited by nobody: it was parsed by then, or has no loop of its own.
      mustEnd(() => void Promise.resolve(check(text)).catch(() => undefined));
    } catch (thrown) {
      if (!/does not come to an end/.test(String(thrown))) continue;
      throw new Error(`${name}: takes too long for ${JSON.stringify(piece)} repeated`);
    }
  }
}
