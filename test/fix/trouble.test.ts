import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { startStandIn } from '../../fixtures/apfel/stand-in.js';
import { BROKEN_SERVERS, type Broken, withBrokenServer } from '../support/broken-server.js';
import { apfelBot, CLI } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { gitEnv, type Repo } from '../support/with-repo.js';
import { ESLINT_CONFIG, fixJson, scriptedFixer, withProject } from './lint-project.js';

const test = suite('fix/trouble');

const FILES = { 'eslint.config.js': ESLINT_CONFIG };

/** A linter of a test's own: a script that the configuration names. */
async function withLinter(
  script: string,
  body: (repo: Repo) => Promise<void>,
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const lint = [{ name: 'own', command: ['./own-lint.sh', '{files}'], format: 'gcc' }];
  const files = {
    'own-lint.sh': `#!/bin/sh\n${script}\n`,
    'src/a.txt': 'one\ntwo\nthree\nfour\nfive\n',
    '.apfel-bot.json': JSON.stringify({ lint, ...more }),
  };
  await withProject(files, async repo => {
    await chmod(join(repo.dir, 'own-lint.sh'), 0o755);
    await repo.git('add', '--chmod=+x', 'own-lint.sh');
    await repo.git('commit', '--quiet', '--message', 'mode');
    await body(repo);
  });
}

/** How often the model is asked about five diagnostics at most. */
const MAX_ASKED = {
  fails: 16,
  'blocks everything': 27,
  redirects: 2,
  apologises: 27,
  'declines in another language': 27,
  'sends junk': 27,
  hangs: 1,
} as const satisfies Record<Broken, number>;

for (const broken of BROKEN_SERVERS) {
  test(`a server that ${broken} has fixed nothing, and the run is incomplete`, () =>
    withLinter('for at in 1 2 3 4 5; do echo "src/a.txt:$at:1: error: no"; done', repo =>
      withBrokenServer(broken, async (args, asked) => {
        const all = [...args, '--fail-on', 'never', '--protocol', 'guided'];
        const isTimeUp = (): boolean => broken === 'hangs' && asked() > 0;
        const { outcome, code } = await fixJson(repo, all, {}, { isTimeUp });
        assert.equal([outcome.complete, code], [false, 6]);
        assert.is(outcome.diagnostics.after, 5);
        assert.ok(outcome.notices.some(line => line.startsWith('not everything was tried')));
        assert.ok(asked() > 0 && asked() <= MAX_ASKED[broken], `${asked()} requests`);
      }),
    ));
}

test('a linter that finds something only in files outside the commit leaves the run incomplete', () =>
  withLinter('echo "gone.txt:1:1: error: no"; exit 1', async repo => {
    const { outcome, code } = await fixJson(repo, ['--no-model', '--strict']);
    assert.equal([outcome.complete, code], [false, 6]);
    assert.match(
      outcome.linters[0]?.reason ?? '',
      /in files that aren't in the commit.*gone\.txt$/,
    );
  }));

test('a missing linter and one that crashes are reported, and the others still run', () =>
  withLinter('echo "Error: out of cheese" >&2; exit 3', async repo => {
    await repo.commit({
      ...FILES,
      'package.json': '{"scripts":{"lint":"eslint . && swiftlint lint"}}',
      'a.swift': 'let a = 1\n',
      'b.js': 'exports.b = 1\n',
    });
    const { outcome, code } = await fixJson(repo, ['--no-model']);
    assert.is(code, 6);
    assert.is(outcome.diagnostics.fixed, 1);
    assert.is(outcome.complete, false);
    assert.equal(
      outcome.linters.map(({ name, finished }) => [name, finished]),
      [
        ['eslint', true],
        ['swiftlint', false],
        ['own', false],
      ],
    );
    assert.ok(outcome.notices.some(line => /SwiftLint is not installed/.test(line)));
    assert.equal(
      outcome.notices.filter(line => line.startsWith('own')),
      ['own: printed no gcc report; it begins: Error: out of cheese'],
    );
  }));

test('half a report gives one clear line, and a linter without files does not apply', () =>
  withLinter('printf "["', async repo => {
    const lint = [
      { name: 'half', command: ['sh', '-c', `printf '[{"filePath":'`], format: 'eslint-json' },
      { name: 'idle', command: ['true'], format: 'gcc', files: ['**/*.none'] },
    ];
    await repo.commit({ '.apfel-bot.json': JSON.stringify({ lint }), 'a.js': 'x\n' });
    const { outcome, code } = await fixJson(repo, ['--no-model']);
    assert.is(code, 6);
    assert.is(outcome.complete, false);
    const about = (name: string): string[] => outcome.notices.filter(line => line.startsWith(name));
    assert.equal(about('half'), [
      'half: the eslint-json report is damaged or ends in the middle (13 characters)',
    ]);
  }));

test('linters see no token, and edits of a rule that breaks a command are dropped', () =>
  withProject(
    {
      ...FILES,
      'src/a.js': 'exports.a = 1\n',
      'src/b.js': 'exports.same = (one, two) => one == two;\n',
      'check.txt': 'test -z "$GITHUB_TOKEN" && grep -q "one == two" src/b.js\n',
      '.apfel-bot.json': JSON.stringify({ verify: { commands: [['sh', 'check.txt']] } }),
    },
    async repo => {
      const args = ['--no-model', '--out', join(repo.dir, 'outcome.json')];
      const { outcome, code } = await fixJson(repo, args, { GITHUB_TOKEN: 'secret-word' });
      const states = outcome.edits.map(edit => `${edit.diagnostic.rule} ${edit.status}`);
      assert.equal(states, ['semi kept', 'eqeqeq rejected'], JSON.stringify(outcome.notices));
      assert.is(code, 1);
      assert.equal(
        outcome.findings.map(({ rule }) => rule),
        ['eqeqeq'],
      );
      assert.is(outcome.branch?.bundle, 'outcome.bundle');
      const bundle = await readFile(join(repo.dir, 'outcome.bundle'), 'latin1');
      assert.match(bundle, /^# v\d git bundle/);
    },
  ));

test('when the deadline passes, what was verified is on the branch and the rest is reported', () =>
  withProject(
    { ...FILES, 'src/a.js': 'exports.a = 1\n', 'src/b.js': 'exports.b = { a: 1, a: 2 };\n' },
    async repo => {
      const wrong = { to: 'no-dupe-keys', path: 'src/b.js', oldText: 'a: 1', newText: 'a: 3' };
      const server = await startStandIn({ policy: scriptedFixer([wrong]), latencyMs: 600_000 });
      try {
        const isTimeUp = (): boolean => server.requests.length > 0;
        const args = ['--base-url', server.baseUrl];
        const { outcome, code } = await fixJson(repo, args, {}, { isTimeUp });
        assert.is(code, 1);
        assert.is(outcome.diagnostics.fixed, 1);
        assert.ok(outcome.branch !== undefined);
      } finally {
        await server.close();
      }
    },
  ));

test('a linter that leaves no time for its own fixes makes the run incomplete', () =>
  withLinter('echo "src/a.txt:1:1: error: one [one]"; touch "$HOME/has-run"', async repo => {
    const isTimeUp = (): boolean => existsSync(join(repo.dir, 'has-run'));
    const { outcome, code } = await fixJson(repo, ['--no-model'], {}, { isTimeUp });
    assert.is(outcome.complete, false);
    assert.ok(
      outcome.notices.some(line => /deadline/.test(line)),
      outcome.notices.join(),
    );
    assert.ok(code === 1 || code === 6, `exit ${code}`);
  }));

test('Ctrl-C keeps what was verified so far on the branch', () =>
  withProject(
    { ...FILES, 'src/a.js': 'exports.a = 1\n', 'src/b.js': 'exports.b = { a: 1, a: 2 };\n' },
    async repo => {
      const server = await startStandIn({ policy: scriptedFixer([]), latencyMs: 8000 });
      try {
        const child = spawn(process.execPath, [CLI, 'fix-lint', '--base-url', server.baseUrl], {
          cwd: repo.dir,
          env: gitEnv(repo.dir),
          stdio: 'ignore',
        });
        const ended = new Promise(done => child.on('close', done));
        while (server.requests.length === 0) await new Promise(done => setTimeout(done, 50));
        child.kill('SIGINT');
        assert.is(await ended, 130);
        assert.match(await repo.git('branch', '--list', 'apfel-bot/*'), /fix-lint-/);
        assert.is(await repo.git('status', '--porcelain'), '');
      } finally {
        await server.close();
      }
    },
  ));

test('only diagnostics of the --diagnostics report are fixed', () =>
  withProject({ ...FILES, 'src/a.js': 'exports.a = 1\nexports.b = 2\n' }, async repo => {
    const message = {
      ruleId: 'semi',
      severity: 2,
      message: 'Missing semicolon.',
      line: 2,
      column: 14,
    };
    const report = [{ filePath: join(repo.dir, 'src/a.js'), messages: [message] }];
    await repo.write('report.json', JSON.stringify(report));
    const { outcome } = await fixJson(repo, ['--no-model', '--diagnostics', 'report.json']);
    assert.equal(outcome.diagnostics, { before: 1, after: 0, fixed: 1, introduced: 0 });
    const text = await repo.git('show', `${outcome.branch?.name}:src/a.js`);
    assert.is(text, 'exports.a = 1\nexports.b = 2;');
  }));

test('protected files and filtered ones are left alone, and the temporary folder is empty afterwards', () =>
  withProject(
    {
      ...FILES,
      '.gitattributes': 'lfs.js filter=lfs\n',
      'lfs.js': 'exports.a = 1\n',
      'jest.config.js': 'exports.b = 1\n',
    },
    async repo => {
      // A folder of its own: other suites have theirs in the common one.
      const temporary = await mkdtemp(join(tmpdir(), 'fix-lint-'));
      const { outcome, code } = await fixJson(repo, ['--no-model'], { TMPDIR: temporary });
      assert.is(code, 1);
      assert.is(outcome.branch, undefined);
      assert.is(outcome.findings.length, 2);
      assert.ok(outcome.notices.some(line => /lfs\.js was left alone: .*filter/.test(line)));
      assert.ok(
        outcome.notices.some(line => /jest\.config\.js was left alone: .*protected/.test(line)),
      );
      assert.equal(await readdir(temporary), []);
      await rm(temporary, { recursive: true });
    },
  ));

test('usage errors are reported before anything runs', () =>
  withProject(FILES, async repo => {
    for (const args of [['--max-fixes', 'x'], ['--diagnostics', 'none.json'], ['stray']]) {
      const run = await apfelBot(['fix-lint', ...args], { cwd: repo.dir });
      assert.is(run.code, 2, run.stderr);
    }
  }));

test.run();
