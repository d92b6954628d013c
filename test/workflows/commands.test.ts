import * as assert from 'uvu/assert';
import { perfectModel } from '../agent/simulation/perfect-model.js';
import { ESLINT_CONFIG } from '../fix/lint-project.js';
import { reviewer } from '../support/reviewer.js';
import { suite } from '../support/suite.js';
import type { WorkflowRun } from './run-workflow.js';
import { type Actions, withActions } from './with-actions.js';

const FILE = 'workflows/commands.yml';

const test = suite('workflows/commands');

const logOf = ({ jobs }: WorkflowRun): string =>
  Object.values(jobs)
    .flat()
    .map(({ log }) => log)
    .join('\n');

const reactions = ({ hub }: Actions): string[] => hub.state.reactions.map(each => each.content);

/** No machine but the admitting one was started. */
function mustHaveStopped(run: WorkflowRun, admitted: 'success' | 'skipped'): void {
  const skipped = { run: 'skipped', post: 'skipped', push: 'skipped', failed: 'skipped' };
  assert.equal(run.results, { admit: admitted, ...skipped }, logOf(run));
}

const POSTED = {
  admit: 'success',
  run: 'success',
  post: 'success',
  push: 'skipped',
  failed: 'skipped',
};

test('/apfel review by a person who may write gives a reaction, a review and a summary', () =>
  withActions(
    async actions => {
      const run = await actions.run(FILE, actions.comment('/apfel review'));
      assert.equal(run.results, POSTED, logOf(run));
      assert.equal(reactions(actions), ['eyes']);
      // One step has it, to fetch the change; whatever talks to the model or lints has not.
      const steps = run.jobs['run']?.[0]?.seen ?? [];
      const mac = steps.filter(env => !('NUMBER' in env)).flatMap(env => Object.values(env));
      assert.ok(mac.length > 0);
      for (const token of run.tokens) assert.not.ok(mac.some(text => text.includes(token)));
      assert.ok(actions.apfel.requests.length > 0);
      assert.match(actions.ours()[0]?.body ?? '', /1 error/);
      assert.equal(
        actions.hub.state.reviewComments.map(({ path, line }) => `${path}:${line}`),
        ['a.js:2'],
      );
    },
    {
      change: { 'a.js': 'one();\nif (at <= list.length) two();\n' },
      policy: reviewer({ sees: ['at <= list.length'] }),
    },
  ));

test('/apfel ask is answered in a comment', () =>
  withActions(
    async actions => {
      const question = '/apfel ask What is the value of high in src/limits.ts?';
      const run = await actions.run(FILE, actions.comment(question));
      assert.equal(run.results, POSTED, logOf(run));
      assert.match(actions.ours()[0]?.body ?? '', /The value of high is 17/);
    },
    {
      change: { 'src/limits.ts': 'export const low = 3;\nexport const high = 17;\n' },
      policy: perfectModel,
    },
  ));

const LINTED = {
  before: {
    'eslint.config.js': ESLINT_CONFIG,
    '.gitignore': 'node_modules\n',
    'package-lock.json': '{}',
  },
  change: { 'src/a.js': 'exports.one = 1\n' },
};

test('/apfel fix-lint gives a branch, a pull request and an answer that names it', () =>
  withActions(async actions => {
    const { hub, pull } = actions;
    const run = await actions.run(FILE, actions.comment('/apfel fix-lint'));
    const ended = { admit: 'success', run: 'success', push: 'success' };
    assert.equal(run.results, { ...ended, post: 'skipped', failed: 'skipped' }, logOf(run));
    const [, opened] = hub.state.pulls;
    const branch = `apfel-bot/fix-lint-${pull.headSha.slice(0, 12)}`;
    assert.equal([opened?.headRef, opened?.base], [branch, 'topic']);
    await actions.repo.git('fetch', '--quiet', 'origin', branch);
    assert.is(await actions.repo.git('show', 'FETCH_HEAD:src/a.js'), 'exports.one = 1;');
    assert.match(actions.ours().at(-1)?.body ?? '', new RegExp(`#${opened?.number}|${branch}`));
  }, LINTED));

test.long('by a stranger: a refusal, and the Mac is not started', () =>
  withActions(
    async actions => {
      for (const body of ['/apfel review', '/apfel fix-lint', '/apfel ask why?']) {
        const run = await actions.run(FILE, actions.comment(body, 'eve'));
        mustHaveStopped(run, 'success');
        assert.match(logOf(run), /^refused: /m);
      }
      // Once is enough: who writes it again and again does not get us to do so.
      assert.is(actions.ours().length, 1);
      assert.match(actions.ours()[0]?.body ?? '', /write permission/);
      assert.equal(actions.apfel.requests, []);
    },
    { github: { isPrivate: false } },
  ),
);

test('a command by a bot does nothing', () =>
  withActions(async actions => {
    const open = await actions.run(
      FILE,
      actions.comment('/apfel review', 'x[bot]', { type: 'Bot' }),
    );
    mustHaveStopped(open, 'skipped');
    const hidden = await actions.run(FILE, actions.comment('/apfel review', 'x[bot]'));
    mustHaveStopped(hidden, 'success');
    assert.equal(actions.hub.writes(), []);
  }));

for (const [what, body, more] of [
  ['an ordinary comment', 'Looks good. /apfel review', {}],
  ['a command on an issue', '/apfel review', { isOnIssue: true }],
] as const) {
  test(`${what} starts no machine`, () =>
    withActions(async actions => {
      mustHaveStopped(await actions.run(FILE, actions.comment(body, 'grace', more)), 'skipped');
      assert.equal(actions.hub.requests, []);
    }));
}

test.long('an edited comment does not start the workflow', () =>
  withActions(async actions => {
    const event = actions.comment('/apfel review');
    const { results } = await actions.run(FILE, { ...event, action: 'edited' });
    assert.equal(results, {});
  }),
);

test('/apfel help is answered without the Mac', () =>
  withActions(async actions => {
    mustHaveStopped(await actions.run(FILE, actions.comment('/apfel help')), 'success');
    assert.match(actions.ours()[0]?.body ?? '', /fix-lint/);
  }));

test.long("a fork's change is reviewed when someone who may write asks for it", () =>
  withActions(
    async actions => {
      const run = await actions.run(FILE, actions.comment('/apfel review'));
      assert.equal(run.results, POSTED, logOf(run));
      assert.match(actions.ours()[0]?.body ?? '', /1 warning/);
    },
    { isFork: true },
  ),
);

test.long("a fork's lint is not fixed, and the Mac is not started", () =>
  withActions(
    async actions => {
      mustHaveStopped(await actions.run(FILE, actions.comment('/apfel fix-lint')), 'success');
      assert.match(actions.ours()[0]?.body ?? '', /fork/);
    },
    { ...LINTED, isFork: true },
  ),
);

for (const [what, isLost] of [
  ['that finds no model', undefined],
  ['whose Mac was lost', (job: string) => job === 'run'],
] as const) {
  test.long(`a command ${what} is reported with a link to the run`, () =>
    withActions(
      async actions => {
        actions.apfel.setModelAvailable(false);
        const run = await actions.run(FILE, actions.comment('/apfel ask why?'));
        const { run: ran, post, failed } = run.results;
        assert.equal([ran, post, failed], ['failure', 'skipped', 'success'], logOf(run));
        assert.is(actions.ours().length, 1);
        assert.match(actions.ours()[0]?.body ?? '', /\/ada\/engine\/actions\/runs\/\d+/);
      },
      isLost === undefined ? {} : { isLost },
    ),
  );
}

test.long('what was pushed meanwhile is not commented on, and the failure is reported', () =>
  withActions(async actions => {
    const event = actions.comment('/apfel review');
    actions.pass(5);
    const { repo } = actions;
    const run = await actions.run(FILE, event, async job => {
      if (job !== 'post') return;
      await repo.commit({ 'a.js': 'one();\n' }, 'more');
      await repo.git('push', '--quiet', 'origin', 'topic');
    });
    assert.equal([run.results['post'], run.results['failed']], ['failure', 'success'], logOf(run));
    assert.equal(actions.hub.state.reviewComments, []);
  }),
);

test.run();
