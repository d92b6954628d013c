import * as assert from 'uvu/assert';
import { INTERRUPTED, TIME_UP } from '../../src/core/deadline.js';
import { bounded, isAtLeast, printedBy } from '../../src/platform/run-program.js';
import { suite } from '../support/suite.js';

const test = suite('platform/run-program');

const never = (): Promise<string> => new Promise(() => undefined);

test('the output of a program is read, and that of a failed or missing one is not', async () => {
  const bound = { ms: 60_000, signal: new AbortController().signal };
  const printed = (file: string, script: string): Promise<string | undefined> =>
    printedBy(file, ['-e', script], { env: {}, bound });
  assert.is(await printed(process.execPath, 'process.stdout.write("yes")'), 'yes');
  assert.is(
    await printed(process.execPath, 'process.stdout.write("no"); process.exitCode = 1'),
    undefined,
  );
  assert.is(await printed('/no/such/program', ''), undefined);
});

test('a program that waits for input gets none', async () => {
  const bound = { ms: 60_000, signal: new AbortController().signal };
  assert.is(await printedBy('cat', [], { env: { PATH: '/usr/bin:/bin' }, bound }), '');
});

test('work that takes too long gives the late value', async () => {
  const { signal } = new AbortController();
  assert.is(await bounded({ ms: 1, signal }, never, 'late'), 'late');
  assert.is(await bounded({ ms: 60_000, signal }, async () => 'done', 'late'), 'done');
});

test('work that is not done by the deadline of the run returns its fallback, and any other abort is thrown', async () => {
  const outcome = (reason: string): Promise<string> =>
    bounded({ ms: 60_000, signal: AbortSignal.abort(reason) }, never, 'late').catch(String);
  assert.is(await outcome(TIME_UP), 'late');
  assert.is(await outcome(INTERRUPTED), INTERRUPTED);
});

test('versions are compared number by number', () => {
  for (const [version, oldest, expected] of [
    ['1.4', '1.4', true],
    ['1.10', '1.9', true],
    ['1.4', '1.4.1', false],
    ['v2.0.1-beta', '1.99', true],
    ['git version 2.39.5', '2.40', false],
    ['1', '1.0.0', true],
  ] as const) {
    assert.is(isAtLeast(version, oldest), expected, `${version} ${oldest}`);
  }
});

test.run();
