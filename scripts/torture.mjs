// `npm run torture [-- SCENARIO [MOMENTS [SEED]]]`: builds, then kills the command (`kill -9`) at
// random moments, 200 by default, and checks what remains of the user's repository.
import { spawnSync } from 'node:child_process';

for (const args of [
  ['scripts/build.mjs'],
  ['scripts/compile-tests.mjs'],
  ['out/test/torture/main.js', ...process.argv.slice(2)],
]) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
