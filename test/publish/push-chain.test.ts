import { readFile, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as assert from 'uvu/assert';
import { ESLINT_CONFIG } from '../fix/lint-project.js';
import { type CommentedPull, REPOSITORY, withCommentedPull } from '../respond/commented-pull.js';
import { apfelBot, type CliRun } from '../support/cli.js';
import { suite } from '../support/suite.js';

const test = suite('publish/push-chain');

const PROJECT = {
  before: { 'eslint.config.js': ESLINT_CONFIG, '.gitignore': 'node_modules\n' },
  change: { 'src/a.js': 'var a = 1\nmodule.exports = { a, one: 1, one: 2 }\n' },
};

interface Jobs {
  readonly out: string;
  push(): Promise<CliRun>;
}

/** The three jobs of the workflow: the token is in the first and the last. */
async function commanded(pull: CommentedPull): Promise<Jobs> {
  const folder = join(pull.repo.dir, '..');
  const out = join(folder, 'outcome.json');
  await symlink(resolve('node_modules'), join(pull.repo.dir, 'node_modules'));
  const comment = pull.say('/apfel fix-lint');
  assert.is((await pull.respond(comment)).code, 0);
  const request = join(folder, `request-${comment.id}.json`);
  const ran = await apfelBot(['run', request, '--out', out, '--no-model'], { cwd: pull.repo.dir });
  assert.is(ran.code, 0, ran.stderr);
  const env = {
    GITHUB_REPOSITORY: REPOSITORY,
    GITHUB_API_URL: pull.github.url,
    GITHUB_TOKEN: pull.github.token,
  };
  // Nothing of the project is where the token is.
  return { out, push: () => apfelBot(['push', out, '--answer'], { cwd: folder, env }) };
}

test.long('a command in a comment ends in a branch, a pull request and an answer', () =>
  withCommentedPull(async pull => {
    const { out, push } = await commanded(pull);
    const { branch } = JSON.parse(await readFile(out, 'utf8'));
    const run = await push();
    assert.is(run.code, 0, run.stderr);
    const [, fix] = pull.github.state.pulls;
    assert.is(fix?.headSha, branch.commit);
    assert.is(fix?.base, 'topic');
    assert.match(fix?.title ?? '', /^Fix 3 linter diagnostics: semi, no-var$/);
    assert.match(fix?.body ?? '', /1 left[\s\S]*no-dupe-keys/);
    assert.is(pull.ours().length, 1);
    assert.match(pull.ours()[0] ?? '', '3 of 4 linter diagnostics fixed, 1 left');
    const writes = pull.github.writes().length;
    assert.is((await push()).code, 0);
    assert.is(pull.github.writes().length, writes, 'the second time there is nothing to write');
    assert.equal(pull.github.violations, []);
  }, PROJECT),
);

test.long('what was pushed while the command ran is not fixed over', () =>
  withCommentedPull(async pull => {
    const { push } = await commanded(pull);
    pull.pass(5);
    await pull.push({ 'src/a.js': 'exports.a = 1;\n' });
    const run = await push();
    assert.is(run.code, 5, run.stderr);
    assert.match(run.stderr, /is now at [0-9a-f]+; nothing was pushed[\s\S]*The outcome is kept/);
    assert.is(pull.github.state.pulls.length, 1);
  }, PROJECT),
);

test.run();
