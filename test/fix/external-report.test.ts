import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { apfelBot } from '../support/cli.js';
import { suite } from '../support/suite.js';
import type { Repo } from '../support/with-repo.js';
import { ESLINT_CONFIG, fixJson, withProject } from './lint-project.js';

const test = suite('fix/external-report');

const CODE = { 'src/a.js': 'var a = 1;\nvar ü = 2;\n' };
const GCC = 'src/a.js:1:1: error: use let [no-var]\n';
const eslintReport = (filePath: string): string => {
  const message = { ruleId: 'no-var', severity: 2, message: 'use let', line: 1, column: 1 };
  return JSON.stringify([{ filePath, messages: [message] }]);
};

/** A linter of the project's own, which wants `let` and can put it there. */
const OWN_LINT = `#!/bin/sh
if test "$1" = fix; then shift; sed -i.orig 's/^var/let/' "$@"; rm -f src/*.orig; exit 0; fi
grep -n '^var' "$@" /dev/null | sed 's/^\\([^:]*:[0-9]*\\):.*/\\1:1: error: use let [no-var]/'
`;

async function withOwnLinter(body: (repo: Repo) => Promise<void>): Promise<void> {
  const own = { name: 'own', format: 'gcc', files: ['**/*.js'] };
  const lint = [{ ...own, command: ['./own.sh', '{files}'], fix: ['./own.sh', 'fix', '{files}'] }];
  const files = { ...CODE, 'own.sh': OWN_LINT, '.apfel-bot.json': JSON.stringify({ lint }) };
  await withProject(files, async repo => {
    await chmod(join(repo.dir, 'own.sh'), 0o755);
    await repo.git('add', '--chmod=+x', 'own.sh');
    await repo.git('commit', '--quiet', '--message', 'mode');
    await body(repo);
  });
}

test('a report about files that are gone leaves the run incomplete, not with nothing to lint', () =>
  withProject(CODE, async repo => {
    await repo.write('report', GCC.replace('a.js', 'gone.js'));
    const args = ['fix-lint', '--no-model', '--diagnostics', 'report'];
    const { code, stdout } = await apfelBot(args, { cwd: repo.dir });
    assert.is(code, 0);
    assert.match(stdout, /1 diagnostic in files that aren't in the commit left out/);
    assert.match(stdout, /^incomplete · no linter here checks a file in scope · /m);
  }));

test('without a linter to check edits, every diagnostic is listed with the reason', () =>
  withProject(CODE, async repo => {
    const cases: ReadonlyArray<[report: string, ...more: string[]]> = [
      [GCC],
      [GCC, '--all'],
      [GCC, '--', 'src/a.js'],
      [eslintReport('src/a.js')],
      [eslintReport(join(repo.dir, 'src/a.js'))],
    ];
    for (const [report, ...more] of cases) {
      await repo.write('report', report);
      const args = ['--no-model', '--diagnostics', 'report', ...more];
      const { outcome, code } = await fixJson(repo, args);
      assert.is(code, 1, report);
      assert.equal(outcome.diagnostics, { before: 1, after: 1, fixed: 0, introduced: 0 });
      const [found] = outcome.findings;
      assert.equal(
        [found?.path, found?.line, found?.rule, found?.source, found?.evidence],
        ['src/a.js', 1, 'no-var', 'linter', 'var a = 1;'],
      );
      assert.is(outcome.complete, true);
      assert.match(found?.left ?? '', /if its linter is missing, name it under lint/);
      assert.match(outcome.notices.join('\n'), /report: 1 diagnostic .*no linter could be run/);
    }
  }));

test('a linter with another name that reports the same checks the edit', () =>
  withOwnLinter(async repo => {
    await repo.write('report', GCC);
    const { outcome, code } = await fixJson(repo, ['--no-model', '--diagnostics', 'report']);
    assert.is(code, 0, JSON.stringify(outcome.notices));
    assert.equal(outcome.diagnostics, { before: 1, after: 0, fixed: 1, introduced: 0 });
    const text = await repo.git('show', `${outcome.branch?.name}:src/a.js`);
    assert.is(text, 'let a = 1;\nvar ü = 2;', 'only the line in the report');
  }));

test('ESLint checks edits for reports in any format, however that format spells its rules', () =>
  withProject({ 'eslint.config.js': ESLINT_CONFIG, ...CODE }, async repo => {
    const checkstyle =
      '<checkstyle><file name="src/a.js"><error line="2" source="eslint.rules.no-var"/></file></checkstyle>';
    const unix = 'src/a.js:2:1: Unexpected var, use let or const instead. [Error/no-var]\n';
    for (const report of [checkstyle, unix]) {
      await repo.write('report', report);
      const { outcome } = await fixJson(repo, ['--no-model', '--diagnostics', 'report']);
      assert.equal(outcome.diagnostics, { before: 1, after: 0, fixed: 1, introduced: 0 }, report);
      const text = await repo.git('show', `${outcome.branch?.name}:src/a.js`);
      assert.match(text, /^var a = 1;\n(?:let|const) ü = 2;/);
    }
  }));

test('diagnostics that the linters do not repeat are listed, too', () =>
  withOwnLinter(async repo => {
    await repo.write('report', `${GCC}src/a.js:2:10: warning: a poor name [naming]\n`);
    const { outcome, code } = await fixJson(repo, ['--no-model', '--diagnostics', 'report']);
    assert.is(code, 1);
    assert.equal(outcome.diagnostics, { before: 2, after: 1, fixed: 1, introduced: 0 });
    assert.equal(
      outcome.findings.map(({ rule, line, column }) => [rule, line, column]),
      [['naming', 2, 9]],
      'a column of bytes becomes one of characters',
    );
    assert.match(
      outcome.notices.join('\n'),
      /1 diagnostic .*src\/a\.js:2 naming.*don't report it.*; if its own is missing, name it under lint/,
    );
  }));

test('diagnostics outside the change are counted, and --all includes them', () =>
  withProject(CODE, async repo => {
    await repo.commit({ 'src/a.js': `${CODE['src/a.js']}var c = 3;\n` });
    await repo.write('report', `${GCC}src/a.js:3:1: error: use let [no-var]\n`);
    const args = ['--no-model', '--diagnostics', 'report', '--range', 'HEAD~1..HEAD'];
    const { outcome } = await fixJson(repo, args);
    assert.is(outcome.diagnostics.before, 1);
    const notice =
      'report: 1 diagnostic is outside the change and left out; --all includes everything';
    assert.ok(outcome.notices.includes(notice), JSON.stringify(outcome.notices));
    assert.is((await fixJson(repo, [...args, '--all'])).outcome.diagnostics.before, 2);
  }));

test('paths are relative to the current folder or to the root', () =>
  withProject(CODE, async repo => {
    await repo.write('src/report', 'a.js:1:1: error: here [no-var]\n');
    await repo.write('src/top', GCC);
    for (const file of ['report', 'top']) {
      const args = ['fix-lint', '--no-model', '--format', 'json', '--diagnostics', file];
      const run = await apfelBot(args, { cwd: join(repo.dir, 'src') });
      assert.equal(
        JSON.parse(run.stdout).findings.map(({ path }: { path: string }) => path),
        ['src/a.js'],
      );
    }
  }));

test('a diagnostic of a file that is not in the commit makes the run incomplete', () =>
  withProject(CODE, async repo => {
    await repo.write('report', 'src/new.js:1:1: error: use let [no-var]\n');
    const args = ['--no-model', '--strict', '--diagnostics', 'report'];
    const { outcome, code } = await fixJson(repo, args);
    assert.equal([code, outcome.complete], [6, false]);
    assert.match(
      outcome.notices.join('\n'),
      /report: 1 diagnostic in files that aren't in the commit/,
    );
  }));

test('a file that is not a report is a usage error that names it and the formats', () =>
  withProject(CODE, async repo => {
    const texts = ['garbage\n', '[{"filename":"a.py"}]', '{"a":1}', '<html/>', '[{"filePath":'];
    for (const text of texts) await repo.write(`bad${texts.indexOf(text)}`, text);
    for (const file of ['none', ...texts.keys()].map(each =>
      each === 'none' ? each : `bad${each}`,
    )) {
      const run = await apfelBot(['fix-lint', '--no-model', '--diagnostics', file], {
        cwd: repo.dir,
      });
      assert.equal([run.code, run.stdout], [2, ''], file);
      assert.match(run.stderr, `--diagnostics names ${file}, `);
      assert.match(run.stderr, 'eslint-json, sarif, checkstyle, rdjson, rdjsonl, gcc, github');
    }
  }));

test('an empty report has no diagnostics, and a notice says so', () =>
  withProject(CODE, async repo => {
    await repo.write('report', '');
    const { outcome, code } = await fixJson(repo, ['--no-model', '--diagnostics', 'report']);
    assert.equal([code, outcome.complete], [0, true]);
    assert.ok(outcome.notices.includes('report lists no diagnostics'));
  }));

test.run();
