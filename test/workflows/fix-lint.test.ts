import * as assert from 'uvu/assert';
import { ESLINT_CONFIG } from '../fix/lint-project.js';
import { suite } from '../support/suite.js';
import type { WorkflowEvent } from './made-event.js';
import type { WorkflowRun } from './run-workflow.js';
import { type Actions, withActions } from './with-actions.js';

const FILE = 'workflows/fix-lint.yml';

const test = suite('workflows/fix-lint');

const PROJECT = {
  'eslint.config.js': ESLINT_CONFIG,
  '.gitignore': 'node_modules\n',
  'package-lock.json': '{}',
};
const LINTED = {
  before: { ...PROJECT, 'src/old.js': 'exports.old = 0\n' },
  change: { 'src/a.js': 'exports.one = 1\n' },
};
const DONE = { fork: 'skipped', fix: 'success', publish: 'success' };
const NOTHING = { fork: 'skipped', fix: 'skipped', publish: 'skipped' };

const logOf = ({ jobs }: WorkflowRun): string =>
  Object.values(jobs)
    .flatMap(all => all.map(({ log }) => log))
    .join('\n');

async function byHand(actions: Actions): Promise<WorkflowEvent> {
  const ref = 'refs/heads/main';
  const workflow = '.github/workflows/fix-lint.yml';
  const payload = { inputs: {}, ref, workflow, repository: { full_name: 'ada/engine' } };
  const where = { ref, sha: await actions.main(), isFromFork: false };
  return { name: 'workflow_dispatch', payload, ...where };
}

test('the fix-lint workflow started by hand fixes the whole branch in a pull request', () =>
  withActions(async actions => {
    const run = await actions.run(FILE, await byHand(actions));
    assert.equal(run.results, DONE, logOf(run));
    const [, opened] = actions.hub.state.pulls;
    assert.is(opened?.base, 'main');
    await actions.repo.git('fetch', '--quiet', 'origin', opened?.headRef ?? '');
    assert.is(await actions.repo.git('show', 'FETCH_HEAD:src/old.js'), 'exports.old = 0;');
  }, LINTED));

test.long('the label has it fix the changed lines, in a pull request to the branch', () =>
  withActions(async actions => {
    const run = await actions.run(FILE, await actions.pullEvent('labeled', 'fix-lint'));
    assert.equal(run.results, DONE, logOf(run));
    const [, opened] = actions.hub.state.pulls;
    assert.is(opened?.base, 'topic');
    await actions.repo.git('fetch', '--quiet', 'origin', opened?.headRef ?? '');
    assert.is(await actions.repo.git('show', 'FETCH_HEAD:src/a.js'), 'exports.one = 1;');
    assert.is(await actions.repo.git('show', 'FETCH_HEAD:src/old.js'), 'exports.old = 0');
    assert.is(actions.ours().length, 1);
  }, LINTED),
);

test.long('where a linter did not finish, what was verified is published, and the run fails', () =>
  withActions(
    async actions => {
      const run = await actions.run(FILE, await byHand(actions));
      assert.equal(run.results, { ...DONE, fix: 'failure' }, logOf(run));
      assert.match(logOf(run), /absent.*(not installed|did not finish|could not)/);
      const [, opened] = actions.hub.state.pulls;
      await actions.repo.git('fetch', '--quiet', 'origin', opened?.headRef ?? '');
      assert.is(await actions.repo.git('show', 'FETCH_HEAD:src/old.js'), 'exports.old = 0;');
    },
    {
      before: {
        ...LINTED.before,
        'package.json': JSON.stringify({ scripts: { lint: 'eslint src' } }),
        '.apfel-bot.json': JSON.stringify({
          lint: [{ name: 'absent', command: ['no-such-linter'], format: 'gcc' }],
        }),
      },
    },
  ),
);

test.long('another label starts no machine', () =>
  withActions(async actions => {
    const run = await actions.run(FILE, await actions.pullEvent('labeled', 'bug'));
    assert.equal(run.results, NOTHING);
  }, LINTED),
);

test("a fork's lint is not fixed, and the reason is reported", () =>
  withActions(
    async actions => {
      const run = await actions.run(FILE, await actions.pullEvent('labeled', 'fix-lint'));
      assert.equal(run.results, { ...NOTHING, fork: 'success' });
      assert.match(run.jobs['fork']?.[0]?.summary ?? '', /a linter runs code of the change/);
      assert.equal(actions.hub.writes(), []);
    },
    { ...LINTED, isFork: true },
  ));

test.long('where there is nothing to fix no branch is pushed', () =>
  withActions(
    async actions => {
      const run = await actions.run(FILE, await byHand(actions));
      assert.equal(run.results, DONE, logOf(run));
      assert.is(actions.hub.state.pulls.length, 1);
      assert.equal(
        actions.hub.gitRequests.filter(({ service }) => service === 'push'),
        [],
      );
    },
    { before: PROJECT },
  ),
);

test.run();
