import * as assert from 'uvu/assert';
import type { TokenOptions } from '../../fixtures/github/actor.js';
import { isBotError } from '../../src/core/bot-error.js';
import { troubleOf } from '../../src/github/failure.js';
import type { Github } from '../../src/github/github.js';
import { type PullFixture, withFixture, withLines } from '../publish/post-fixture.js';
import { suite } from '../support/suite.js';

const test = suite('github/client');

const TOKENS: readonly TokenOptions[] = [
  { token: 'ghs_test' },
  { token: 'app', login: 'apfel[bot]' },
  { token: 'person', login: 'ada', kind: 'user' },
  { token: 'reader', permissions: { contents: 'read', pull_requests: 'read' } },
];

const inScene = (body: (fixture: PullFixture, githubApi: Github) => Promise<void>): Promise<void> =>
  withFixture(async fixture => body(fixture, await fixture.githubApi()), { tokens: TOKENS });

async function failureOf(work: Promise<unknown>): Promise<{ text: string; trouble: unknown }> {
  try {
    await work;
  } catch (thrown) {
    if (!isBotError(thrown)) throw thrown;
    const text = `${thrown.code}: ${thrown.message} | ${thrown.hint}`;
    return { text, trouble: troubleOf(thrown) };
  }
  throw new Error('it did not fail');
}

test('the client knows which user each kind of token writes as', () =>
  inScene(async ({ githubApi }, own) => {
    assert.is(await own.login(), 'github-actions[bot]');
    assert.is(await (await githubApi({ token: 'app' })).login(), 'apfel[bot]');
    assert.is(await (await githubApi({ token: 'person' })).login(), 'ada');
    const { text } = await failureOf((await githubApi({ token: 'wrong' })).login());
    assert.match(text, /^publish-failed: GitHub rejected the token \(401 Bad credentials\)/);
  }));

test("the client asks for the user where GraphQL has no viewer; a workflow's token has neither", () =>
  inScene(async ({ github, githubApi }) => {
    const fault = { on: 'POST /graphql', kind: 'error', status: 404 } as const;
    github.addFault(fault);
    assert.is(await (await githubApi()).login(), 'github-actions[bot]');
    github.addFault(fault);
    assert.is(await (await githubApi({ token: 'person' })).login(), 'ada');
  }));

test('pull requests and their files are read, and missing ones are reported', () =>
  inScene(async ({ head }, githubApi) => {
    const pull = await githubApi.pull(1);
    assert.is(pull?.head.sha, await head());
    assert.is(pull?.head.repository, 'ada/fixture');
    assert.ok(pull?.isOpen && !pull.isLocked);
    assert.is(await githubApi.pull(99), undefined);
    const [file, ...others] = await githubApi.pullFiles(1);
    assert.is(file?.path, 'src/a.js');
    assert.match(file?.patch ?? '', '+debugger;');
    assert.equal(others, []);
  }));

test('comments are written, read, changed and deleted, and deleting twice is fine', () =>
  inScene(async ({ github }, githubApi) => {
    const made = await githubApi.createComment(1, 'one');
    assert.is((await githubApi.comment(made.id))?.author, 'github-actions[bot]');
    assert.ok(made.isBot);
    await githubApi.updateComment(made.id, 'two');
    await githubApi.react(made.id, 'eyes');
    assert.equal(
      (await githubApi.comments(1)).map(({ body }) => body),
      ['two'],
    );
    await githubApi.deleteComment(made.id);
    await githubApi.deleteComment(made.id);
    assert.is(await githubApi.comment(made.id), undefined);
    assert.is((await failureOf(githubApi.updateComment(made.id, 'x'))).trouble, 'gone');
    assert.equal(github.violations, []);
  }));

test('every page of a long conversation is read, and each comment once', () =>
  inScene(async ({ github }, githubApi) => {
    for (let at = 0; at < 230; at += 1) {
      github.comment({ pull: 1, author: 'ada', body: `comment ${at}` });
    }
    const comments = await githubApi.comments(1);
    assert.is(new Set(comments.map(({ body }) => body)).size, 230);
    assert.is(comments.length, 230);
  }));

test('one review carries comments on lines, spans and removed lines', () =>
  inScene(async ({ head, push }, githubApi) => {
    await push({ 'src/a.js': withLines({ 4: 'four;\n', 5: 'five;\n' }) });
    const comments = [
      { path: 'src/a.js', line: 5, side: 'RIGHT', startLine: 4, body: 'span' } as const,
      { path: 'src/a.js', line: 5, side: 'RIGHT', startLine: 5, body: 'line' } as const,
      { path: 'src/a.js', line: 4, side: 'LEFT', startLine: 4, body: 'left' } as const,
    ];
    await githubApi.createReview(1, { commit: await head(), body: 'x', comments });
    const seen = await githubApi.reviewComments(1);
    assert.equal(
      seen.map(({ body, line, side }) => [body, line, side]),
      [
        ['span', 5, 'RIGHT'],
        ['line', 5, 'RIGHT'],
        ['left', 4, 'LEFT'],
      ],
    );
    const at = { line: 29, startLine: 29, side: 'RIGHT' } as const;
    const outside = { path: 'src/a.js', ...at, body: 'x' };
    const options = { commit: await head(), body: 'x', comments: [outside] };
    assert.is((await failureOf(githubApi.createReview(1, options))).trouble, 'refused');
    await githubApi.deleteReviewComment(seen[0]?.id ?? 0);
    await githubApi.deleteReviewComment(seen[0]?.id ?? 0);
    assert.is((await githubApi.reviewComments(1)).length, 2);
  }));

test('a write whose answer is lost is reported as uncertain and never repeated; a read is repeated', () =>
  inScene(async ({ github }, githubApi) => {
    for (const kind of [
      'error-after-write',
      'reset-after-write',
      'malformed',
      'truncated',
    ] as const) {
      github.state.comments.length = 0;
      github.addFault({ on: 'issues/create-comment', kind });
      assert.is((await failureOf(githubApi.createComment(1, kind))).trouble, 'unknown', kind);
      assert.is(github.state.comments.length, 1, kind);
      github.addFault({ on: 'issues/list-comments', kind, times: 2 });
      assert.is((await githubApi.comments(1)).length, 1, kind);
    }
  }));

test('a refusal says which permission is missing, and where it is given', () =>
  inScene(async ({ github, githubApi }, own) => {
    const reader = await githubApi({ token: 'reader' });
    const { text } = await failureOf(reader.createComment(1, 'x'));
    assert.match(text, /^not-permitted: the token may not post a comment \(403 Resource not/);
    assert.match(text, /permissions: (?:issues|pull-requests): write.*workflow_run/);
    const check = { name: 'x', commit: 'x', digest: 'x', conclusion: 'success' } as const;
    const whole = { ...check, title: 'x', summary: 'x', annotations: [] };
    const person = await githubApi({ token: 'person' });
    assert.match(
      (await failureOf(person.createCheck(whole))).text,
      /authenticate via a GitHub App/,
    );
    github.lock(1);
    assert.match((await failureOf(own.createComment(1, 'x'))).text, /^not-permitted: .* is locked/);
    github.archive();
    assert.match((await failureOf(own.createComment(1, 'x'))).text, /^not-permitted: .* archived/);
  }));

test('a check is listed only for its commit and name', () =>
  inScene(async ({ head }, githubApi) => {
    const commit = await head();
    const check = { name: 'one', commit, digest: 'd', conclusion: 'success' } as const;
    await githubApi.createCheck({ ...check, title: 'x', summary: 'x', annotations: [] });
    const digests = (await githubApi.checks(commit, 'one')).map(({ digest }) => digest);
    assert.equal(digests, ['d']);
    assert.equal(await githubApi.checks(commit, 'two'), []);
  }));

test('a rate limit that ends after the deadline is reported with its end', () =>
  inScene(async ({ github }, githubApi) => {
    github.addFault({ on: 'pulls/get', kind: 'primary-limit', waitSeconds: 36_000_000 });
    const { text } = await failureOf(githubApi.pull(1));
    assert.match(text, /^publish-failed: GitHub's rate limit does not let us read.*lifted at 20/);
    github.addFault({ on: 'pulls/get', kind: 'secondary-limit', waitSeconds: 2, times: 1 });
    assert.is((await githubApi.pull(1))?.number, 1, 'a short one is waited for');
    github.addFault({ on: 'pulls/get', kind: 'secondary-limit', waitSeconds: 2, times: 2 });
    assert.is((await githubApi.pull(1))?.number, 1, 'a second one too');
    github.addFault({ on: 'pulls/get', kind: 'secondary-limit', waitSeconds: 2, times: 3 });
    assert.match((await failureOf(githubApi.pull(1))).text, /rate limit does not let us read/);
  }));

test('the client sends nothing more after the deadline', () =>
  inScene(async ({ github, githubApi }) => {
    const late = await githubApi({ deadlineMs: 400 });
    github.addFault({ on: 'pulls/get', kind: 'slow', delayMs: 600_000 });
    assert.match((await failureOf(late.pull(1))).text, /the time was up before we could read/);
  }));

test("people, branches and the bot's own pull requests are read", () =>
  withFixture(
    async ({ github, repo, githubApi: open }) => {
      const githubApi = await open();
      assert.is(await githubApi.permissionOf('ada'), 'admin');
      assert.is(await githubApi.permissionOf('tom'), 'triage');
      assert.is(await githubApi.permissionOf('nobody-at-all'), 'none');
      assert.is(await githubApi.defaultBranch(), 'main');
      assert.is(await githubApi.branchHead('nowhere'), undefined);
      await repo.git('push', '--quiet', 'origin', 'topic:refs/heads/apfel-bot/fix-lint-1');
      const head = 'apfel-bot/fix-lint-1';
      assert.is(await githubApi.branchHead(head), await repo.git('rev-parse', 'topic'));
      assert.equal(await githubApi.pullsFrom(head), []);
      const options = { title: 'Fix', body: 'x', head, base: 'main' };
      const made = await githubApi.createPull(options);
      assert.equal(
        (await githubApi.pullsFrom(head)).map(({ number }) => number),
        [made.number],
      );
      assert.is((await failureOf(githubApi.createPull(options))).trouble, 'refused');
      await githubApi.updatePull(made.number, { title: 'Better', body: 'x' });
      assert.is((await githubApi.pull(made.number))?.title, 'Better');
      assert.equal(github.violations, []);
    },
    { roles: { tom: 'triage' } },
  ));

test('GitHub knows when the head moved, the dates in commits do not', () =>
  inScene(async ({ github, push }, githubApi) => {
    const before = await githubApi.headMovedAt(1);
    await push({ 'src/a.js': withLines({ 7: 'later;\n' }) });
    await githubApi.pull(1);
    const after = (await githubApi.headMovedAt(1)) ?? '';
    assert.ok(Math.abs(Date.parse(after) - Date.now()) < 60_000, after);
    assert.ok(before === undefined || before <= after);
    assert.equal(github.violations, []);
  }));

test('a server without a list of pushes still gives the date of the head', () =>
  inScene(async ({ github, push }, githubApi) => {
    await push({ 'src/a.js': withLines({ 7: 'later;\n' }) });
    await githubApi.pull(1);
    github.addFault({ on: 'repos/list-activities', kind: 'error', status: 404 });
    const moved = (await githubApi.headMovedAt(1)) ?? '';
    assert.match(moved, /^\d{4}-\d\d-\d\dT/);
  }));

test('a token that may not read the pushes of its own repository is a failure, not a head that never moved', () =>
  inScene(async ({ github }, githubApi) => {
    github.addFault({ on: 'repos/list-activities', kind: 'error', status: 403 });
    assert.match(
      (await failureOf(githubApi.headMovedAt(1))).text,
      /^not-permitted: .*contents: read/,
    );
  }));

test.run();
