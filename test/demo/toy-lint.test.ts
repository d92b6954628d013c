import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.js';
import { withFolder } from '../support/with-repo.js';

const test = suite('demo/toy-lint');

const TOY = resolve('demo/toy-lint.mjs');
const SAMPLE = resolve('demo/project/src/receipt.js.txt');

const node = (dir: string, ...args: string[]) =>
  spawnSync(process.execPath, args, { cwd: dir, encoding: 'utf8' });

interface Message {
  readonly ruleId: string;
  readonly line: number;
  readonly column: number;
  readonly fix?: { readonly range: readonly number[]; readonly text: string };
  readonly suggestions?: ReadonlyArray<{ readonly fix: unknown }>;
}

const summary = (text: string): unknown[] => {
  const [{ messages }]: [{ messages: Message[] }] = JSON.parse(text);
  return messages.map(({ ruleId, line, column, suggestions, fix }) => [
    ...[ruleId, line, column, fix !== undefined],
    suggestions?.[0]?.fix ?? 'none',
  ]);
};

test('the toy linter reports what ESLint reports in the sample', () =>
  withFolder(async dir => {
    copyFileSync(SAMPLE, join(dir, 'receipt.js'));
    copyFileSync('demo/project/eslint.config.mjs.txt', join(dir, 'eslint.config.mjs'));
    const toy = node(dir, TOY, '--json', 'receipt.js');
    const eslint = resolve('node_modules/eslint/bin/eslint.js');
    const real = node(dir, eslint, '--format', 'json', 'receipt.js');
    assert.is(toy.status, 1, toy.stderr);
    assert.is(real.status, 1, real.stderr);
    assert.equal(summary(toy.stdout), summary(real.stdout));
    assert.is(summary(toy.stdout).length, 3);
  }));

test('the toy linter fixes one of three problems, and reports nothing in fixed code', () =>
  withFolder(async dir => {
    const file = join(dir, 'receipt.js');
    copyFileSync(SAMPLE, file);
    const fixed = node(dir, TOY, '--fix', 'receipt.js');
    assert.is(fixed.status, 1);
    assert.match(readFileSync(file, 'utf8'), /^let currency/);
    assert.is(fixed.stdout.trim().split('\n').length, 2, fixed.stdout);
    copyFileSync('demo/fix/src/cart.js.txt', file);
    const clean = node(dir, TOY, 'receipt.js');
    assert.is(clean.status, 0);
    assert.match(clean.stdout, /no problems/);
  }));

test.run();
