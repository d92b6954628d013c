// `npm run test:under-load [-- PART…]`: runs the tests while four busy loops use the processor.
// Tests that pass here don't depend on the speed of the machine. Parts: `whole` is npm test, twice;
// `deadlines` is each suite with a deadline, a signal or a wait in it, five times; any other word is
// part of the path of suites to run five times. Without any: `whole` and `deadlines`.
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const LOOPS = 4;
const TIMES_WHOLE = 2;
const TIMES_EACH = 5;
const MARKS = /deadline|latencyMs|SIGINT|SIGTERM|AbortController|setTimeout/;
// It checks twice a second, so that it doesn't outlive this process even if that is killed.
const LOOP = `const parent = process.ppid;
  const work = () => {
    for (const end = Date.now() + 500; Date.now() < end; );
    if (process.ppid === parent) setImmediate(work);
  };
  work();`;

const asked = process.argv.slice(2);
const isWanted = part => asked.length === 0 || asked.includes(part);
const named = asked.filter(part => part !== 'whole' && part !== 'deadlines');

// Detached: Linux shares the processor between sessions, and every suite has its own.
const loops = Array.from({ length: LOOPS }, () =>
  spawn(process.execPath, ['-e', LOOP], { stdio: 'ignore', detached: true }),
);
process.on('exit', () => {
  for (const loop of loops) loop.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

const failures = [];
const run = (name, args) => {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) failures.push(name);
};

if (isWanted('whole')) {
  for (let time = 1; time <= TIMES_WHOLE; time += 1) {
    console.log(`\n== everything, ${time} of ${TIMES_WHOLE}`);
    run(`everything, ${time} of ${TIMES_WHOLE}`, ['scripts/test.mjs']);
  }
}
if (isWanted('deadlines') || named.length > 0) {
  run('build', ['scripts/build.mjs']);
  run('build of the tests', ['scripts/compile-tests.mjs']);
  const suites = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.test.ts'))
    .map(name => join('test', name))
    .filter(
      path =>
        named.some(part => path.includes(part)) ||
        (isWanted('deadlines') && MARKS.test(readFileSync(path, 'utf8'))),
    )
    .sort();
  for (let time = 1; time <= TIMES_EACH; time += 1) {
    const name = `${suites.length} suites, ${time} of ${TIMES_EACH}`;
    console.log(`\n== ${name}`);
    run(name, ['out/test/support/run-all.js', ...suites]);
  }
}

console.log(
  `\nunder load: ${failures.length === 0 ? 'all passed' : `failed: ${failures.join('; ')}`}`,
);
process.exit(failures.length === 0 ? 0 : 1);
