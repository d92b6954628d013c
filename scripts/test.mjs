// `npm test`: build, then types, lint and every suite side by side; the last line tells the sum.
import { spawnSync } from 'node:child_process';

// What some tests want from Debian is installed on CI machines only; elsewhere they say why they skip.
const missing = ['shellcheck', 'pre-commit', 'tmux'].filter(
  program => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0,
);
if (process.env.CI && process.getuid?.() === 0 && missing.length > 0) {
  const packages = missing.join(' ');
  const install = `apt-get update -qq && apt-get install -y -qq --no-install-recommends ${packages}`;
  const { status } = spawnSync('sh', ['-c', install], { stdio: 'ignore', timeout: 180_000 });
  if (status !== 0)
    console.error(`could not install ${packages}; tests that need them are skipped`);
}

for (const script of ['build.mjs', 'compile-tests.mjs']) {
  const { status } = spawnSync(process.execPath, [`scripts/${script}`], { stdio: 'inherit' });
  if (status === 0) continue;
  console.error(`${script} failed`);
  console.log('0 passed, 1 failed, 0 skipped');
  process.exit(1);
}

// Who names some suites wants to know about those.
if (process.argv.length === 2) process.argv.push('--checks');
await import('../out/test/support/run-all.js');
