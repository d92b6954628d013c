import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { startStandIn } from '../../fixtures/apfel/stand-in.js';
import { suite } from '../support/suite.js';
import { withFolder } from '../support/with-repo.js';
import { fixJson, scriptedFixer, withProject } from './lint-project.js';

const test = suite('fix/linter-runs');

/** Calls `body` with a file that gets a character each time something runs. */
const withLog = (body: (log: string, count: () => Promise<number>) => Promise<void>) =>
  withFolder(async dir => {
    const log = join(dir, 'log');
    await appendFile(log, '');
    await body(log, async () => (await readFile(log, 'utf8')).length);
  });

const noted = (log: string, config: string): string =>
  `require('fs').appendFileSync(${JSON.stringify(log)}, 'x');\nmodule.exports = ${config};\n`;

const RULES = "semi: 'error', 'no-dupe-keys': 'error', eqeqeq: 'error'";

test('ESLint is started once for its own fix, a suggestion, the model and the last check', () =>
  withLog((log, count) =>
    withProject(
      {
        'eslint.config.js': noted(log, `[{ rules: { ${RULES} } }]`),
        'a.js': 'export const a = 1\n',
        'b.js': 'export const b = {\n  a: 1,\n  a: 1,\n};\n',
        'c.js': 'export const c = (one, two) => one == two;\n',
      },
      async repo => {
        const fix = {
          to: 'no-dupe-keys',
          path: 'b.js',
          oldText: '  a: 1,\n  a: 1,',
          newText: '  a: 1,\n  ',
        };
        const server = await startStandIn({ policy: scriptedFixer([fix]) });
        try {
          const { outcome } = await fixJson(repo, ['--base-url', server.baseUrl]);
          assert.equal(outcome.diagnostics, { before: 3, after: 0, fixed: 3, introduced: 0 });
          const text = await repo.git('show', `${outcome.branch?.name}:b.js`);
          assert.is(text, 'export const b = {\n  a: 1,\n};', 'no empty line is left behind');
          assert.equal(outcome.edits.map(({ by }) => by).sort(), ['linter', 'model', 'suggestion']);
        } finally {
          await server.close();
        }
        assert.is(await count(), 1);
      },
    ),
  ));

test('ESLint with a rule that may look at other files checks before, fixes, and checks all files after', () =>
  withLog((log, count) =>
    withProject(
      {
        'eslint.config.js': noted(
          log,
          `[{ plugins: { own: { rules: { ok: { create: () => ({}) } } } },
            rules: { semi: 'error', 'own/ok': 'error' } }]`,
        ),
        'a.js': 'export const a = 1\n',
        'b.js': 'export const b = 1;\n',
      },
      async repo => {
        const { outcome } = await fixJson(repo, ['--no-model']);
        assert.is(outcome.diagnostics.fixed, 1);
        assert.is(await count(), 3);
      },
    ),
  ));

for (const [rules, run] of [
  ['./rules.cjs', test],
  ['own/rules.cjs', test.long],
] as const) {
  run(`a configuration that loads ${rules} of the project is loaded anew for each run`, () =>
    withLog((log, count) =>
      withProject(
        {
          'package.json': JSON.stringify({ name: 'own', exports: { './*': './*' } }),
          'eslint.config.js': noted(log, `[{ rules: require('${rules}') }]`),
          'rules.cjs': `module.exports = { semi: 'error' }\n`,
        },
        async repo => {
          const { outcome } = await fixJson(repo, ['--no-model', '--', 'rules.cjs']);
          assert.is(outcome.diagnostics.fixed, 1);
          assert.is(await count(), 3);
        },
      ),
    ),
  );
}

test('a configuration that loads modules for other files, or names a file of JSON or a rule like the package, is loaded once', () =>
  withLog((log, count) =>
    withProject(
      {
        'package.json': JSON.stringify({ name: 'no', scripts: { lint: 'eslint src' } }),
        'eslint.config.js': noted(
          log,
          "[{ rules: { semi: 'error', 'no-var': 'error' }, settings: ['./tsconfig.json'] }]",
        ),
        'tsconfig.json': '{}',
        'other/eslint.config.js': "module.exports = require('./rules.cjs');\n",
        'other/rules.cjs': 'module.exports = [];\n',
        'src/a.js': 'export const a = 1\n',
      },
      async repo => {
        const { outcome } = await fixJson(repo, ['--no-model']);
        assert.is(outcome.diagnostics.fixed, 1);
        assert.is(await count(), 1);
      },
    ),
  ));

test('any other linter is not run again on files that are as they were when it last checked them', () =>
  withLog((log, count) => {
    const own = `printf . >> ${log}; grep -n bad a.txt | sed 's/^\\([0-9]*\\):.*/a.txt:\\1:1: error: bad [bad]/'`;
    const fix = `printf . >> ${log}; sed -i.old s/bad/good/ a.txt; rm a.txt.old`;
    const lint = [
      {
        name: 'own',
        command: ['sh', '-c', own],
        fix: ['sh', '-c', fix],
        format: 'gcc',
        files: ['*.txt'],
      },
    ];
    return withProject(
      { '.apfel-bot.json': JSON.stringify({ lint }), 'a.txt': 'bad\n', 'b.js': '' },
      async repo => {
        const { outcome } = await fixJson(repo, ['--no-model']);
        assert.equal(outcome.diagnostics, { before: 1, after: 0, fixed: 1, introduced: 0 });
        assert.is(await count(), 3);
      },
    );
  }));

test('a diagnostic on a line that another fix has split is left with its own reason', () =>
  withProject(
    {
      'eslint.config.js': `module.exports = [{ rules: {
        'brace-style': ['error', '1tbs'], 'max-statements-per-line': 'error', eqeqeq: 'error' } }];\n`,
      'a.js': 'export function a(b) { if (b == null) { return 1 } else { return 2 } }\n',
    },
    async repo => {
      const { outcome } = await fixJson(repo, ['--no-model']);
      const [left] = outcome.findings.filter(({ rule }) => rule === 'eqeqeq');
      assert.match(left?.left ?? '', 'it makes a comparison with null strict');
    },
  ));

test('an edit names the line of the commit, also where another fix has split the lines before it', () =>
  withProject(
    {
      'eslint.config.js': "module.exports = [{ rules: { 'brace-style': 2, eqeqeq: 2 } }];\n",
      'a.mjs': `export const a = 1;

if (a == 1) { f(); }
if (a == 2) { f(); }
function f() { return 1; }
`,
    },
    async repo => {
      const { outcome } = await fixJson(repo, ['--no-model']);
      const lines = outcome.edits
        .filter(({ by }) => by === 'suggestion')
        .map(({ diagnostic }) => diagnostic.line);
      assert.equal(lines.sort(), [3, 4]);
      const message = await repo.git('log', '--max-count=1', `${outcome.branch?.name}`);
      assert.equal(message.match(/(?<=- a\.mjs:)\d+/g)?.sort(), ['3', '4']);
    },
  ));

test.run();
