import { execFileSync } from 'node:child_process';
import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { apfelBot } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { type Repo, withRepo } from '../support/with-repo.js';
import { ESLINT_CONFIG, fixJson, withProject } from './lint-project.js';

const test = suite('fix/situations');

const manifest = (scripts: Readonly<Record<string, string>>, more: object = {}): string =>
  JSON.stringify({ name: 'x', scripts, ...more });

const config = (rules: object): string => `module.exports = [{
  languageOptions: { ecmaVersion: 2022, sourceType: 'commonjs' },
  rules: ${JSON.stringify(rules)},
}];
`;

const shown = (repo: Repo, branch: string | undefined, path: string): Promise<string> =>
  repo.git('show', `${branch}:${path}`);

test('only the files that the script names are linted, and a minified file is never edited', () =>
  withProject(
    {
      'package.json': manifest({ lint: 'eslint "lib/**/*.js" web/a.min.js' }),
      'eslint.config.js': ESLINT_CONFIG,
      'tsconfig.json': '{"include": ["*.ts"]}',
      'bad.ts': 'const a: number = "x";\n',
      'lib/a.js': 'exports.a = 1\n',
      'web/a.js': 'exports.a = 1\n',
      'web/a.min.js': 'exports.a = 1\n',
    },
    async repo => {
      const { outcome, code } = await fixJson(repo, ['--no-model']);
      assert.equal(
        outcome.linters.map(({ name, files, source }) => [name, files, source]),
        [['eslint', 2, 'package.json, script lint']],
      );
      assert.is(
        await repo.git('diff', '--name-only', 'HEAD', outcome.branch?.name ?? ''),
        'lib/a.js',
      );
      assert.equal(
        outcome.findings.map(({ path }) => path),
        ['web/a.min.js'],
      );
      assert.ok(outcome.notices.includes('web/a.min.js was left alone: it is minified'));
      assert.is(code, 1);
      const plan = await apfelBot(['fix-lint', '--plan'], { cwd: repo.dir });
      assert.match(
        plan.stdout,
        /^ESLint: 2 files · eslint 'lib\/\*\*\/\*\.js' web\/a\.min\.js · package\.json, script lint\n/,
      );
      assert.match(plan.stdout, /^tsc isn't run: tsconfig\.json exists, but no lint command/m);
    },
  ));

test('a file that may hold secrets is left alone, so that the model never sees it', () =>
  withProject(
    {
      'package.json': '{ "scripts": { "lint": "prettier --check config" } }\n',
      'config/plain.json': '{"a":1}\n',
      'config/secrets.json': '{"a":1}\n',
    },
    async repo => {
      const { outcome } = await fixJson(repo, ['--no-model']);
      const left = 'config/secrets.json was left alone: it may hold secrets';
      assert.ok(outcome.notices.includes(left), outcome.notices.join('\n'));
      assert.is(
        await repo.git('diff', '--name-only', 'HEAD', outcome.branch?.name ?? ''),
        'config/plain.json',
      );
    },
  ));

test.long(
  'after an edit by ESLint the file is formatted again, named or only configured',
  async () => {
    const text =
      'exports.a = b => {\n  if (b) {\n    return 1;\n  } else {\n    return 2;\n  }\n};\n';
    const after = 'exports.a = (b) => {\n  if (b) {\n    return 1;\n  }\n  return 2;\n};';
    for (const lint of [
      'eslint . && prettier --check .',
      'eslint .',
      'eslint . && prettier --write .',
    ]) {
      await withProject(
        {
          'package.json': `${JSON.stringify({ scripts: { lint } })}\n`,
          'eslint.config.js': config({ 'no-else-return': 'error' }),
          '.prettierrc': '{}\n',
          '.prettierignore': '*.json\neslint.config.js\n',
          'src/a.js': text.replace('b =>', '(b) =>'),
        },
        async repo => {
          const { outcome, code } = await fixJson(repo, ['--no-model']);
          const { before, fixed, introduced } = outcome.diagnostics;
          assert.equal([before, fixed, introduced, code], [1, 1, 0, 0], lint);
          assert.is(await shown(repo, outcome.branch?.name, 'src/a.js'), after, lint);
        },
      );
    }
  },
);

test('a fix by ESLint that a merely configured Prettier would undo is kept, and other files stay formatted', () =>
  withProject(
    {
      'package.json': manifest({ lint: 'eslint src' }),
      'eslint.config.js': config({ quotes: [2, 'single'], semi: 2, 'no-else-return': 2 }),
      '.prettierrc': '{}\n',
      '.prettierignore': '*.json\neslint.config.js\n',
      'src/a.js': 'exports.a = "a";\nexports.b = "b";\n',
      'src/b.js':
        'exports.a = (b) => {\n  if (b) {\n    return 1;\n  } else {\n    return 2;\n  }\n};\n',
    },
    async repo => {
      const { outcome, code } = await fixJson(repo, ['--no-model']);
      const { before, after, introduced } = outcome.diagnostics;
      assert.equal([before, after, introduced, code], [3, 0, 0, 0], JSON.stringify(outcome.edits));
      const branch = outcome.branch?.name;
      assert.is(await shown(repo, branch, 'src/a.js'), "exports.a = 'a';\nexports.b = 'b';");
      const formatted = 'exports.a = (b) => {\n  if (b) {\n    return 1;\n  }\n  return 2;\n};';
      assert.is(await shown(repo, branch, 'src/b.js'), formatted);
    },
  ));

test('a formatter that writes touches the files that were edited, and no other', () =>
  withProject(
    {
      'package.json': manifest({ lint: 'eslint src && prettier --write .' }),
      'eslint.config.js': config({ 'no-var': 'error' }),
      'src/a.js': 'var  a = 1;\nexports.a = a\n',
      'src/b.js': 'exports.b   = 1\n',
    },
    async repo => {
      const { outcome } = await fixJson(repo, ['--no-model']);
      const { branch } = outcome;
      assert.is(await shown(repo, branch?.name, 'src/a.js'), 'let a = 1;\nexports.a = a;');
      assert.is(await repo.git('diff', '--name-only', 'HEAD', branch?.name ?? ''), 'src/a.js');
    },
  ));

test('fixes that need one another are kept: no-var with prefer-const, an unused import after a variable', () =>
  withProject(
    {
      'package.json': manifest({ lint: 'eslint .' }),
      'eslint.config.js': config({ 'no-var': 2, 'prefer-const': 2, 'no-unused-vars': 2 }),
      'a.js': 'var a = 1;\nvar b = a;\nmodule.exports = b;\n',
      'b.js': "const path = require('path');\nconst unused = path;\nexports.b = 1;\n",
    },
    async repo => {
      const { outcome, code } = await fixJson(repo, ['--no-model']);
      assert.equal([outcome.diagnostics.after, code], [0, 0], JSON.stringify(outcome.edits));
      const { branch } = outcome;
      assert.is(
        await shown(repo, branch?.name, 'a.js'),
        'const a = 1;\nconst b = a;\nmodule.exports = b;',
      );
      assert.not.match(await shown(repo, branch?.name, 'b.js'), /unused|require/);
    },
  ));

test.long(
  'a configuration elsewhere, a solution of tsc and the environment of the script are followed',
  () =>
    withProject(
      {
        'package.json': manifest({
          lint: 'WORD=semi eslint -c config/eslint.config.js .',
          typecheck: 'tsc',
        }),
        'config/eslint.config.js':
          "module.exports = [{ rules: { [process.env.WORD ?? 'x']: 'error' } }];\n",
        'a.js': 'exports.a = 1\n',
        'tsconfig.json': '{"files": [], "references": [{"path": "./part"}]}',
        'part/tsconfig.json':
          '{"compilerOptions": {"composite": true, "types": [], "outDir": "out"}}',
        'part/b.ts': 'export const b: number = "x";\n',
      },
      async repo => {
        const { outcome, code } = await fixJson(repo, ['--no-model']);
        assert.equal(
          outcome.findings.map(({ path, rule }) => `${path} ${rule}`),
          ['part/b.ts TS2322'],
        );
        assert.equal([outcome.diagnostics.fixed, code], [1, 1]);
      },
    ),
);

test('a linter that is not installed or crashes is exit 6, and diagnostics that remain are exit 1', () =>
  withProject(
    {
      'package.json': manifest({ lint: 'eslint . && stylelint .' }),
      'eslint.config.js': 'throw new Error("no such plugin");\n',
      '.stylelintrc.json': '{"rules": {"color-no-invalid-hex": true}}',
      'a.js': 'exports.a = 1\n',
      'a.css': 'a { color: #fff; }\n',
    },
    async repo => {
      const crashed = await fixJson(repo, ['--no-model']);
      assert.is(crashed.code, 6);
      assert.is(crashed.outcome.complete, false);
      assert.match(crashed.outcome.linters[0]?.reason ?? '', /no such plugin/);
      await repo.commit({ 'a.css': 'a { color: #ff; }\n' });
      assert.is((await fixJson(repo, ['--no-model'])).code, 1);
      await rm(join(repo.dir, 'node_modules'));
      const missing = await fixJson(repo, ['--no-model']);
      const plan = await apfelBot(['fix-lint', '--plan'], { cwd: repo.dir });
      assert.match(
        plan.stdout,
        /^Stylelint: 1 file · .* · is not installed here \(\S*stylelint\); run npm install$/m,
      );
      assert.is(missing.code, 6);
      assert.match(missing.outcome.linters[0]?.reason ?? '', /ESLint is not .*; run npm install$/);
      await repo.commit({ 'pnpm-lock.yaml': '' });
      const pnpm = await fixJson(repo, ['--no-model']);
      assert.match(pnpm.outcome.linters[0]?.reason ?? '', /; run pnpm install$/);
    },
  ));

test('a path that no file of the commit matches is named', () =>
  withProject({ 'package.json': manifest({ lint: 'eslint .' }), 'lib/a.js': '' }, async repo => {
    const paths = ['--', 'lib', 'nosuch.js', 'li'];
    const { outcome } = await fixJson(repo, ['--no-model', ...paths]);
    assert.ok(outcome.notices.includes('no file of the commit matches nosuch.js, li'));
  }));

test('a script that was not read is named with where to see more', () =>
  withProject(
    {
      'package.json': manifest({ lint: 'eslint . ; true' }),
      'eslint.config.js': 'module.exports = [];\n',
    },
    async repo => {
      const { outcome } = await fixJson(repo, ['--no-model']);
      assert.match(outcome.notices.join('\n'), /the shell operator ';' \(see fix-lint --plan\)$/m);
    },
  ));

test('without a linter, and without a file for it, there is nothing to lint', async () => {
  for (const files of [{ 'a.txt': 'x\n' }, { 'package.json': manifest({ lint: 'eslint src' }) }]) {
    await withRepo(async repo => {
      await repo.commit({ 'run.sh': 'echo $1\n', ...files });
      const run = await apfelBot(['fix-lint', '--no-model'], {
        cwd: repo.dir,
        env: { PATH: NO_TOOLS },
      });
      assert.is(run.code, 0, run.stderr);
      assert.match(run.stdout, /^nothing to lint: no linter here checks a file in scope · /m);
    });
  }
});

/** Git is there, ShellCheck isn't. */
const NO_TOOLS = execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim();

test('a mode that a fix changes is not counted as fixed', () =>
  withProject(
    {
      '.apfel-bot.json': JSON.stringify({
        lint: [
          {
            name: 'mode',
            command: ['sh', 'mode.txt', '{files}'],
            fix: ['chmod', '+x', '{files}'],
            format: 'gcc',
            files: ['**/*.rb'],
          },
        ],
      }),
      'mode.txt': 'for f in "$@"; do test -x "$f" || echo "$f:1:1: not executable (mode)"; done\n',
      'a.rb': '#!/usr/bin/env ruby\n',
    },
    async repo => {
      const { outcome, code } = await fixJson(repo, ['--no-model']);
      assert.equal([outcome.diagnostics.fixed, outcome.branch, code], [0, undefined, 1]);
      assert.ok(outcome.edits.every(({ status }) => status !== 'kept'));
      const text = await apfelBot(['fix-lint', '--no-model'], { cwd: repo.dir });
      assert.is(text.stdout.split('--no-model').length, 2, 'it is said once why there is no model');
      assert.match(text.stdout, /left: the linter's own fix changes the mode of the file/);
    },
  ));

test('a mode that a fix changes is why a diagnostic is left, even if the linter calls it not fixable', () =>
  withProject(
    {
      '.rubocop.yml': '',
      'a.rb': '#!/usr/bin/env ruby\nputs "hi"\n',
      'bin/rubocop': `#!/bin/sh
case "$*" in *-a*) chmod +x a.rb; tr -d '"' <a.rb >a.new; cat a.new >a.rb; rm a.new;; esac
offense() { echo '{"severity":"warning","message":"'$1'","cop_name":"'$1'","correctable":'$3',"location":{"line":'$2',"column":1}}'; }
mode=$(test -x a.rb || offense Mode 1 false)
quotes=$(grep -q '"' a.rb && offense Quotes 2 true)
echo '{"files":[{"path":"a.rb","offenses":['"\${mode:+$mode,}\${quotes:+$quotes,}$(offense Other 1 false)"']}]}'
exit 1
`,
    },
    async repo => {
      await chmod(join(repo.dir, 'bin/rubocop'), 0o755);
      const PATH = `${join(repo.dir, 'bin')}:${process.env['PATH']}`;
      const { outcome, code } = await fixJson(repo, ['--no-model'], { PATH });
      const { before, fixed } = outcome.diagnostics;
      assert.equal([before, fixed, code], [3, 1, 1], JSON.stringify(outcome));
      assert.equal(
        outcome.findings.map(({ rule, left }) => [rule, left?.split(/[,;]/)[0]]),
        [
          ['Mode', "the linter's own fix changes the mode of the file"],
          ['Other', 'the linter has no single fix for it'],
        ],
      );
      assert.match(outcome.notices.join(), /its own fix changes the mode of a\.rb/);
    },
  ));

test.long('a file whose check does not finish loses that file only', () =>
  withProject(
    {
      'package.json': manifest({ lint: 'shellcheck a.sh b.sh' }),
      'a.sh': `#!/bin/sh\necho $1\n${'# long\n'.repeat(12_000)}`,
      'b.sh': '#!/bin/sh\necho $1\n',
      'bin/shellcheck': `#!/bin/sh\ncase "$*" in *a.sh*) kill -9 $$;; esac
grep -q '"$1"' b.sh && echo '{"comments":[]}' && exit
echo '{"comments":[{"file":"b.sh","line":2,"endLine":2,"column":6,"endColumn":8,"level":"info","code":2086,"message":"Quote","fix":{"replacements":[{"line":2,"endLine":2,"column":6,"endColumn":6,"insertionPoint":"afterEnd","precedence":1,"replacement":"\\""},{"line":2,"endLine":2,"column":8,"endColumn":8,"insertionPoint":"beforeStart","precedence":1,"replacement":"\\""}]}}]}'
exit 1
`,
    },
    async repo => {
      await chmod(join(repo.dir, 'bin/shellcheck'), 0o755);
      const PATH = `${join(repo.dir, 'bin')}:${process.env['PATH']}`;
      const { outcome, code } = await fixJson(repo, ['--no-model'], { PATH });
      assert.is(code, 6, JSON.stringify(outcome));
      assert.is(outcome.diagnostics.fixed, 1);
      assert.match(outcome.linters[0]?.reason ?? '', /stopped by SIGKILL.*: a\.sh$/);
    },
  ),
);

test.long('a file on which ESLint hangs is named, and all others are fixed', () =>
  withProject(
    {
      'package.json': manifest({ lint: 'eslint .' }),
      'eslint.config.js': `const create = () => ({ DebuggerStatement() { for (;;); } });
module.exports = [{ plugins: { x: { rules: { x: { create } } } }, rules: { semi: 2, 'x/x': 2 } }];\n`,
      'a.js': 'exports.a = 1\n',
      'b.js': 'debugger\n',
      'c.js': 'exports.c = 1\n',
    },
    async repo => {
      const { outcome, code } = await fixJson(repo, ['--no-model', '--deadline', '40s']);
      assert.equal([outcome.diagnostics.fixed, code], [2, 6], JSON.stringify(outcome));
      assert.match(outcome.linters[0]?.reason ?? '', /^ESLint did not finish within \d+ s: b\.js$/);
    },
  ),
);

for (const [manager, script, more] of [
  ['npm', 'npm run lint --workspaces', {}],
  ['yarn', 'yarn workspaces run lint', {}],
  ['pnpm', 'pnpm --recursive run lint', { 'pnpm-workspace.yaml': 'packages:\n  - packages/*\n' }],
] as const) {
  (manager === 'npm' ? test : test.long)(
    `each package of a monorepo of ${manager} is linted as its own script says`,
    () =>
      withProject(
        {
          'package.json': manifest({ lint: script }, { workspaces: ['packages/*'] }),
          ...more,
          'eslint.config.js': config({ semi: 'error' }),
          'packages/a/package.json': manifest({ lint: 'eslint src' }),
          'packages/a/src/a.js': 'exports.a = 1\n',
          'packages/a/out.js': 'exports.a = 1\n',
          'packages/b/package.json': manifest({ lint: 'eslint .' }),
          'packages/b/b.js': 'exports.b = 1\n',
        },
        async repo => {
          const { outcome, code } = await fixJson(repo, ['--no-model']);
          assert.is(code, 0, JSON.stringify(outcome.notices));
          const changed = await repo.git('diff', '--name-only', 'HEAD', outcome.branch?.name ?? '');
          assert.is(changed, 'packages/a/src/a.js\npackages/b/b.js');
          assert.equal(
            outcome.linters.map(({ command, folder }) => `${folder} ${command.split(' ').at(-1)}`),
            ['packages/a src', 'packages/b .'],
          );
        },
      ),
  );
}

test('--dry-run --out writes the outcome', () =>
  withProject({ 'eslint.config.js': ESLINT_CONFIG, 'a.js': 'exports.a = 1\n' }, async repo => {
    const out = join(repo.dir, '..', 'outcome.json');
    const run = await apfelBot(['fix-lint', '--no-model', '--dry-run', '--out', out], {
      cwd: repo.dir,
      env: { FORCE_COLOR: '1' },
    });
    assert.is(run.code, 0, run.stderr);
    assert.match(run.stdout, '\u001b[32m+exports.a = 1;');
    const { readFile } = await import('node:fs/promises');
    assert.is(JSON.parse(await readFile(out, 'utf8')).diagnostics.fixed, 1);
  }));

test.run();
