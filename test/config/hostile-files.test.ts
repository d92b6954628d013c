import { execFileSync } from 'node:child_process';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { apfelBotProcess as apfelBot } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { type Repo, withRepo } from '../support/with-repo.js';

const test = suite('config/hostile-files');

const RULE = '.apfel-bot/rules/a.md';

/** What can stand there instead of a file, and what is reported about it. */
const THINGS: Readonly<Record<string, readonly [make: (path: string) => unknown, said: RegExp]>> = {
  'an endless device': [path => symlink('/dev/zero', path), /leads out of the repository/],
  'a link to a file elsewhere': [path => symlink('/etc/hosts', path), /leads out of the/],
  'a pipe': [path => execFileSync('mkfifo', [path]), /: it is a pipe, not a file/],
  'a folder': [path => mkdir(path), /: it is a folder, not a file/],
  'a huge file': [
    path => writeFile(path, ' '.repeat(2 ** 20 + 1)),
    /: it has 1048577 bytes; at most/,
  ],
};

async function withThing(
  place: string,
  make: (path: string) => unknown,
  body: (repo: Repo) => Promise<void>,
): Promise<void> {
  await withRepo(async repo => {
    await repo.commit({ 'a.js': 'one();\n' });
    await repo.stage('a.js', 'two();\n');
    await mkdir(join(repo.dir, '.apfel-bot/rules'), { recursive: true });
    await make(join(repo.dir, place));
    await body(repo);
  });
}

for (const [name, [make, said]] of Object.entries(THINGS)) {
  const places = ['.apfel-bot.json', 'package.json', RULE];
  test(`${name} in place of the configuration or a rule is an error, and lets a commit pass`, () =>
    Promise.all(
      places.map(place =>
        withThing(place, make, async repo => {
          const env = { APFEL_BOT_BASE_URL: 'http://127.0.0.1:9/v1' };
          // Rules are read where there is a model to ask, and to explain them.
          const args = place === RULE ? ['plan', '--explain', 'a.js'] : ['review', '--no-model'];
          const review = await apfelBot(args, { cwd: repo.dir, env });
          assert.is(review.code, 2, `${place}: ${review.stderr}`);
          assert.match(review.stderr, said);
          assert.match(review.stderr, place);
          const hook = await apfelBot(['hook', 'pre-commit'], { cwd: repo.dir, env });
          assert.is(hook.code, 0, `${place}: ${hook.stderr}`);
        }),
      ),
    ));
}

test('a link to a file of the same repository is followed', () =>
  withThing(
    '.apfel-bot.json',
    path => symlink('settings.json', path),
    async repo => {
      await writeFile(join(repo.dir, 'settings.json'), '{"review":{"failOn":"nonsense"}}');
      const { code, stderr } = await apfelBot(['review', '--no-model'], { cwd: repo.dir });
      assert.is(code, 2);
      assert.match(stderr, /failOn/);
    },
  ));

test('a configuration, an outcome, a request and a report nested 100,000 deep are errors, not crashes', () =>
  withRepo(async repo => {
    await repo.commit({ 'a.js': 'one();\n' });
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    await writeFile(join(repo.dir, '.apfel-bot.json'), `{"review":${deep}}`);
    const inConfig = await apfelBot(['review', '--no-model'], { cwd: repo.dir });
    assert.is(inConfig.code, 2, inConfig.stderr);
    assert.match(inConfig.stderr, 'nested more than 100 deep');
    await rm(join(repo.dir, '.apfel-bot.json'));
    await writeFile(join(repo.dir, 'deep.json'), `{"a":${deep}}`);
    for (const args of [
      ['post', 'deep.json'],
      ['run', 'deep.json'],
      ['merge', 'deep.json'],
      ['show', 'deep.json'],
    ]) {
      const { code, stderr } = await apfelBot(args, { cwd: repo.dir });
      assert.is(code, 2, `${args}: ${stderr}`);
    }
  }));

test.run();
