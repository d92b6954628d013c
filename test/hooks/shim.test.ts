import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import * as assert from 'uvu/assert';
import { HOOK_NAMES } from '../../src/hooks/facts.js';
import { chainedShim, shim, shimKind } from '../../src/hooks/shim.js';
import { suite } from '../support/suite.js';

const test = suite('hooks/shim');

const has = (program: string): boolean =>
  spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;

for (const hook of HOOK_NAMES) {
  const copy = resolve('hooks', hook);
  test(`hooks/${hook} is what install writes, and can be run`, () => {
    assert.is(readFileSync(copy, 'utf8'), shim(hook));
    assert.ok(statSync(copy).mode & 0o111);
  });

  test(`the shim ${hook} has at most ten lines`, () =>
    assert.ok(shim(hook).trimEnd().split('\n').length <= 10));

  for (const text of [shim(hook), chainedShim(hook)]) {
    const kind = shimKind(text, hook);
    const noShellcheck = has('shellcheck') ? undefined : 'shellcheck is not installed';
    test.unless(noShellcheck, `ShellCheck reports nothing about the ${kind} ${hook}`, () => {
      const run = spawnSync('shellcheck', ['--severity=style', '-'], {
        input: text,
        encoding: 'utf8',
      });
      assert.is(run.stdout, '');
      assert.is(run.status, 0);
    });
    test(`the ${kind} shim ${hook} is recognised, a changed one is not`, () => {
      assert.ok(kind === 'plain' || kind === 'chained');
      assert.is(shimKind(`${text}echo more\n`, hook), 'changed');
    });
  }
}

test("another hook's shim is not this one's", () =>
  assert.is(shimKind(shim('pre-push'), 'pre-commit'), 'other'));

test('a binary file is not one of our shims', () =>
  assert.is(shimKind(undefined, 'pre-commit'), 'other'));

test.run();
