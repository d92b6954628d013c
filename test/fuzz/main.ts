// `npm run fuzz [-- RUNS [TARGET [SEED]]]`: 1,000,000 inputs a target unless said otherwise.
import { fuzz, fuzzTime } from './fuzz.js';
import { TARGETS } from './targets.js';

const [runs = '1000000', wanted = '', from = `${Date.now() % 1_000_000}`] = process.argv.slice(2);
const PORTION = 10_000;

let failed = 0;
for (const target of TARGETS.filter(({ name }) => name.includes(wanted))) {
  const startedAt = Date.now();
  let done = 0;
  try {
    for (let seed = Number(from); done < Number(runs); seed += 1) {
      const portion = Math.min(PORTION, Number(runs) - done);
      await fuzz(target, portion, seed);
      done += portion;
    }
    await fuzzTime(target, 50, Number(from));
    console.log(`ok    ${target.name}: ${done} inputs, ${seconds(startedAt)} s`);
  } catch (thrown) {
    failed += 1;
    console.log(`FAIL  ${target.name} after ${done} inputs: ${thrown}`);
  }
}
process.exitCode = failed === 0 ? 0 : 1;

function seconds(since: number): string {
  return ((Date.now() - since) / 1000).toFixed(0);
}
