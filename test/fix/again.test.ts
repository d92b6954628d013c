import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { startStandIn } from '../../fixtures/apfel/stand-in.js';
import { apfelBot } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { type Repo, withRepo } from '../support/with-repo.js';
import { fixJson, scriptedFixer } from './lint-project.js';
import { wordsProject } from './words-project.js';

const test = suite('fix/again');

const FILES = { ...wordsProject(), 'a.txt': 'alpha\nbeta\n' };
const NO_MODEL = ['--no-model'];

const subjects = (repo: Repo, branch: string | undefined): Promise<string> =>
  repo.git('log', '--format=%an: %s', `main..${branch}`);

test('a rerun on the same base updates a branch that only the bot has written to', () =>
  withRepo(async repo => {
    await repo.commit(FILES);
    const first = await fixJson(repo, NO_MODEL);
    const name = first.outcome.branch?.name;
    assert.is(name, `apfel-bot/fix-lint-${(await repo.git('rev-parse', 'HEAD')).slice(0, 12)}`);
    const fix = { to: 'beta', path: 'a.txt', oldText: 'beta', newText: 'BETA' };
    const server = await startStandIn({ policy: scriptedFixer([fix]) });
    const second = await fixJson(repo, ['--base-url', server.baseUrl]);
    await server.close();
    assert.is(second.outcome.branch?.name, name);
    assert.is(await repo.git('show', `${name}:a.txt`), 'Alpha\nBETA');
    assert.is(
      await subjects(repo, name),
      'apfel-bot: Fix words beta (1 place), worth a look\napfel-bot: Fix words alpha (1 place)',
      'replaced, not added to',
    );
    assert.is(await repo.git('rev-parse', `${name}~2`), await repo.git('rev-parse', 'main'));
  }));

test('a dry run says nothing about the branch of an earlier run', () =>
  withRepo(async repo => {
    await repo.commit(FILES);
    await fixJson(repo, NO_MODEL);
    const earlier = /was left alone/;
    const none = ['--no-model', '--rule', 'beta'];
    assert.match((await fixJson(repo, none)).outcome.notices.join('\n'), earlier);
    const { outcome } = await fixJson(repo, [...none, '--dry-run']);
    assert.not.match(outcome.notices.join('\n'), earlier);
  }));

test('the line for a pull request repeats the run, with its outcome where git does not look', () =>
  withRepo(async repo => {
    await repo.commit({ ...FILES, 'sub dir/b.txt': 'alpha\n' });
    const cwd = join(repo.dir, 'sub dir');
    const run = await apfelBot(['fix-lint', '--no-model', '--rule', 'alpha,beta'], { cwd });
    const line = /GITHUB_TOKEN set: apfel-bot (.*); apfel-bot push (.*)$/m.exec(run.stdout) ?? [];
    const [, again = '', file = ''] = line;
    assert.is(again, `fix-lint --rule alpha,beta --out ${file} --no-model`);
    await apfelBot(again.split(' '), { cwd });
    assert.ok(existsSync(join(cwd, file)) && existsSync(join(cwd, file.replace('json', 'bundle'))));
    assert.is(await repo.git('status', '--porcelain'), '');
  }));

test('a branch with commits of other people is left alone, and a new name is used', () =>
  withRepo(async repo => {
    await repo.commit(FILES);
    const { outcome } = await fixJson(repo, NO_MODEL);
    const name = outcome.branch?.name ?? '';
    await repo.git('checkout', '--quiet', name);
    await repo.commit({ 'b.txt': 'theirs\n' }, 'Theirs');
    await repo.git('checkout', '--quiet', 'main');
    const theirs = await repo.git('rev-parse', name);
    const again = await fixJson(repo, NO_MODEL);
    assert.is(again.outcome.branch?.name, `${name}-2`);
    assert.is(await repo.git('rev-parse', name), theirs);
    assert.ok(
      again.outcome.notices.some(line => line.startsWith(`the branch ${name} was left alone: `)),
      again.outcome.notices.join('\n'),
    );
    const third = await fixJson(repo, NO_MODEL);
    assert.is(third.outcome.branch?.name, `${name}-2`, 'ours is used again');
  }));

test('a branch that is checked out is never moved', () =>
  withRepo(async repo => {
    await repo.commit(FILES);
    const { outcome } = await fixJson(repo, NO_MODEL);
    const name = outcome.branch?.name ?? '';
    const before = await repo.git('rev-parse', name);
    await repo.git('worktree', 'add', '--quiet', '../theirs', name);
    // Another result, so that there is something to update.
    const again = await fixJson(repo, [...NO_MODEL, '--single-commit']);
    assert.is(again.outcome.branch?.name, `${name}-2`);
    assert.is(await repo.git('rev-parse', name), before);
    await repo.git('worktree', 'remove', '--force', '../theirs');
  }));

test('edits, staged files and commits made while it runs are not lost', () =>
  withRepo(async repo => {
    const base = await repo.commit(FILES);
    const fix = { to: 'beta', path: 'a.txt', oldText: 'beta', newText: 'BETA' };
    const server = await startStandIn({ policy: scriptedFixer([fix]), latencyMs: 1500 });
    const running = fixJson(repo, ['--base-url', server.baseUrl]);
    while (server.requests.length === 0) await new Promise(done => setTimeout(done, 20));
    const theirs = await repo.commit({ 'a.txt': 'alpha\nbeta\nmine\n' }, 'Meanwhile');
    await repo.stage('staged.txt', 'staged\n');
    await repo.write('a.txt', 'not saved anywhere\n');
    const index = await repo.git('ls-files', '--stage');
    const { outcome, code } = await running;
    await server.close();
    assert.is(code, 0);
    const name = outcome.branch?.name ?? '';
    assert.is(outcome.branch?.base, base);
    assert.is(name, `apfel-bot/fix-lint-${base.slice(0, 12)}`);
    assert.is(await repo.git('merge-base', name, 'main'), base, 'it starts where it said');
    assert.is(await repo.git('show', `${name}:a.txt`), 'Alpha\nBETA');
    assert.is(await repo.git('rev-parse', 'main'), theirs);
    assert.is(await repo.git('ls-files', '--stage'), index);
    assert.match(await repo.git('diff', '--', 'a.txt'), /\+not saved anywhere/);
    await repo.git('fsck', '--strict');
  }));

test('a rerun with fewer fixes keeps the branch of the earlier run and says so', () =>
  withRepo(async repo => {
    const texts = { 'a.txt': 'alpha\n', 'b.txt': 'alpha\n', 'c.txt': 'alpha\n' };
    await repo.commit({ ...wordsProject(), ...texts });
    const first = await fixJson(repo, ['--no-model']);
    const second = await fixJson(repo, ['--no-model', '--max-fixes', '2']);
    const third = await fixJson(repo, ['--no-model', '--max-fixes', '1']);
    const name = first.outcome.branch?.name ?? '';
    assert.is(await repo.git('rev-parse', name), first.outcome.branch?.commit);
    assert.is(second.outcome.branch?.name, `${name}-2`);
    assert.is(await repo.git('rev-parse', `${name}-2`), second.outcome.branch?.commit);
    assert.is(third.outcome.branch?.name, `${name}-3`);
    const noted = third.outcome.notices.filter(notice => notice.includes('was left alone'));
    assert.equal(noted, [
      `the branch ${name} was left alone: it has 3 fixes from an earlier run, this one has 1`,
      `the branch ${name}-2 was left alone: it has 2 fixes from an earlier run, this one has 1`,
    ]);
  }));

test('a rerun without any fix names the branch of the earlier run', () =>
  withRepo(async repo => {
    await repo.commit({ ...wordsProject(), 'a.txt': 'alpha\n' });
    const none = await fixJson(repo, ['--no-model', '--rule', 'nothing-like-this']);
    assert.not.match(none.outcome.notices.join(), /branch/);
    const { branch } = (await fixJson(repo, ['--no-model'])).outcome;
    const again = await fixJson(repo, ['--no-model', '--rule', 'nothing-like-this']);
    assert.is(again.outcome.branch, undefined);
    assert.ok(
      again.outcome.notices.includes(
        `the branch ${branch?.name} was left alone: it has 1 fix from an earlier run, this one has none`,
      ),
      again.outcome.notices.join('\n'),
    );
  }));

test.run();
