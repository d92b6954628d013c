import * as assert from 'uvu/assert';
import { apfelBot } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { withRepo } from '../support/with-repo.js';

const test = suite('cli/token-set');

test('in CI one line names the token and the step it belongs to; elsewhere nothing is printed', () =>
  withRepo(async repo => {
    await repo.commit({ 'a.js': 'one();\n' });
    const token = { GITHUB_TOKEN: 'x', ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'y', EMPTY_TOKEN: '' };
    const args = ['review', '--no-model', '--commit', 'HEAD'];
    const run = await apfelBot(args, { cwd: repo.dir, env: { ...token, CI: 'true' } });
    assert.is(run.code, 0, run.stderr);
    assert.match(
      run.stderr,
      'could read GITHUB_TOKEN, ACTIONS_ID_TOKEN_REQUEST_TOKEN; set it only',
    );
    const outsideCi = await apfelBot(args, { cwd: repo.dir, env: token });
    assert.not.match(outsideCi.stderr, 'TOKEN');
  }));

test.run();
