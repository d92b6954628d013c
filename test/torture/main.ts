import { SCENARIOS } from './scenarios.js';
import { torture } from './torture.js';

const [name, moments = '200', seed = '1'] = process.argv.slice(2);
const wanted = SCENARIOS.filter(each => name === undefined || name === 'all' || each.name === name);
if (wanted.length === 0) {
  console.error(`no scenario ${name}; there are: ${SCENARIOS.map(each => each.name).join(', ')}`);
  process.exitCode = 2;
}
for (const scenario of wanted) {
  const half = Math.ceil(Number(moments) / 2);
  // Where refs are written is short and matters most: half of the moments go to the last third.
  for (const part of [{ from: 0 }, { from: 0.65 }]) {
    const options = { moments: half, seed: Number(seed), to: 1.02, ...part };
    const { killed, wholeMs } = await torture(scenario, { ...options, tell: progress });
    const where = `from ${part.from * 100} % of ${wholeMs.toFixed(0)} ms on`;
    console.log(`\r${scenario.name}: ${killed} of ${half} runs killed, ${where}; nothing harmed`);
  }
}

function progress(moment: string): void {
  if (process.stdout.isTTY) process.stdout.write(`\r${moment}   `);
}
