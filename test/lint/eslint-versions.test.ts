import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { EslintProcess } from '../../src/lint/eslint-process.js';
import { linterEnvironment, runLinter } from '../../src/lint/run.js';
import { fixJson } from '../fix/lint-project.js';
import { suite } from '../support/suite.js';
import { withFolder, withRepo } from '../support/with-repo.js';

const test = suite('versions of ESLint');

/** The real package, installed once per machine into the temporary folder. */
async function modulesOf(version: string): Promise<string> {
  const folder = join(tmpdir(), `apfel-bot-test-eslint-${version}`);
  if (!existsSync(folder)) {
    const fresh = `${folder}-${process.pid}`;
    await mkdir(fresh, { recursive: true });
    await writeFile(join(fresh, 'package.json'), '{}');
    const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', `eslint@${version}`];
    await promisify(execFile)('npm', args, { cwd: fresh });
    // Another run may have been faster.
    await rename(fresh, folder).catch(() => undefined);
  }
  return join(folder, 'node_modules');
}

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
      await symlink(await modulesOf(version), join(dir, 'node_modules'));
      await writeFile(join(dir, config), text);
      await writeFile(join(dir, 'a.js'), TEXT);
      const eslint = new EslintProcess();
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
      await symlink(await modulesOf(version), join(repo.dir, 'node_modules'));
      await repo.commit({ '.gitignore': 'node_modules\n', [config]: text, 'a.js': TEXT });
      const { outcome, code } = await fixJson(repo, ['--no-model']);
      assert.equal(outcome.findings.map(({ rule }) => rule).sort(), [...left]);
      assert.is(outcome.diagnostics.fixed, 3 - left.length);
      assert.is(code, 1);
    }),
  );
}

test.run();
