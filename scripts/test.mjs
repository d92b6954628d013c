// `npm test`: build, then types, lint and every suite in parallel; the last line has the totals.
import { spawnSync } from 'node:child_process';

// Debian packages that some tests need are installed on CI machines only; elsewhere those tests are skipped.
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

// If suites are named, types and lint aren't checked.
if (process.argv.length === 2) process.argv.push('--checks');
await import('../out/test/support/run-all.js');
