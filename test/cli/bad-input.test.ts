import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { apfelBot, apfelBotProcess, type CliRun, reviewJson } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { withFolder, withRepo } from '../support/with-repo.js';

const test = suite('cli/bad-input');

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
  ['review --fail-on warn', /found "warn"; did you mean "warning"\?/],
  ['hook pre-comit', /found "pre-comit"; did you mean "pre-commit"\?/],
  ['review --model=', /--model needs a value: NAME, found ""/],
  ['review --commit=', /--commit needs a value: REV, found ""/],
  ['review --format=', /--format needs a value/],
  ['install --hooks=', /--hooks needs a value/],
  ['calibrate --runs x', /--runs must be a whole number from 1 to 500, found "x"/, /--help/],
  ['calibrate --runs 1e2', /found "1e2"/],
  ['review --deadline soon', /--deadline/, /"soon"/],
  ['review --deadline 0s', /--deadline/, /"0s"/],
  ['review --range main', /A\.\.B/, /"main"/],
  ['review --range', /--range needs a value/],
  ['review --staged --commit HEAD', /--staged and --commit exclude each other/],
  ['review --staged=yes', /takes no value/],
  ['review README.md', /unexpected argument "README.md"; put paths after --/, /--/],
  ['demo now', /unexpected argument "now"\n/, /--help/],
  ['review -- ../outside.js', /outside the repository/, /\.\.\/outside\.js/],
  ['review -- /etc/passwd', /outside the repository/],
  ['review --config nowhere.json', /nowhere\.json/, /no such file/, /Check the path/],
  ['--versoin', /did you mean "--version"/],
];
for (const [args, ...words] of usage) {
  test(`\`${args}\` is a usage error`, () =>
    withRepo(async repo => {
      failsWith(await apfelBot(args.split(' '), { cwd: repo.dir }), 2, ...words);
    }));
}

test('a folder outside any repository gives exit 3 and says what to do', () =>
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

test('all problems of a configuration are reported at once, with path and value', () =>
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

test('a configuration may have comments and trailing commas', () =>
  withRepo(async repo => {
    await repo.stage('a.js', 'debugger;\n');
    const text = '\ufeff// why\n{\n  /* noisy */ "checks": { "debugger": "off" }, // so\n}\n';
    await repo.stage('.apfel-bot.json', text);
    const { code, stdout, stderr } = await apfelBot(['review', '--no-model'], { cwd: repo.dir });
    assert.is(code, 0, stderr);
    assert.match(stdout, /^clean/m);
  }));

for (const [what, text, place] of [
  ['empty', '', '1:1: a value is missing'],
  ['cut short', '{\n  "review": ', '2:13: a value is missing'],
  ['not JSON', '{bad', '1:2: unexpected character or word'],
  ['not closed', '{\n  // why\n  "checks": {\n}\n', '5:1: a closing brace is missing'],
] as const) {
  test(`a configuration that is ${what} is named with line and column`, () =>
    withRepo(async repo => {
      await repo.write('.apfel-bot.json', text);
      const run = await apfelBot(['review'], { cwd: repo.dir });
      failsWith(
        run,
        2,
        /\.apfel-bot\.json is not valid JSON, at \d/,
        /trailing commas are allowed/,
      );
      assert.match(run.stderr, `at ${place}`);
    }));
}

test('every problem in a configuration is listed with its line and column', () =>
  withRepo(async repo => {
    const settings = '{\n  "review": { "failOn": "fatal" },\n  "lint": [{ "nam": 1 }]\n}';
    const places = ['2:25 review.failOn: must', '3:14 lint.0: unknown key "nam"'];
    await repo.write('.apfel-bot.json', `// ours\n${settings}`);
    await repo.write('own.json', settings);
    for (const [args, more] of [
      [[], 1],
      [['--config', 'own.json'], 0],
    ] as const) {
      const run = await apfelBot(['review', ...args], { cwd: repo.dir });
      failsWith(run, 2, /schema\/config\.json/);
      for (const place of places) {
        const [line = '', rest = ''] = place.split(/:(.*)/s);
        assert.match(run.stderr, `\n  ${Number(line) + more}:${rest}`);
      }
    }
  }));

test('problems in a configuration are in the order of its lines, misspelt checks and repeated keys too', () =>
  withRepo(async repo => {
    const lines = [
      '{',
      '  "review": { "failOn": "error", "failOn": "never" },',
      '  "checks": { "secret/githb-token": "off", "secret/github-token": "info" },',
      '  "hooks": { "deadlin": "8s" },',
      '  "review": { "failOn": 1 }',
      '}',
    ];
    await repo.write('.apfel-bot.json', lines.join('\n'));
    const { code, stderr } = await apfelBot(['review'], { cwd: repo.dir });
    assert.is(code, 2);
    const found = stderr.split('\n').filter(line => /^ {2}\d/.test(line));
    assert.equal(found, [
      '  2:34 review: the key "failOn" appears twice',
      '  3:15 checks: there is no check "secret/githb-token"; did you mean "secret/github-token"?',
      '  4:14 hooks: unknown key "deadlin"; did you mean "deadline"?',
      '  5:3 top level: the key "review" appears twice',
      '  5:25 review.failOn: must be one of "error", "warning", "info", "never", found 1',
    ]);
  }));

for (const [what, text] of [
  ['with a comment', '{ // ours\n  "checks": {"debugger": "off", "debugger": "info"} }'],
  ['in package.json', '{"apfel-bot": {"checks": {"debugger": "off", "debugger": "info"}}}'],
] as const) {
  test(`a repeated key in a configuration ${what} is named`, () =>
    withRepo(async repo => {
      const isOwn = what !== 'in package.json';
      await repo.write(isOwn ? '.apfel-bot.json' : 'package.json', text);
      const run = await apfelBot(['review'], { cwd: repo.dir });
      failsWith(run, 2, /\d checks: the key "debugger" appears twice/);
    }));
}

test('a value that looks like keys is not taken for repeated ones', () =>
  withRepo(async repo => {
    const value = JSON.stringify('a": 1, "a": 2, \\');
    await repo.write('.apfel-bot.json', `{"review": {"ignore": [${value}]}}`);
    assert.is((await apfelBot(['review', '--no-model'], { cwd: repo.dir })).code, 0);
  }));

test('settings in package.json beside a file of its own are said to be unused', () =>
  withRepo(async repo => {
    await repo.stage('a.js', 'const one = 1;\n');
    await repo.write('.apfel-bot.json', '{}');
    await repo.write('package.json', '{"apfel-bot": {"checks": {"debugger": "off"}}}');
    const { code, stderr } = await apfelBot(['review', '--no-model'], { cwd: repo.dir });
    assert.is(code, 0);
    assert.match(
      stderr,
      'the settings in package.json are not used, because there is .apfel-bot.json',
    );
    const doctor = await apfelBot(['doctor'], { cwd: repo.dir });
    assert.match(doctor.stdout, /attention {2}config +the settings in package\.json are not used/);
  }));

test('a problem in the configuration of package.json has its line there', () =>
  withRepo(async repo => {
    const text =
      '{\n  "name": "x",\n  "apfel-bot": {\n    "checks": { "debuger": "off" }\n  }\n}\n';
    await repo.write('package.json', text);
    const run = await apfelBot(['review'], { cwd: repo.dir });
    failsWith(run, 2, /\n {2}4:17 checks: there is no check "debuger"; did you mean "debugger"/);
  }));

test('a folder where the configuration should be is named, with what to do', () =>
  withRepo(async repo => {
    const named = await apfelBot(['review', '--config', '.git'], { cwd: repo.dir });
    failsWith(named, 2, /cannot read \.git/, /Check the path, or leave --config out/);
    await repo.write('.apfel-bot.json/x', '');
    const own = await apfelBot(['review'], { cwd: repo.dir });
    failsWith(own, 2, /cannot read .*\.apfel-bot\.json/, /must be a readable file/);
  }));

for (const [what, event, ...words] of [
  ['with a bad sha', '{"before":"HEAD","after":"x"}', /before is "HEAD", not a commit id/],
  ['that is not an object', '[]', /isn't an event/],
] as const) {
  test(`an event ${what} is reported with what to do`, () =>
    withRepo(async repo => {
      await repo.write('event.json', event);
      const env = { GITHUB_EVENT_PATH: join(repo.dir, 'event.json') };
      const run = await apfelBot(['review'], { cwd: repo.dir, env });
      failsWith(run, 2, ...words, /Choose what to review with --range/);
    }));
}

test('an event file that is a folder or broken JSON is reported with what to do', () =>
  withRepo(async repo => {
    const folder = { cwd: repo.dir, env: { GITHUB_EVENT_PATH: repo.dir } };
    failsWith(await apfelBot(['review'], folder), 2, /cannot read/, /--range/);
    failsWith(await apfelBot(['respond'], folder), 2, /cannot read/, /issue_comment/);
    await repo.write('event.json', '{');
    const env = { GITHUB_EVENT_PATH: join(repo.dir, 'event.json') };
    const broken = await apfelBot(['respond'], { cwd: repo.dir, env });
    failsWith(broken, 2, /isn't valid JSON/, /issue_comment/);
  }));

test('a folder in place of an outcome or a request is reported with what to do', () =>
  withRepo(async repo => {
    const at = { cwd: repo.dir };
    failsWith(await apfelBot(['merge', '.git'], at), 2, /cannot read \.git/, /--shard I\/N --out/);
    failsWith(await apfelBot(['run', '.git'], at), 2, /cannot read \.git/, /respond --out wrote/);
    await repo.write('x.json/y', '');
    failsWith(await apfelBot(['show', 'x.json'], at), 2, /cannot read x\.json/, /--out FILE\.json/);
  }));

test('a request whose head is not a commit id is reported with what it must be', () =>
  withRepo(async repo => {
    const base = await repo.git('rev-parse', 'HEAD');
    const options = { decision: 'run', reason: '', verb: 'review', args: [], repository: 'a/b' };
    await repo.write('request.json', JSON.stringify({ ...options, pull: 1, base, head: '--x' }));
    const run = await apfelBot(['run', 'request.json'], { cwd: repo.dir });
    failsWith(run, 2, /head: must match pattern .* or must be null, found "--x"/);
  }));

test('a path that matches no changed file is reported, whether or not other paths match', () =>
  withRepo(async repo => {
    await repo.stage('src/a.js', 'debugger;\n');
    const at = { cwd: repo.dir };
    const noticesFor = async (...paths: string[]): Promise<string> => {
      const args = ['--staged', '--no-model', '--', ...paths];
      return (await reviewJson(args, at)).outcome.notices.join();
    };
    assert.is(await noticesFor('scr'), 'no changed file matches scr');
    assert.is(await noticesFor('src/a'), 'no changed file matches src/a');
    assert.is(await noticesFor('src', 'b.js', 'c.js'), 'no changed file matches b.js, c.js');
    for (const path of ['src', 'src/', 'src/a.js', '.']) assert.is(await noticesFor(path), '');
    assert.is(
      await noticesFor('--base-url', 'http://127.0.0.1:1/v1'),
      'no changed file matches --base-url and 1 more; options go before --',
    );
    assert.is(
      await noticesFor('--base-url=http://127.0.0.1:1/v1'),
      'no changed file matches --base-url; options go before --',
    );
    const text = await apfelBot(['review', '--staged', '--no-model', '--', 'scr'], at);
    assert.is(text.code, 0);
    assert.match(text.stdout + text.stderr, 'no changed file matches scr');
    const plan = await apfelBot(['plan', '--staged', '--', 'scr'], at);
    assert.match(plan.stdout, 'no changed file matches scr');
  }));

test('an empty path is a usage error', () =>
  withRepo(async repo => {
    failsWith(
      await apfelBot(['review', '--', ''], { cwd: repo.dir }),
      2,
      /a path after -- is empty/,
    );
  }));

test('an outcome that cannot be written is refused before the work, with the file', () =>
  withRepo(async repo => {
    const run = await apfelBot(['review', '--out', 'no/such/folder/o.json'], { cwd: repo.dir });
    assert.is(run.code, 2);
    assert.match(run.stderr, /no\/such\/folder\/o\.json/);
  }));

test('text on standard input that is not a diff is a usage error', () =>
  withFolder(async dir => {
    const run = await apfelBot(['review', '--stdin'], { cwd: dir, input: 'hello\nworld\n' });
    failsWith(run, 2, /no diff/, /git diff/);
  }));

test('commands that need a model also accept the options of every working command', () =>
  withRepo(async repo => {
    for (const command of [['ask', 'why?'], ['describe']]) {
      const args = [...command, '--no-model', '--fail-on', 'never'];
      failsWith(await apfelBot(args, { cwd: repo.dir }), 4, /--no-model was given/, /doctor/);
      const idle = await apfelBot([...args, '--votes', '3', '--shard', '1/2'], { cwd: repo.dir });
      assert.is(idle.code, 4);
      assert.match(idle.stderr, `--votes has no effect on ${command[0]}`);
      assert.match(idle.stderr, `--shard has no effect on ${command[0]}`);
    }
    const plan = await apfelBot(['plan', '--no-model'], { cwd: repo.dir });
    assert.is(plan.code, 0, plan.stderr);
  }));

test('an empty standard input is an empty change', () =>
  withFolder(async dir => {
    const { code, outcome } = await reviewJson(['--stdin', '--no-model'], { cwd: dir, input: '' });
    assert.is(code, 0);
    assert.is(outcome.change.files, 0);
  }));

test('a diff that ends early is reviewed up to there and is incomplete', () =>
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

test('a line of 100 MB is cut, and a notice says so', () =>
  withFolder(async dir => {
    const long = Buffer.alloc(100 * 1024 * 1024, 'x');
    const head = 'diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -0,0 +1,1 @@\n+';
    const input = Buffer.concat([Buffer.from(head), long, Buffer.from('\n')]);
    const { code, outcome } = await reviewJson(['--stdin', '--no-model'], { cwd: dir, input });
    assert.is(code, 0);
    assert.is(outcome.change.added, 1);
    assert.ok(
      outcome.notices.some(notice => notice.includes('too long')),
      outcome.notices.join(),
    );
  }));

test('a configuration with an unknown key names a schema that is there', () =>
  withRepo(async repo => {
    await repo.write('.apfel-bot.json', '{"foo": 1}');
    const { stderr } = await apfelBotProcess(['review'], { cwd: repo.dir });
    const [, path = ''] = /The keys and their values are in (.+)$/m.exec(stderr) ?? [];
    assert.match(await readFile(path, 'utf8'), '$schema');
  }));

test('a review changes nothing in the repository', () =>
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
