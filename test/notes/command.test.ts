import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { apfelBot, type CliRun } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { openRepo, type Repo, withFolder, withRepo } from '../support/with-repo.js';

const test = suite('notes/command');

const notes = (repo: Repo, ...args: string[]): Promise<CliRun> =>
  apfelBot(['notes', ...args], { cwd: repo.dir });

const add = (repo: Repo, text: string): Promise<string> =>
  repo.git('notes', '--ref=apfel-bot', 'add', '-f', '-m', text);

const shown = (repo: Repo): Promise<string> => repo.git('notes', '--ref=apfel-bot', 'show');

const withClones = (body: (one: Repo, two: Repo) => Promise<void>): Promise<void> =>
  withFolder(async folder => {
    const seed = openRepo(join(folder, 'seed'));
    await mkdir(seed.dir);
    await seed.git('init', '--quiet', '--initial-branch', 'main');
    await seed.commit({ 'a.txt': 'a\n' });
    await seed.git('clone', '--quiet', '--bare', seed.dir, join(folder, 'bare.git'));
    const clones: Repo[] = [];
    for (const name of ['one', 'two']) {
      await seed.git('clone', '--quiet', join(folder, 'bare.git'), join(folder, name));
      clones.push(openRepo(join(folder, name)));
    }
    const [one, two] = clones;
    if (one !== undefined && two !== undefined) await body(one, two);
  });

test('two clones that push notes at the same time lose neither line', () =>
  withClones(async (one, two) => {
    await add(one, '{"run":"1"}');
    await add(two, '{"run":"2"}');
    for (const repo of [one, two]) {
      const { code, stdout, stderr } = await notes(repo, 'push');
      assert.is(code, 0, stderr);
      assert.is(stdout, 'pushed the notes\n');
    }
    assert.is((await notes(one, 'fetch', 'origin')).stdout, 'fetched the notes\n');
    assert.is(await shown(one), '{"run":"1"}\n{"run":"2"}');
    assert.is(await shown(two), '{"run":"1"}\n{"run":"2"}');
    assert.is((await notes(one, 'fetch')).stdout, 'nothing new\n');
  }));

test('notes merge adds the lines of another ref', () =>
  withRepo(async repo => {
    await add(repo, '{"run":"1"}');
    await repo.git('notes', '--ref=theirs', 'add', '-m', '{"run":"2"}');
    assert.is((await notes(repo, 'merge', 'refs/notes/theirs')).code, 0);
    assert.is(await shown(repo), '{"run":"1"}\n{"run":"2"}');
    assert.is((await notes(repo, 'merge', 'refs/notes/theirs')).stdout, 'nothing new\n');
    assert.is((await notes(repo, 'merge', 'refs/notes/none')).code, 3);
  }));

test('notes push reports that there are no notes, or no such remote', () =>
  withRepo(async repo => {
    assert.is((await notes(repo, 'push')).stdout, 'no notes yet\n');
    await add(repo, '{"run":"1"}');
    const { code, stderr } = await notes(repo, 'push', 'nowhere');
    assert.is(code, 5, stderr);
    assert.match(stderr, 'there is no remote "nowhere"');
    assert.match(stderr, 'apfel-bot notes push nowhere');
  }));

test('a push that fails gives git’s reason and names the settings that were not used', () =>
  withRepo(async repo => {
    await repo.commit({ 'a.txt': 'a\n' });
    await add(repo, '{"run":"1"}');
    await repo.git('remote', 'add', 'origin', 'ssh://git@127.0.0.1:1/x.git');
    await repo.git('config', 'core.sshCommand', 'false');
    const { code, stderr } = await notes(repo, 'push');
    assert.is(code, 5, stderr);
    assert.not.match(stderr, 'Pushing to');
    assert.match(stderr, /not used: core\.sshcommand, set in this repository's configuration \(/);
    assert.match(stderr, 'They are still here');
  }));

test('a broken notes ref is the only problem reported', () =>
  withRepo(async repo => {
    await repo.git('notes', '--ref=theirs', 'add', '-m', '{"run":"2"}');
    const file = join(repo.dir, '.git/refs/notes/apfel-bot');
    for (const text of ['garbage\n', '', `${'a'.repeat(40)}\n`]) {
      await writeFile(file, text);
      for (const args of [['push'], ['fetch'], ['merge', 'refs/notes/theirs']]) {
        const { code, stdout, stderr } = await notes(repo, ...args);
        assert.is(code, 3, stderr);
        assert.match(stderr, 'refs/notes/apfel-bot is broken');
        assert.match(stderr, `rm "${file}"`);
        assert.is(stdout, '');
      }
      assert.is(await readFile(file, 'utf8'), text, 'left as it was');
    }
    await rm(file);
    assert.is((await notes(repo, 'merge', 'refs/notes/theirs')).code, 0, 'as it was advised');
  }));

test('notes with an unknown action is a usage error', () =>
  withRepo(async repo => {
    for (const args of [[], ['fetsh'], ['merge'], ['push', 'a', 'b']]) {
      const { code } = await notes(repo, ...args);
      assert.is(code, 2, args.join(' '));
    }
    assert.match((await notes(repo, 'fetsh')).stderr, 'did you mean "fetch"?');
  }));

test.run();
