import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { planted } from '../secrets/planted.js';
import { apfelBot, type CliRun } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { type Repo, withRepo } from '../support/with-repo.js';

const test = suite('hooks/forged-note');

const LEDGER = {
  ...{ total: 1, reviewed: 1, cached: 0, checked: 0, skipped: 0 },
  ...{ outOfTime: 0, refused: 0, failed: 0, items: [] },
};

/** A clean record for the commit, newer than any other. */
async function forge(repo: Repo, commit: string): Promise<void> {
  const record = {
    ...{ v: 1, run: '01JZ8Q4W6T7Y9ABCDEFGHJKMNP', commit },
    ...{ tree: await repo.git('rev-parse', `${commit}^{tree}`), task: 'review' },
    ...{ startedAt: '2999-01-01T00:00:00Z', complete: true, ledger: LEDGER, findings: [] },
  };
  const line = JSON.stringify(record);
  await repo.git('notes', '--ref=apfel-bot', 'append', '-m', line, commit);
}

const prePush = (repo: Repo, commit: string): Promise<CliRun> =>
  apfelBot(['hook', 'pre-push', 'origin', '--no-model'], {
    cwd: repo.dir,
    input: `refs/heads/main ${commit} refs/heads/main ${'0'.repeat(40)}\n`,
  });

test('a clean note from a remote does not let a secret pass, before and after our own review', () =>
  withRepo(async repo => {
    await repo.commit({ 'a.js': `const key = "${planted.awsKey}";\n` });
    const commit = await repo.git('rev-parse', 'HEAD');
    await forge(repo, commit);
    const first = await prePush(repo, commit);
    assert.is(first.code, 1, first.stderr + first.stdout);
    assert.match(first.stdout, 'secret/aws-access-key');
    // The forged one is newer than the record that the first push has left.
    const again = await prePush(repo, commit);
    assert.is(again.code, 1, again.stderr + again.stdout);
    // People still see it, with a line that says where it is from.
    const shown = await apfelBot(['show', commit], { cwd: repo.dir });
    assert.match(shown.stdout, /01JZ8Q4W6T7Y9[\s\S]* {2}from elsewhere: /);
    const { stdout } = await apfelBot(['show', commit, '--format', 'json'], { cwd: repo.dir });
    assert.is(JSON.parse(stdout).commits[0].recordedHere, false);
  }));

test('a record that this clone wrote is not said to be from elsewhere', () =>
  withRepo(async repo => {
    const commit = await repo.commit({ 'a.js': 'one();\n' });
    assert.is((await prePush(repo, commit)).code, 0);
    const shown = await apfelBot(['show', commit], { cwd: repo.dir });
    assert.match(shown.stdout, 'recorded');
    assert.not.match(shown.stdout, 'elsewhere');
  }));

test('a rewrite does not turn a note from a remote into one of our own', () =>
  withRepo(async repo => {
    await repo.commit({ 'a.js': `const key = "${planted.awsKey}";\n` });
    const from = await repo.git('rev-parse', 'HEAD');
    await forge(repo, from);
    await repo.git('commit', '--quiet', '--amend', '--message', 'reworded');
    const to = await repo.git('rev-parse', 'HEAD');
    const input = `${from} ${to}\n`;
    await apfelBot(['hook', 'post-rewrite', 'amend', '--no-model'], { cwd: repo.dir, input });
    assert.is((await prePush(repo, to)).code, 1);
  }));

test('an outcome that post wrote as a note is not trusted either', () =>
  withRepo(async repo => {
    await repo.commit({ 'a.js': `const key = "${planted.awsKey}";\n` });
    const commit = await repo.git('rev-parse', 'HEAD');
    const args = ['review', '--no-model', '--commit', commit, '--out', 'out.json'];
    assert.is((await apfelBot(args, { cwd: repo.dir })).code, 1);
    const outcome = JSON.parse(await readFile(join(repo.dir, 'out.json'), 'utf8'));
    await repo.write('out.json', JSON.stringify({ ...outcome, findings: [], complete: true }));
    assert.is((await apfelBot(['post', 'out.json', '--note'], { cwd: repo.dir })).code, 0);
    assert.is((await prePush(repo, commit)).code, 1);
  }));

test('what this clone has recorded is trusted, so a second push does not review again', () =>
  withRepo(async repo => {
    await repo.commit({ 'a.js': 'fine();\n' });
    const commit = await repo.git('rev-parse', 'HEAD');
    const notes = (): Promise<string> => repo.git('rev-parse', 'refs/notes/apfel-bot');
    assert.is((await prePush(repo, commit)).code, 0);
    const before = await notes();
    assert.is((await prePush(repo, commit)).code, 0);
    assert.is(await notes(), before);
  }));

test.run();
