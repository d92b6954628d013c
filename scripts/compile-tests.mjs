// Makes out/: src, test and fixtures as JavaScript. Types are stripped without checking, which takes a
// second; `npm test` checks them while the suites run.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transformSync } from 'rolldown/utils';

// A renamed or removed test file must not be run from an earlier build.
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
    process.exit(1);
  }
  const script = join('out', source.replace(/\.ts$/, '.js'));
  mkdirSync(dirname(script), { recursive: true });
  writeFileSync(script, code);
}
