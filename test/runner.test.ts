import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from './support/suite.js';
import { withFolder } from './support/with-repo.js';

const SUITE = resolve('out/test/support/suite.js');
const RUN_ALL = resolve('out/test/support/run-all.js');
const UVU = resolve('node_modules/uvu/dist/index.mjs');

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

const plant = async (dir: string, code: string): Promise<void> => {
  await mkdir(join(dir, 'out', 'test'), { recursive: true });
  await writeFile(join(dir, 'package.json'), '{"type":"module"}');
  await writeFile(join(dir, 'out', 'test', 'planted.test.js'), code);
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

test.run();
