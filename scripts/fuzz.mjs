// `npm run fuzz [-- RUNS [TARGET [SEED]]]`: feeds random text to every parser and writer.
import { spawnSync } from 'node:child_process';

for (const args of [
  ['scripts/build.mjs'],
  ['node_modules/typescript/bin/tsc', '-p', '.'],
  ['out/test/fuzz/main.js', ...process.argv.slice(2)],
]) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
