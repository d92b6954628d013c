// `npm test`: build, then types, lint and every suite side by side; the last line tells the sum.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transformSync } from 'rolldown/utils';

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

const fail = name => {
  console.error(`${name} failed`);
  console.log('0 passed, 1 failed, 0 skipped');
  process.exit(1);
};

const { status } = spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
if (status !== 0) fail('build');

// A test file that was renamed or removed must not run on from an earlier build. Types are dropped
// here without a look at them, which takes a second; tsc looks at them while the suites run.
rmSync('out', { recursive: true, force: true });
const sources = ['src', 'test', 'fixtures'].flatMap(folder =>
  readdirSync(folder, { recursive: true })
    .filter(name => name.endsWith('.ts') && !name.includes('node_modules'))
    .map(name => join(folder, name)),
);
for (const source of sources) {
  const { code, errors } = transformSync(source, readFileSync(source, 'utf8'), {
    target: 'esnext',
  });
  if (errors.length > 0) {
    console.error(`${source}: ${errors.map(({ message }) => message).join('; ')}`);
    fail('build of the tests');
  }
  const script = join('out', source.replace(/\.ts$/, '.js'));
  mkdirSync(dirname(script), { recursive: true });
  writeFileSync(script, code);
}

process.argv.splice(2, 0, '--checks');
await import('../out/test/support/run-all.js');
