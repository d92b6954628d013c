import { spawn, spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { suite } from './support/suite.js';
import { withFolder } from './support/with-repo.js';

const SUITE = resolve('out/test/support/suite.js');
const RUN_ALL = resolve('out/test/support/run-all.js');
const UVU = resolve('node_modules/uvu/dist/index.mjs');
const ASSERT = resolve('node_modules/uvu/assert/index.mjs');

const HEAD = `import { suite } from ${JSON.stringify(SUITE)};\nconst test = suite('planted');\n`;

/** Each must fail the whole run, though uvu alone lets some of them pass. */
const MUST_FAIL: ReadonlyArray<readonly [title: string, code: string]> = [
  ['a failing test', `${HEAD}test('x', () => { throw new Error('no'); });\ntest.run();`],
  ['a forgotten run()', `${HEAD}test('x', () => {});`],
  [
    'a thrown string',
    `${HEAD}test('x', () => { throw 'no'; });\ntest('y', () => {});\ntest.run();`,
  ],
  ['a file without a test', `${HEAD}test.run();`],
  ['a crash before the tests', `${HEAD}test('x', () => {});\nthrow new Error('early');`],
  [
    'an exit in the middle',
    `${HEAD}test('x', () => { process.exit(0); });\ntest('y', () => {});\ntest.run();`,
  ],
  ['a test that never ends', `${HEAD}test('x', () => new Promise(() => {}));\ntest.run();`],
  [
    'a throwing hook of plain uvu',
    `import { suite } from ${JSON.stringify(UVU)};\nconst test = suite('plain');\ntest.before(() => { throw new Error('hook'); });\ntest('x', () => {});\ntest.run();`,
  ],
];

const runIn = (
  dir: string,
  ...args: string[]
): { code: number | null; last: string; output: string } => {
  const { status, stdout } = spawnSync(process.execPath, [RUN_ALL, ...args], {
    cwd: dir,
    encoding: 'utf8',
  });
  return { code: status, output: stdout, last: stdout.trimEnd().split('\n').at(-1) ?? '' };
};

const plant = async (dir: string, code: string, name = 'planted'): Promise<void> => {
  const file = join(dir, 'out', 'test', `${name}.test.js`);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(join(dir, 'package.json'), '{"type":"module"}');
  await writeFile(file, code);
};

const test = suite('test runner');

for (const [title, code] of MUST_FAIL) {
  test(`${title} fails the run`, () =>
    withFolder(async dir => {
      await plant(dir, code);
      const run = runIn(dir);
      assert.is(run.code, 1, run.output);
      assert.match(run.last, /^\d+ passed, [1-9]\d* failed, \d+ skipped$/);
    }));
}

test('passed and skipped tests are counted, the reason is shown', () =>
  withFolder(async dir => {
    await plant(
      dir,
      `${HEAD}test('x', () => {});\ntest.skip('y', 'no moon tonight');\ntest.run();`,
    );
    const run = runIn(dir);
    assert.is(run.code, 0, run.output);
    assert.is(run.last, '1 passed, 0 failed, 1 skipped');
    assert.match(run.output, /no moon tonight/);
  }));

test('a pattern that matches no file fails the run', () =>
  withFolder(async dir => {
    await plant(dir, `${HEAD}test('x', () => {});\ntest.run();`);
    const run = runIn(dir, 'nothing-like-this');
    assert.is(run.code, 1);
    assert.is(run.last, '0 passed, 1 failed, 0 skipped');
  }));

test('a failed test is named by its file and title, with the difference, and again at the end', () =>
  withFolder(async dir => {
    const body = `import * as assert from ${JSON.stringify(ASSERT)};\ntest('sums up', () => assert.is(1 + 1, 3));`;
    await plant(dir, `${HEAD}${body}\ntest.run();`, 'core/sum');
    const { output } = runIn(dir);
    assert.match(
      output,
      /^FAIL {2}test\/core\/sum\.test\.ts\n[\s\S]*"sums up"[\s\S]*\+\+3[\s\S]*--2/,
    );
    const lines = output.trimEnd().split('\n').slice(-2);
    assert.is(lines[0], 'failed: test/core/sum.test.ts: planted: sums up');
  }));

test('suites that share a process are counted, and blamed, one by one', () =>
  withFolder(async dir => {
    await plant(dir, `${HEAD}test('x', () => {});\ntest.run();`, 'core/a');
    await plant(dir, `${HEAD}test('x', () => { throw new Error('no'); });\ntest.run();`, 'core/b');
    await plant(dir, `${HEAD}test('x', () => {});\nthrow new Error('early');`, 'core/c');
    await plant(dir, `${HEAD}test('x', () => {});\ntest.run();`, 'core/d');
    await plant(dir, `${HEAD}test('x', () => new Promise(() => {}));\ntest.run();`, 'core/e');
    await plant(dir, `${HEAD}test('x', () => {});\ntest.run();`, 'core/f');
    const { output, last } = runIn(dir);
    const failed = output.split('\n').filter(line => line.startsWith('failed: '));
    assert.equal(failed, [
      'failed: test/core/b.test.ts: planted: x',
      'failed: test/core/c.test.ts: a test that never finished',
      'failed: test/core/e.test.ts: a test that never finished',
      'failed: test/core/f.test.ts: ended before it could count its tests',
    ]);
    assert.is(last, '2 passed, 4 failed, 0 skipped');
  }));

test('the skipped tests are grouped by what would make them run', () =>
  withFolder(async dir => {
    const skips = [
      'long; npm run test:all runs it',
      'corpus apples is not here',
      'corpus pears is not here',
      'shellcheck is not installed',
      'no moon tonight',
    ].map((reason, at) => `test.skip('${at}', '${reason}');`);
    await plant(dir, `${HEAD}${skips.join('\n')}\ntest.run();`);
    const { output } = runIn(dir, 'planted');
    const said = output.split('\n').filter(line => line.startsWith('skipped '));
    assert.is(said.length, 4);
    assert.match(said[0] ?? '', /^skipped 2: need a corpus .* apples, pears in /);
    assert.match(said[1] ?? '', /^skipped 1: long, .*`npm run test:all`/);
    assert.is(
      said[2],
      "skipped 1: shellcheck isn't installed (Debian: apt-get install shellcheck)",
    );
    assert.is(said[3], 'skipped 1: no moon tonight');
  }));

test('an interrupted run leaves no process behind, and no reports', () =>
  withFolder(async dir => {
    const child = `spawn('sleep', ['60'], { detached: true }).pid`;
    const body = `test('x', () => { writeFileSync('pids', \`\${process.pid} \${${child}}\`); return new Promise(done => setTimeout(done, 60_000)); });`;
    const imports = `import { spawn } from 'node:child_process';\nimport { writeFileSync } from 'node:fs';\n`;
    await plant(dir, `${imports}${HEAD}${body}\ntest.run();`);
    const run = spawn(process.execPath, [RUN_ALL], {
      cwd: dir,
      env: { ...process.env, TMPDIR: dir },
    });
    const ended = new Promise(done => run.once('exit', done));
    const pids = await written(join(dir, 'pids'));
    run.kill('SIGTERM');
    assert.is(await ended, 143);
    for (const pid of pids) await gone(pid);
    assert.equal((await readdir(dir)).sort(), ['out', 'package.json', 'pids']);
  }));

async function written(path: string): Promise<number[]> {
  for (;;) {
    const text = await readFile(path, 'utf8').catch(() => '');
    if (/^\d+ \d+$/.test(text)) return text.split(' ').map(Number);
    await setTimeout(20);
  }
}

/** Returns when the process has ended; one that does not is a test that never ends. */
async function gone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await setTimeout(20);
  }
}

test.run();
