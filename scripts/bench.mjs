// `npm run bench [-- NAME…]`: builds, then runs the benchmarks one after the other. Ratios measured
// side by side in one run are the result; absolute times depend on the machine.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';

const run = args => {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
};

run(['scripts/build.mjs']);
run(['scripts/compile-tests.mjs']);
const options = process.argv.slice(2).filter(each => each.startsWith('--'));
const wanted = process.argv.slice(2).filter(each => !each.startsWith('--'));
const benches = readdirSync('out/test/bench')
  .filter(name => name.endsWith('.bench.js'))
  .filter(name => wanted.length === 0 || wanted.some(part => name.includes(part)));
if (benches.length === 0) {
  console.error(`no benchmark matches ${wanted.join(' ')}`);
  process.exitCode = 1;
}
for (const name of benches) {
  console.log(`\n== ${name.replace('.bench.js', '')}`);
  run([`out/test/bench/${name}`, ...options]);
}
