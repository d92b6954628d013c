import fc from 'fast-check';
import { MAX_CPU_MS, mustEnd } from '../support/must-end.js';
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
export async function fuzzTime(
  { name, input, check, timed = check }: Target,
  runs: number,
  seed: number,
): Promise<void> {
  for (const piece of fc.sample(input, { numRuns: runs, seed })) {
    if (piece === '') continue;
    const text = piece.repeat(Math.ceil(LONG / piece.length)).slice(0, LONG);
    const what = `${name}: takes too long for ${JSON.stringify(piece)} repeated`;
    let rest: unknown;
    try {
      rest = mustEnd(() => timed(text));
    } catch (thrown) {
      if (/does not come to an end/.test(String(thrown))) throw new Error(what);
    }
    // A parser that is loaded late runs only now.
    const before = process.cpuUsage();
    await Promise.resolve(rest).catch(() => undefined);
    const { user, system } = process.cpuUsage(before);
    if (user + system > MAX_CPU_MS * 1000) throw new Error(what);
  }
}
