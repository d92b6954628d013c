import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { LinterProcess } from '../../src/lint/linter-process.js';
import { ESLINT_SERVER } from '../../src/lint/linter-servers.js';
import { linterEnvironment, runLinter } from '../../src/lint/run.js';
import { fixJson } from '../fix/lint-project.js';
import { modulesOf } from '../support/installed.js';
import { suite } from '../support/suite.js';
import { withFolder, withRepo } from '../support/with-repo.js';

const test = suite('lint/eslint-versions');

const RULES = { 'no-var': 'error', 'no-dupe-keys': 'error', eqeqeq: 'warn' };
const LEGACY = { root: true, env: { node: true, es2022: true }, rules: RULES };
const FLAT = `module.exports = [{
  languageOptions: { sourceType: 'commonjs' },
  rules: ${JSON.stringify(RULES)},
}];
`;
const TEXT = 'var a = { b: 1, b: 2 };\nmodule.exports = a == 1;\n';

/** Version 8 has no suggestion for eqeqeq. */
for (const [version, config, text, left] of [
  ['8.57.1', '.eslintrc.json', JSON.stringify(LEGACY), ['eqeqeq', 'no-dupe-keys']],
  ['8.57.1', 'eslint.config.js', FLAT, ['eqeqeq', 'no-dupe-keys']],
  ['10', 'eslint.config.js', FLAT, ['no-dupe-keys']],
] as const) {
  test.long(`ESLint ${version} with ${config} answers alike from one process and its program`, () =>
    withFolder(async dir => {
      await symlink(await modulesOf('eslint', version), join(dir, 'node_modules'));
      await writeFile(join(dir, config), text);
      await writeFile(join(dir, 'a.js'), TEXT);
      const eslint = new LinterProcess(ESLINT_SERVER);
      const request = {
        argv: ['node_modules/.bin/eslint', '--format', 'json', 'a.js'],
        root: dir,
        folder: '',
        env: linterEnvironment(process.env, []),
        timeoutMs: 300_000,
        signal: new AbortController().signal,
      };
      try {
        const own = await runLinter(request);
        for (let time = 1; time <= 2; time += 1) {
          const warm = await eslint.run(request);
          assert.equal([warm?.end, warm?.stdout], [own.end, own.stdout], own.stderr);
          assert.is(warm?.isPerFile, true);
        }
        assert.match(own.stdout, /no-dupe-keys/);
      } finally {
        eslint.close();
      }
    }),
  );

  test.long(`a project with ESLint ${version} and ${config} is fixed`, () =>
    withRepo(async repo => {
      await symlink(await modulesOf('eslint', version), join(repo.dir, 'node_modules'));
      await repo.commit({ '.gitignore': 'node_modules\n', [config]: text, 'a.js': TEXT });
      const { outcome, code } = await fixJson(repo, ['--no-model']);
      assert.equal(outcome.findings.map(({ rule }) => rule).sort(), [...left]);
      assert.is(outcome.diagnostics.fixed, 3 - left.length);
      assert.is(code, 1);
    }),
  );
}

test.run();
