import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { validateRequest } from '../../src/generated/validate-request.js';
import { readSticky } from '../../src/publish/own-comments.js';
import { apfelBot } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { withFolder } from '../support/with-repo.js';
import { REPOSITORY, withCommentedPull } from './commented-pull.js';

const test = suite('respond/command');

test('an accepted command is bound to the commits of that moment', () =>
  withCommentedPull(async pull => {
    const comment = pull.say('/apfel review');
    const { code, stdout, stderr, request } = await pull.respond(comment);
    assert.is(code, 0, stderr);
    assert.is(stdout, `run: review on #1 at ${pull.head}; grace has write permission\n`);
    assert.equal(validateRequest(request), []);
    assert.equal(request, {
      version: 1,
      decision: 'run',
      reason: 'grace has write permission',
      verb: 'review',
      args: [],
      repository: REPOSITORY,
      pull: 1,
      base: pull.base,
      head: pull.head,
      headRepository: REPOSITORY,
      comment: comment.id,
    });
    assert.equal(pull.reactions(), ['eyes']);
    assert.equal(pull.ours(), []);
    assert.equal(pull.github.violations, []);
  }));

test('a person without write permission is refused with exit 7 and one comment', () =>
  withCommentedPull(async pull => {
    for (const body of ['/apfel fix-lint', '/apfel help']) {
      const { code, request, stdout } = await pull.respond(pull.say(body, 'eve'));
      assert.is(code, 7);
      assert.is(request?.decision, 'refuse');
      assert.match(stdout, /^refused: only people with write permission/);
    }
    assert.is(pull.ours().length, 1);
    assert.equal(pull.reactions(), ['-1', '-1']);
    assert.equal(pull.github.violations, []);
  }));

test('the permission is read from GitHub, not from the event', () =>
  withCommentedPull(async pull => {
    const comment = pull.say('/apfel review');
    pull.github.state.roles.set('grace', 'triage');
    assert.is((await pull.respond(comment)).code, 7);
  }));

test('help is answered once, however often the job runs', () =>
  withCommentedPull(async pull => {
    const comment = pull.say('/apfel help');
    for (const _ of [1, 2]) assert.is((await pull.respond(comment)).request?.decision, 'answered');
    assert.is(pull.ours().length, 1);
    assert.match(pull.ours()[0] ?? '', /`\/apfel ignore ID`/);
    assert.equal(pull.github.violations, []);
  }));

test('respond stores an ignored finding in the summary', () =>
  withCommentedPull(async pull => {
    for (const id of ['0123456789abcdef', 'fedcba9876543210']) {
      assert.is((await pull.respond(pull.say(`/apfel ignore ${id}`))).code, 0);
    }
    const summaries = pull.ours().map(readSticky).filter(Boolean);
    assert.equal(
      summaries.map(each => each?.ignored),
      [['0123456789abcdef', 'fedcba9876543210']],
    );
    assert.equal(pull.github.violations, []);
  }));

test('a command after a push is refused, and the command that the answer suggests is accepted', () =>
  withCommentedPull(async pull => {
    const comment = pull.say('/apfel fix-lint');
    pull.pass(5);
    const pushed = await pull.push({ 'a.js': 'three();\n' });
    const refused = await pull.respond(comment);
    assert.is(refused.code, 7);
    const again = /^ {4}(\/apfel .*)$/m.exec(pull.ours()[0] ?? '')?.[1] ?? '';
    assert.is(again, `/apfel fix-lint ${pushed}`);
    const { code, request } = await pull.respond(pull.say(again));
    assert.is(code, 0);
    assert.is(request?.head, pushed);
    assert.equal(request?.args, [pushed]);
  }));

test('a comment that was edited before respond read it is refused', () =>
  withCommentedPull(async pull => {
    const comment = pull.say('/apfel review');
    pull.pass(5);
    const edited = pull.github.state.comments.find(({ id }) => id === comment.id);
    if (edited !== undefined) edited.updatedAt = '2026-05-01T12:01:05Z';
    const { code, stdout } = await pull.respond(comment);
    assert.is(code, 7);
    assert.match(stdout, /the comment was edited/);
  }));

test('a fork may be reviewed, but its linters do not run', () =>
  withCommentedPull(async pull => {
    const fork = await pull.github.fork('eve');
    await pull.repo.git('push', '--quiet', fork, 'topic:theirs');
    const { number } = await pull.github.openPull({ head: 'eve:theirs', author: 'eve' });
    pull.pass(5);
    const say = (body: string) => pull.github.comment({ pull: number, author: 'grace', body });
    const review = await pull.respond(say('/apfel review'));
    assert.is(review.code, 0, review.stderr);
    assert.is(review.request?.headRepository, 'eve/engine');
    const fix = await pull.respond(say('/apfel fix-lint'));
    assert.is(fix.code, 7);
    assert.match(fix.stdout, /doesn't run on a change from a fork/);
  }));

test('commands on locked and closed pull requests are refused, on a locked one without an answer', () =>
  withCommentedPull(async pull => {
    const comment = pull.say('/apfel review');
    pull.github.lock(pull.number);
    assert.is((await pull.respond(comment)).code, 7);
    assert.equal(pull.ours(), []);
  }).then(() =>
    withCommentedPull(async pull => {
      const comment = pull.say('/apfel review');
      pull.github.closePull(pull.number);
      assert.is((await pull.respond(comment)).code, 7);
      assert.match(pull.ours()[0] ?? '', /the pull request is closed/);
    }),
  ));

test('a comment without a command needs no token', () =>
  withCommentedPull(async pull => {
    const env = { GITHUB_TOKEN: '' };
    const { code, stdout, request } = await pull.respond(pull.say('Nice!'), { env });
    assert.is(code, 0);
    assert.is(stdout, "ignored: the first line isn't a command\n");
    assert.is(request?.decision, 'ignore');
    assert.equal(pull.github.requests, []);
    const command = await pull.respond(pull.say('/apfel review'), { env });
    assert.is(command.code, 5);
    assert.match(command.stderr, /GITHUB_TOKEN is not set/);
  }));

test('respond --dry-run reads everything and writes nothing', () =>
  withCommentedPull(async pull => {
    const { code, stderr, request } = await pull.respond(pull.say('/apfel nonsense'), {
      args: ['--dry-run'],
    });
    assert.is(code, 7);
    assert.match(stderr, /would comment on #1/);
    assert.is(request, undefined);
    assert.equal(
      pull.github.writes().filter(({ path }) => path !== '/graphql'),
      [],
    );
  }));

test('a failure of a later job is reported once, with a link to the run', () =>
  withCommentedPull(async pull => {
    const comment = pull.say('/apfel review');
    const { request } = await pull.respond(comment);
    await withFolder(async dir => {
      const file = join(dir, 'request.json');
      await writeFile(file, JSON.stringify(request));
      for (const run of ['77', '77', '78']) {
        const { code, stderr } = await apfelBot(['respond', '--failed', file], {
          cwd: dir,
          env: {
            GITHUB_REPOSITORY: REPOSITORY,
            GITHUB_API_URL: pull.github.url,
            GITHUB_TOKEN: pull.github.token,
            GITHUB_RUN_ID: run,
          },
        });
        assert.is(code, 0, stderr);
      }
    });
    assert.is(pull.ours().length, 1);
    assert.match(
      pull.ours()[0] ?? '',
      /`\/apfel review` failed .* https:\/\/github\.com\/ada\/engine\/actions\/runs\/78\n$/,
    );
    assert.equal(pull.github.violations, []);
  }));

test('respond without an event names what is missing', () =>
  withFolder(async dir => {
    const { code, stderr } = await apfelBot(['respond'], { cwd: dir });
    assert.is(code, 2);
    assert.match(stderr, /GITHUB_EVENT_PATH, which is not set/);
    const env = { GITHUB_EVENT_PATH: join(dir, 'none.json') };
    assert.is((await apfelBot(['respond'], { cwd: dir, env })).code, 2);
  }));

test.run();
