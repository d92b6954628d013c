// `npm test`: build, types, lint, then every suite; the last line tells the sum.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';

const gates = [
  ['build', ['scripts/build.mjs']],
  ['types', ['node_modules/typescript/bin/tsc', '-p', '.']],
  ['lint', ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.']],
];

// What some tests want from Debian is installed on CI machines only; elsewhere they say why they skip.
const debian = {
  shellcheck: 'shellcheck',
  'pre-commit': 'pre-commit',
  tmux: 'tmux',
};
const missing = Object.keys(debian).filter(
  program => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0,
);
if (process.env.CI && process.getuid?.() === 0 && missing.length > 0) {
  const packages = missing.map(program => debian[program]).join(' ');
  const install = `apt-get update -qq && apt-get install -y -qq --no-install-recommends ${packages}`;
  const { status } = spawnSync('sh', ['-c', install], { stdio: 'ignore', timeout: 180_000 });
  if (status !== 0)
    console.error(`could not install ${packages}; tests that need them are skipped`);
}

// A test file that was renamed or removed must not run on from an earlier build.
rmSync('out', { recursive: true, force: true });
for (const [name, args] of gates) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status === 0) continue;
  console.error(`${name} failed`);
  console.log('0 passed, 1 failed, 0 skipped');
  process.exit(1);
}
const only = process.argv.slice(2);
const { status } = spawnSync(process.execPath, ['out/test/support/run-all.js', ...only], {
  stdio: 'inherit',
});
process.exit(status ?? 1);
