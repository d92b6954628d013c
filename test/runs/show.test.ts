import { statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { finishedOf, noteOf } from '../../src/notes/record.js';
import { EMPTY, finding } from '../report/sample-outcome.js';
import { apfelBot, type CliRun } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { type Repo, withRepo } from '../support/with-repo.js';

const test = suite('runs/show');

const show = (repo: Repo, ...args: string[]): Promise<CliRun> =>
  apfelBot(['show', ...args], { cwd: repo.dir });

/** Writes a note as anybody could. */
async function note(repo: Repo, lines: readonly unknown[], commit = 'HEAD'): Promise<void> {
  const text = lines.map(line => (typeof line === 'string' ? line : JSON.stringify(line)));
  await repo.git('notes', '--ref=apfel-bot', 'add', '-f', '-m', text.join('\n'), commit);
}

async function recordFor(repo: Repo, parts: object = {}, commit = 'HEAD'): Promise<object> {
  const ids = {
    commit: await repo.git('rev-parse', commit),
    tree: await repo.git('rev-parse', `${commit}^{tree}`),
  };
  return { ...noteOf(finishedOf(EMPTY), ids), ...parts };
}

test('a commit without a note says so', () =>
  withRepo(async repo => {
    const { code, stdout } = await show(repo);
    assert.is(code, 0);
    assert.match(stdout, 'no record; review it with');
  }));

test('what apfel-bot leaves in the git directory is readable by its owner only', () =>
  withRepo(async repo => {
    const bot = (...args: string[]) => apfelBot(args, { cwd: repo.dir });
    await repo.stage('a.js', 'debugger;\n');
    assert.is((await bot('hook', 'pre-commit', '--no-model')).code, 0);
    const kept = await ownModes(repo);
    await repo.git('commit', '--quiet', '-m', 'one');
    await bot('hook', 'post-commit');
    await bot('review', '--no-model', '--commit', 'HEAD');
    assert.is((await bot('show', '--html')).code, 0);
    const all = [...kept, ...(await ownModes(repo))];
    for (const name of ['hand-over.json', 'own-notes', 'audit.html'])
      assert.ok(
        all.some(([path]) => path.endsWith(name)),
        `${name} in ${all}`,
      );
    assert.equal(
      all.filter(([, mode]) => mode !== 0o600),
      [],
    );
  }));

async function ownModes(repo: Repo): Promise<Array<[path: string, mode: number]>> {
  const folder = join(repo.dir, '.git/apfel-bot');
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter(each => each.isFile());
  return files.map(({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [path, statSync(path).mode & 0o777];
  });
}

test('a secret in the subject of a commit is masked', () =>
  withRepo(async repo => {
    const token = `AKIA${'Q7ZB4KXN2WJ6TR5M'}`;
    await repo.commit({ 'a.js': 'one;\n' }, `use ${token}`);
    for (const format of ['text', 'json']) {
      const { stdout } = await show(repo, 'HEAD', '--format', format);
      assert.match(stdout, 'use AKIA');
      assert.not.match(stdout, token);
    }
  }));

test('the newest record of the tree is shown, whatever else the note contains', () =>
  withRepo(async repo => {
    await note(repo, [
      'garbage',
      { v: 99 },
      await recordFor(repo, { run: 'FRESH', startedAt: '2030-01-01T00:00:00Z' }),
      await recordFor(repo, { run: 'OLD' }),
      await recordFor(repo, {
        run: 'OTHER',
        tree: 'a'.repeat(40),
        startedAt: '2031-01-01T00:00:00Z',
      }),
    ]);
    const { stdout } = await show(repo, 'HEAD');
    assert.match(stdout, 'run FRESH');
    assert.not.match(stdout, /OLD|OTHER/);
    assert.match(stdout, 'left out: 2 unreadable lines of its note');
  }));

const review = async (repo: Repo, ...args: string[]): Promise<string> => {
  const run = await apfelBot(['review', '--no-model', '--format', 'json', ...args], {
    cwd: repo.dir,
  });
  return JSON.parse(run.stdout).run;
};

test('a commit without a note shows its newest saved run, and says so', () =>
  withRepo(async repo => {
    const commit = await repo.commit({ 'a.js': 'debugger;\n' }, 'next');
    const first = await review(repo, '--commit', 'HEAD');
    const run = await review(repo, '--commit', 'HEAD');
    await review(repo, '--commit', 'HEAD~1');
    const { code, stdout } = await show(repo, 'HEAD');
    assert.is(code, 0);
    assert.match(stdout, /^commit \w{12} next\n {2}from the runs kept on this machine, not from a/);
    assert.match(stdout, `run ${run} review`);
    assert.match(stdout, 'a.js:1:1  warning  debugger');
    assert.not.match(stdout, 'no record');
    assert.not.match(stdout, first);
    const [told] = JSON.parse((await show(repo, '--format', 'json')).stdout).commits;
    assert.is(told.commit, commit);
    assert.is(told.record, null);
    assert.is(told.run.origin, 'run');
    assert.is(told.run.outcome.run, run);
    // Each of a range by its own.
    const range = (await show(repo, 'HEAD', 'HEAD~1')).stdout;
    assert.is(range.match(/not from a note/g)?.length, 2);
  }));

test('the note of a commit takes precedence over saved runs', () =>
  withRepo(async repo => {
    const run = await review(repo, '--commit', 'HEAD');
    await note(repo, [await recordFor(repo, { run: 'NOTED' })]);
    const { stdout } = await show(repo);
    assert.match(stdout, 'run NOTED');
    assert.not.match(stdout, run);
    const [told] = JSON.parse((await show(repo, '--format', 'json')).stdout).commits;
    assert.is(told.run, undefined);
    // A note of another tree is told beside the run.
    await note(repo, [await recordFor(repo, { run: 'NOTED', tree: 'a'.repeat(40) })]);
    const other = (await show(repo)).stdout;
    assert.match(other, '1 of another tree');
    assert.match(other, `run ${run} review`);
  }));

test('a damaged saved run is skipped for an older one', () =>
  withRepo(async repo => {
    const older = await review(repo, '--commit', 'HEAD');
    const newer = await review(repo, '--commit', 'HEAD');
    const file = `.git/apfel-bot/outcomes/${newer}.json`;
    const head = await repo.git('rev-parse', 'HEAD');
    await repo.write(file, JSON.stringify({ v: 1, outcome: { run: newer, change: { head } } }));
    assert.match((await show(repo)).stdout, `run ${older} review`);
    await repo.write(`.git/apfel-bot/outcomes/${older}.json`, '{');
    assert.match((await show(repo)).stdout, 'no record; review it with');
  }));

test('a range shows its commits, newest first; several revisions each once', () =>
  withRepo(async repo => {
    for (const name of ['one', 'two', 'three']) await repo.commit({ a: name }, name);
    const subjects = (text: string): string[] =>
      [...text.matchAll(/^commit \w{12} (\w+)$/gm)].map(([, name]) => name ?? '');
    assert.equal(subjects((await show(repo, 'HEAD~2..HEAD')).stdout), ['three', 'two']);
    assert.equal(subjects((await show(repo, 'HEAD~2..')).stdout), ['three', 'two']);
    assert.equal(subjects((await show(repo, '..HEAD~1')).stdout), []);
    assert.equal(subjects((await show(repo, 'HEAD', 'HEAD~1', 'main')).stdout), ['three', 'two']);
    assert.is((await show(repo, 'HEAD..HEAD')).stdout, 'no commits\n');
    assert.is((await show(repo, 'nowhere')).code, 3);
  }));

test('a foreign note controls neither the terminal nor the runner', () =>
  withRepo(async repo => {
    const evil = finding({ message: '::error::x\u001b[2J', evidence: '\u001b]0;x\u0007' });
    await note(repo, [await recordFor(repo, { findings: [evil] })]);
    const text = await show(repo);
    assert.is(text.code, 0);
    assert.match(text.stdout, 'src/a.ts:1  warning  debugger');
    assert.not.match(text.stdout, /[\u001b\u0007]/);
    assert.not.match(text.stdout, /^\s*::/m);
    const json = await show(repo, '--format', 'json');
    assert.is(JSON.parse(json.stdout).commits[0].record.findings[0].id, evil.id);
    assert.not.match(json.stdout, /\u001b/);
  }));

test('a notes ref with garbage in it is a clear failure, not a stack trace', () =>
  withRepo(async repo => {
    const blob = await repo.git('hash-object', '-w', 'README.md');
    await repo.git('update-ref', 'refs/notes/apfel-bot', blob);
    const { code, stderr } = await show(repo);
    assert.is(code, 3, stderr);
    assert.match(stderr, /^apfel-bot: git notes failed/);
    assert.not.match(stderr, / at /);
  }));

test.run();
