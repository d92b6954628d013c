import { symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as assert from 'uvu/assert';
import { findLinters } from '../../src/lint/find.js';
import { stdinLinter } from '../../src/lint/stdin.js';

import { suite } from '../support/suite.js';
import { gitEnv, withFolder } from '../support/with-repo.js';

const test = suite('lint/stdin');

/** A file of the configuration, the file's name, a text with a complaint and its rule. */
const CASES = [
  [
    '.stylelintrc.json',
    '{"rules":{"block-no-empty":true}}',
    'new/a.css',
    'a {}\n',
    'block-no-empty',
  ],
  ['.markdownlint.json', '{}', 'new/a.md', '# One\n\n### Three\n', 'MD001'],
  [
    'eslint.config.js',
    'module.exports = [{ rules: { "no-debugger": "error" } }];',
    '-new/a.js',
    'debugger;\n',
    'no-debugger',
  ],
] as const;

for (const [config, settings, path, text, rule] of CASES) {
  test(`a text that isn't in any file is checked with ${config}`, () =>
    withFolder(async dir => {
      await symlink(resolve('node_modules'), join(dir, 'node_modules'));
      await writeFile(join(dir, config), settings);
      const [spec] = findLinters({ paths: [config], manifests: new Map() });
      assert.ok(spec);
      const { signal } = new AbortController();
      const place = { dir, env: gitEnv(dir), signal };
      const linter = spec && (await stdinLinter(spec, [path], place));
      assert.is(linter?.isFor(path), true);
      const report = await linter?.check(path, text);
      assert.equal(report?.problems, []);
      assert.is(report?.isWhole, true);
      assert.equal(
        report?.diagnostics.map(each => [each.path, each.rule]),
        [[path, rule]],
      );
      const clean = await linter?.check(path, text.startsWith('#') ? '# One\n' : '\n');
      assert.equal(clean?.diagnostics, []);
    }));
}

test.run();
