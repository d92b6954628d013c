import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { apfelBot, type CliRun, reviewJson } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { withFolder, withRepo } from '../support/with-repo.js';

const test = suite('bad input');

/** A clear failure: the code, what it names, no stack trace, nothing on standard output. */
function failsWith(run: CliRun, code: number, ...words: RegExp[]): void {
  assert.is(run.code, code, run.stderr);
  assert.is(run.stdout, '');
  for (const word of words) assert.match(run.stderr, word);
  assert.not.match(run.stderr, /\n\s+at /);
}

const usage: ReadonlyArray<readonly [args: string, ...words: RegExp[]]> = [
  ['reveiw', /unknown command "reveiw"/, /did you mean "review"/],
  ['review --stagd', /unknown option "--stagd"/, /did you mean "--staged"/],
  ['review --format xml', /--format must be one of/, /"xml"/],
  ['review --format jsno', /did you mean "json"/],
  ['review --fail-on fatal', /--fail-on must be one of/],
  ['review --deadline soon', /--deadline/, /"soon"/],
  ['review --deadline 0s', /--deadline/, /"0s"/],
  ['review --range main', /A\.\.B/, /"main"/],
  ['review --range', /--range needs a value/],
  ['review --staged --commit HEAD', /--staged and --commit exclude each other/],
  ['review --staged=yes', /takes no value/],
  ['review README.md', /unexpected argument "README.md"/, /--/],
  ['review -- ../outside.js', /outside the repository/, /\.\.\/outside\.js/],
  ['review -- /etc/passwd', /outside the repository/],
  ['review --config nowhere.json', /nowhere\.json/, /no such file/],
  ['--versoin', /did you mean "--version"/],
];
for (const [args, ...words] of usage) {
  test(`\`${args}\` is a usage failure`, () =>
    withRepo(async repo => {
      failsWith(await apfelBot(args.split(' '), { cwd: repo.dir }), 2, ...words);
    }));
}

test('a folder that is no repository gives exit 3 and the way out', () =>
  withFolder(async dir => {
    failsWith(
      await apfelBot(['review'], { cwd: dir }),
      3,
      /not inside a git repository/,
      /--stdin/,
    );
  }));

for (const revision of [
  'nope',
  '--output=x',
  '-x',
  'HEAD:README.md',
  'HEAD~99',
  '$(touch x)',
  'a\nb',
]) {
  test(`the revision ${JSON.stringify(revision)} gives exit 3 and is named`, () =>
    withRepo(async repo => {
      const run = await apfelBot(['review', `--commit=${revision}`], { cwd: repo.dir });
      failsWith(run, 3, /unknown revision/);
      assert.is(await repo.git('status', '--porcelain'), '');
    }));
}

test('all problems of a configuration are told at once, with path and value', () =>
  withRepo(async repo => {
    const config = {
      reveiw: {},
      limits: { deadline: 'soon', turns: 0 },
      checks: { 'debug-output': 'loud' },
      review: { failOn: 'fatal' },
    };
    await repo.write('.apfel-bot.json', JSON.stringify(config));
    const run = await apfelBot(['review'], { cwd: repo.dir });
    failsWith(
      run,
      2,
      /unknown key "reveiw"; did you mean "review"\?/,
      /limits\.deadline: .*"500ms", "8s".*found "soon"/,
      /limits\.turns: .*found 0/,
      /checks\.debug-output: .*found "loud"/,
      /review\.failOn: must be one of "error", "warning", "info", "never", found "fatal"/,
    );
  }));

test('an unknown check in the configuration gets the nearest name', () =>
  withRepo(async repo => {
    await repo.write('.apfel-bot.json', '{"checks": {"debuger": "off"}}');
    failsWith(
      await apfelBot(['review'], { cwd: repo.dir }),
      2,
      /"debuger"; did you mean "debugger"/,
    );
  }));

test('a configuration that is no JSON is named', () =>
  withRepo(async repo => {
    await repo.write('.apfel-bot.json', '{ "review": ');
    failsWith(
      await apfelBot(['review'], { cwd: repo.dir }),
      2,
      /\.apfel-bot\.json is not valid JSON/,
    );
  }));

test('an outcome that cannot be written gives exit 5 and names the file', () =>
  withRepo(async repo => {
    const run = await apfelBot(['review', '--out', 'no/such/folder/o.json'], { cwd: repo.dir });
    assert.is(run.code, 5);
    assert.match(run.stderr, /no\/such\/folder\/o\.json/);
  }));

test('text on standard input that is no diff is a usage failure', () =>
  withFolder(async dir => {
    const run = await apfelBot(['review', '--stdin'], { cwd: dir, input: 'hello\nworld\n' });
    failsWith(run, 2, /no diff/, /git diff/);
  }));

test('an empty standard input is an empty change', () =>
  withFolder(async dir => {
    const { code, outcome } = await reviewJson(['--stdin', '--no-model'], { cwd: dir, input: '' });
    assert.is(code, 0);
    assert.is(outcome.change.files, 0);
  }));

test('a diff cut in the middle keeps what was there and is incomplete', () =>
  withRepo(async repo => {
    await repo.stage('a.js', `debugger;\n${'x;\n'.repeat(50)}`);
    await repo.stage('b.js', 'y;\n'.repeat(50));
    const diff = await repo.git('diff', '--cached');
    const input = diff.slice(0, diff.length - 60);
    const { outcome } = await reviewJson(['--stdin', '--no-model'], { cwd: repo.dir, input });
    assert.equal(
      outcome.findings.map(({ path, line }) => `${path}:${line}`),
      ['a.js:1'],
    );
    assert.is(outcome.ledger.failed, 1);
    assert.is(outcome.complete, false);
    const strict = await apfelBot(
      ['review', '--stdin', '--no-model', '--strict', '--fail-on', 'never'],
      { cwd: repo.dir, input },
    );
    assert.is(strict.code, 6);
  }));

test('NUL bytes in a diff are text', () =>
  withFolder(async dir => {
    const input =
      'diff --git a/a.js b/a.js\n--- a/a.js\n+++ b/a.js\n@@ -0,0 +1,2 @@\n+a\0b\n+debugger;\n';
    const { outcome } = await reviewJson(['--stdin'], { cwd: dir, input });
    assert.equal(
      outcome.findings.map(({ rule, line }) => `${rule}:${line}`),
      ['debugger:2'],
    );
  }));

test('a line of 100 MB is judged by its beginning, and that is said', () =>
  withFolder(async dir => {
    const long = Buffer.alloc(100 * 1024 * 1024, 'x');
    const head = 'diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -0,0 +1,1 @@\n+';
    const input = Buffer.concat([Buffer.from(head), long, Buffer.from('\n')]);
    const { code, outcome } = await reviewJson(['--stdin', '--no-model'], { cwd: dir, input });
    assert.is(code, 0);
    assert.is(outcome.change.added, 1);
    assert.ok(
      outcome.notices.some(notice => notice.includes('long line')),
      outcome.notices.join(),
    );
  }));

test('a read-only view: nothing of the repository changes', () =>
  withRepo(async repo => {
    await repo.stage('a.js', 'debugger;\n');
    await repo.write('a.js', 'changed;\n');
    const index = await readFile(join(repo.dir, '.git', 'index'));
    const before = await repo.git('for-each-ref');
    await reviewJson([], { cwd: repo.dir });
    assert.equal(await readFile(join(repo.dir, '.git', 'index')), index);
    assert.is(await repo.git('for-each-ref'), before);
    assert.is(await readFile(join(repo.dir, 'a.js'), 'utf8'), 'changed;\n');
  }));

test.run();
