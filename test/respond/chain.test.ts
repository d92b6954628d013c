import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { Outcome } from '../../src/core/outcome.js';
import { apfelBot, type CliRun } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { type CommentedPull, REPOSITORY, withCommentedPull } from './commented-pull.js';

const test = suite('respond/chain');
const NO_MODEL = { APFEL_BOT_BASE_URL: 'http://127.0.0.1:9/v1' };

/** The three jobs of the workflow: the token is in the first and the last. */
async function commanded(pull: CommentedPull, body: string) {
  const folder = join(pull.repo.dir, '..');
  const [cwd, out] = [pull.repo.dir, join(folder, 'outcome.json')];
  const comment = pull.say(body);
  assert.is((await pull.respond(comment)).code, 0);
  const request = join(folder, `request-${comment.id}.json`);
  const ran = await apfelBot(['run', request, '--out', out], { cwd, env: NO_MODEL });
  assert.is(ran.code, 0, ran.stderr);
  const outcome: Outcome = JSON.parse(await readFile(out, 'utf8'));
  const post = (): Promise<CliRun> =>
    apfelBot(['post', out], {
      cwd,
      env: {
        GITHUB_REPOSITORY: REPOSITORY,
        GITHUB_API_URL: pull.github.url,
        GITHUB_TOKEN: pull.github.token,
      },
    });
  return { outcome, post };
}

const CHANGE = { change: { 'a.js': 'one();\ndebugger;\n' } };

test.long('what is ignored in a comment stays silent in later reviews', () =>
  withCommentedPull(async pull => {
    const first = await commanded(pull, '/apfel review');
    assert.is((await first.post()).code, 0);
    const id = first.outcome.findings[0]?.id;
    assert.match(pull.ours()[0] ?? '', /1 warning/);
    assert.is((await pull.respond(pull.say(`/apfel ignore ${id}`))).code, 0);
    const second = await commanded(pull, '/apfel review');
    assert.is((await second.post()).code, 0);
    assert.not.match(pull.ours()[0] ?? '', /1 warning/);
    assert.match(pull.ours()[0] ?? '', /Ignored on request \(1\)/);
    assert.equal(pull.github.violations, []);
  }, CHANGE),
);

test.long('what was pushed while the command ran is not commented on', () =>
  withCommentedPull(async pull => {
    const { post } = await commanded(pull, '/apfel review');
    pull.pass(5);
    await pull.push({ 'a.js': 'one();\n' });
    await post();
    assert.equal(pull.github.state.reviewComments, []);
    for (const ours of pull.ours()) assert.not.match(ours, /1 warning/);
  }, CHANGE),
);

test.run();
