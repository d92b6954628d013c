import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { type StandIn, startStandIn } from '../../fixtures/apfel/stand-in.js';
import { perfectModel } from '../agent/simulation/perfect-model.js';
import { writeExecutable } from '../hooks/fake-program.js';
import { commit, git, until, withHooks } from '../hooks/hooked-repo.js';
import { EMPTY } from '../report/sample-outcome.js';
import { planted } from '../secrets/planted.js';
import { apfelBot, apfelBotProcess, type CliRun } from '../support/cli.js';
import { reviewer } from '../support/reviewer.js';
import { suite } from '../support/suite.js';
import { type Repo, withFolder, withRepo } from '../support/with-repo.js';

const test = suite('runs/show-run');

const BUG = 'index <= list.length';
const CODE = `export function last(list) {\n  for (let index = 0; ${BUG}; index += 1) use(list[index]);\n}\n`;

const bot = (repo: Pick<Repo, 'dir'>, ...args: string[]): Promise<CliRun> =>
  apfelBot(args, { cwd: repo.dir });

async function pageOf(repo: Pick<Repo, 'dir'>, ...args: string[]): Promise<string> {
  const { code, stderr } = await bot(repo, 'show', ...args, '--html', 'page.html');
  assert.is(code, 0, stderr);
  return readFile(join(repo.dir, 'page.html'), 'utf8');
}

const listed = async (repo: Repo): Promise<ReadonlyArray<Record<string, unknown>>> =>
  JSON.parse((await bot(repo, 'show', '--list', '--format', 'json')).stdout).runs;

const withModel = async (
  policy: Parameters<typeof startStandIn>[0],
  body: (server: StandIn, repo: Repo) => Promise<void>,
): Promise<void> => {
  const server = await startStandIn(policy);
  try {
    await withRepo(repo => body(server, repo));
  } finally {
    await server.close();
  }
};

test('after a commit that was not made, show names the run on what is staged', () =>
  withRepo(async repo => {
    await repo.commit({ 'a.js': 'export const a = 1;\n' });
    await repo.stage('b.js', 'export const b = 2;\n');
    await bot(repo, 'hook', 'pre-commit', '--no-model');
    const { stderr } = await bot(repo, 'show');
    const [, run = ''] = /to see the staged changes: .*show (\S+)/.exec(stderr) ?? [];
    assert.is(run.length, 26, stderr);
    assert.match((await bot(repo, 'show', run)).stdout, run);
    await repo.stage('b.js', 'export const b = 3;\n');
    assert.not.match((await bot(repo, 'show')).stderr, 'staged');
    // `git commit` with nothing to commit runs the hook too.
    await repo.git('reset', '--hard');
    await bot(repo, 'hook', 'pre-commit', '--no-model');
    assert.not.match((await bot(repo, 'show')).stderr, 'staged');
  }));

test('before the first commit, show shows the newest run', () =>
  withFolder(async dir => {
    const own = (...args: string[]) => apfelBot(args, { cwd: dir });
    execFileSync('git', ['init', '--quiet'], { cwd: dir });
    assert.match((await own('show')).stderr, 'no runs are recorded here yet');
    await writeFile(join(dir, 'a.js'), 'debugger;\n');
    execFileSync('git', ['add', 'a.js'], { cwd: dir });
    await own('review', '--staged', '--no-model');
    const { code, stdout } = await own('show');
    assert.is(code, 0);
    assert.match(stdout, 'a.js:1:1  warning  debugger');
  }));

test('a review is listed, shown by the beginning of its name, and has a page', () =>
  withModel({ policy: reviewer({ sees: [BUG] }) }, async (server, repo) => {
    await repo.stage('src/last.js', CODE);
    await bot(repo, 'review', '--staged', '--base-url', server.baseUrl);
    const [run, ...others] = await listed(repo);
    assert.is(others.length, 0);
    assert.is(run?.['head'], 'index');
    assert.is(run?.['findings'], 1);
    assert.is(run?.['complete'], true);
    const name = String(run?.['run']);
    // One name for the outcome and for what was said.
    const folder = join(repo.dir, '.git/apfel-bot/transcripts');
    assert.equal(await readdir(folder), [`${name}.jsonl`]);
    const { stdout } = await bot(repo, 'show', name.slice(0, 20));
    assert.match(stdout, `run ${name} review`);
    assert.match(stdout, /\n {2}apfel-bot review --base-url \S+ --staged\n/);
    assert.match(stdout, 'src/last.js:2:23  error  model/off-by-one');
    assert.match(stdout, 'conversation 2: Second look: src/last.js (1 turn, finished)');
    assert.match(stdout, /hosts: 127\.0\.0\.1:\d+ \(this machine, \d+ requests\)/);
    // What was staged is not there any more; the page has it all the same.
    await repo.git('reset', '--hard', '--quiet');
    const page = await pageOf(repo);
    assert.match(page, 'id="turn-2-1"');
    assert.match(page, '<tr class="added hit error">');
    assert.match(page, 'Asking the model');
    assert.match(page, '<span class="pill good">this machine</span>');
  }));

test('the page of a commit is that of its review, with the diff from git', () =>
  withRepo(async repo => {
    await repo.commit({ 'a.js': 'one();\n' });
    const sha = await repo.commit({ 'a.js': 'one();\ndebugger;\n' });
    const out = await bot(repo, 'review', '--commit', 'HEAD', '--no-model', '--out', 'o.json');
    assert.is(out.code, 0, out.stderr);
    for (const name of ['HEAD', sha.slice(0, 8), 'o.json']) {
      const page = await pageOf(repo, name);
      assert.match(page, '<tr class="added hit warning">', name);
      assert.match(page, 'No model was asked.');
    }
    const none = await bot(repo, 'show', 'HEAD~1', '--html', 'x.html');
    assert.is(none.code, 2);
    const first = (await repo.git('rev-parse', 'HEAD~1')).slice(0, 12);
    assert.match(none.stderr, `no record of HEAD~1 (${first})\n`);
    assert.match(none.stderr, `Review it with: apfel-bot review --commit ${first}\n`);
  }));

test('the review of a hook can be shown before and after the commit', () =>
  withHooks(async repo => {
    await repo.stage('a.test.js', 'it.only("x", () => {});\n');
    assert.is((await commit(repo)).code, 1);
    const [stopped] = await listed(repo);
    assert.is(stopped?.['origin'], 'run');
    assert.match(await pageOf(repo), '<tr class="added hit error">');
    await repo.stage('a.test.js', 'it("x", () => {});\ndebugger;\n');
    assert.is((await commit(repo)).code, 0);
    const [done] = await listed(repo);
    assert.is(done?.['origin'], 'note');
    assert.is(done?.['head'], (await git(repo, ['rev-parse', 'HEAD'])).stdout.trim());
    const page = await pageOf(repo, String(done?.['run']));
    assert.match(page, '<tr class="added hit warning">');
    assert.match(page, 'a note on the commit');
  }));

test('ask is shown with its question and its answer', () =>
  withModel({ policy: perfectModel }, async (server, repo) => {
    await repo.commit({ 'src/limits.ts': 'export const high = 17;\n' });
    const question = 'What is the value of high in src/limits.ts?';
    await bot(repo, 'ask', question, '--base-url', server.baseUrl);
    const page = await pageOf(repo);
    assert.match(page, `apfel-bot ask &#39;${question}&#39;`);
    const { stdout: wrote } = await bot(repo, 'show', '--html', 'again.html');
    assert.match(wrote, /: run \w{26}, 0 findings, \d turns?, \d+ kB\n$/);
    assert.match(page, '<h3>Answer</h3>');
    assert.match(page, '<summary>Details</summary>');
    const { stdout } = await bot(repo, 'show', String((await listed(repo))[0]?.['run']));
    assert.match(stdout, 'sources:\n  src/limits.ts:1');
  }));

test('an interrupted run is shown as far as it got', () =>
  withModel({ policy: reviewer({ sees: [BUG] }) }, async (server, repo) => {
    await repo.stage('src/last.js', CODE);
    const args = ['review', '--staged', '--base-url', server.baseUrl];
    await apfelBotProcess(args, { cwd: repo.dir });
    const folder = join(repo.dir, '.git/apfel-bot/outcomes');
    const [file = ''] = await readdir(folder);
    for (const left of ['', undefined]) {
      if (left === undefined) await rm(join(folder, file));
      else await writeFile(join(folder, file), left);
      assert.match(
        (await bot(repo, 'show', '--list')).stdout,
        /^01\w+ +2.* review +- +0 +broke off$/m,
      );
      const page = await pageOf(repo, file.slice(0, 26));
      assert.match(page, 'the run was interrupted');
      const { stdout } = await bot(repo, 'show', file.slice(0, 26));
      assert.match(stdout, /^incomplete · no changes · /m);
      assert.match(page, 'id="turn-2-1"');
    }
  }));

test('the beginning of several ids is refused with their names, newest first', () =>
  withRepo(async repo => {
    for (let times = 0; times < 2; times += 1) {
      await bot(repo, 'review', '--commit', 'HEAD', '--no-model');
    }
    const names = (await listed(repo)).map(({ run }) => String(run));
    const { code, stderr } = await bot(repo, 'show', names[0]?.slice(0, 6) ?? '');
    assert.is(code, 2);
    assert.match(stderr, `is the beginning of 2 runs: ${names.join(', ')}\n`);
  }));

test('the review of a hook has its diff as long as the same change is staged', () =>
  withRepo(async repo => {
    await repo.stage('a.js', 'debugger;\n');
    await bot(repo, 'hook', 'pre-commit', '--no-model');
    const [run] = await listed(repo);
    assert.is(run?.['origin'], 'hook');
    const name = String(run?.['run']);
    assert.match(await pageOf(repo, name), '<tr class="added hit warning">');
    await repo.stage('a.js', 'other();\n');
    assert.not.match(await pageOf(repo, name), '<tr class="added');
  }));

test('an outcome file can be looked at where there is no repository', () =>
  withFolder(async dir => {
    await writeFile(join(dir, 'o.json'), JSON.stringify(EMPTY));
    assert.match(await pageOf({ dir }, 'o.json'), 'an outcome file');
    assert.match((await bot({ dir }, 'show', 'o.json')).stdout, `run ${EMPTY.run} review`);
    assert.is((await bot({ dir }, 'show', '--list')).code, 3);
  }));

test('kept edits of an outcome are shown as their diff', () =>
  withRepo(async repo => {
    const base = await repo.commit({ 'a.js': 'let total = 0;\n' });
    const tip = await repo.commit({ 'a.js': 'const total = 0;\n' });
    const edit = { path: 'a.js', diagnostic: { rule: 'prefer-const', line: 1 }, by: 'linter' };
    const outcome = {
      ...EMPTY,
      task: 'fix-lint',
      edits: [{ ...edit, status: 'kept' }],
      branch: { name: 'apfel-bot/fix-lint-x', commit: tip, base, bundle: null },
      diagnostics: { before: 1, after: 0, fixed: 1, introduced: 0 },
    };
    await writeFile(join(repo.dir, 'o.json'), JSON.stringify(outcome));
    const page = await pageOf(repo, 'o.json');
    assert.match(page, '<td class="code">let total = 0;</td>');
    assert.match(page, '<td class="code">const total = 0;</td>');
    assert.match((await bot(repo, 'show', 'o.json')).stdout, 'fixed prefer-const: 1 by the linter');
  }));

test('neither the saved run nor the page contains a secret', () =>
  withRepo(async repo => {
    await repo.stage('a.js', `const token = '${planted.githubToken}';\n`);
    await bot(repo, 'review', '--staged', '--no-model');
    const folder = join(repo.dir, '.git/apfel-bot/outcomes');
    const [name = ''] = await readdir(folder);
    for (const text of [await readFile(join(folder, name), 'utf8'), await pageOf(repo)]) {
      assert.match(text, 'secret/');
      assert.not.match(text, planted.githubToken);
    }
  }));

for (const [args, code, words] of [
  [['01ZZZZZZ'], 2, /no recorded run has an id that begins with 01ZZZZZZ\n {2}See .*show --list/],
  [['nowhere', '--html', 'x'], 3, /unknown revision "nowhere", and no run has that id/],
  [['--html', 'x'], 2, /no runs are recorded here yet\n {2}Start one with: apfel-bot review/],
  [['gone.json'], 2, /gone\.json isn't an outcome: it doesn't exist/],
  [['odd.json'], 2, /odd\.json isn't an outcome: /],
  [['--list', 'HEAD'], 2, /--list takes no names/],
  [['HEAD', 'HEAD', '--html', 'x'], 2, /--html shows one run, found 2 names/],
  [['o.json', '--html', 'no/such/folder.html'], 2, /cannot write no\/such\/folder\.html/],
] as const) {
  test(`show ${args.join(' ')} ends with ${code} and the next step`, () =>
    withRepo(async repo => {
      await repo.write('odd.json', '[1, 2');
      await repo.write('o.json', JSON.stringify(EMPTY));
      const run = await bot(repo, 'show', ...args);
      assert.is(run.code, code, run.stderr);
      assert.match(run.stderr, words);
      assert.not.match(run.stderr, / at \w/);
    }));
}

test('a page without a file name goes to the git directory, and its path is printed', () =>
  withRepo(async repo => {
    await repo.commit({ 'a.js': 'debugger;\n' });
    await bot(repo, 'review', '--commit', 'HEAD', '--no-model');
    for (const args of [['--html'], ['HEAD', '--html'], ['--html', '--quiet']]) {
      const { code, stdout, stderr } = await bot(repo, 'show', ...args);
      assert.is(code, 0, stderr);
      const [, file = ''] = /^wrote (\S+\/\.git\/apfel-bot\/audit\.html): run /.exec(stdout) ?? [];
      assert.match(await readFile(file, 'utf8'), 'No model was asked.');
    }
    assert.is(await repo.git('status', '--porcelain'), '');
  }));

test('--open hands the page to the program that opens files here', () =>
  withRepo(async repo => {
    await repo.commit({ 'a.js': 'debugger;\n' });
    await bot(repo, 'review', '--commit', 'HEAD', '--no-model');
    const bin = join(repo.dir, '.git/bin');
    const seen = join(repo.dir, '.git/seen');
    await mkdir(bin);
    for (const name of ['open', 'xdg-open']) {
      await writeExecutable(
        join(bin, name),
        `#!/bin/sh\necho "$1" > ${seen}.new && mv ${seen}.new ${seen}\n`,
      );
    }
    const env = { PATH: `${bin}:${process.env['PATH']}` };
    const run = await apfelBotProcess(['show', '--open'], { cwd: repo.dir, env });
    assert.is(run.code, 0, run.stderr);
    await until(async () => existsSync(seen));
    assert.match(run.stdout, `wrote ${(await readFile(seen, 'utf8')).trim()}: run `);
    for (const name of ['open', 'xdg-open']) await rm(join(bin, name));
    await symlink(
      execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim(),
      join(bin, 'git'),
    );
    const without = await apfelBotProcess(['show', '--open'], {
      cwd: repo.dir,
      env: { PATH: bin },
    });
    assert.is(without.code, 0, without.stderr);
    assert.match(
      without.stderr,
      /(xdg-)?open, which opens files, isn't installed; open it yourself: .*audit\.html/,
    );
  }));

test.run();
