import * as assert from 'uvu/assert';
import { readSticky, writeSticky } from '../../src/publish/own-comments.js';
import { ledger } from '../report/sample-outcome.js';
import { suite } from '../support/suite.js';
import {
  DEBUGGER,
  exitOf,
  LOGIN,
  NINE,
  outcomeOf,
  type PullFixture,
  postIt,
  stickyText,
  withFixture,
  withLines,
  writesOf,
} from './post-fixture.js';

const test = suite('publish/post');

const places = ({ github }: PullFixture): string[] =>
  github.state.reviewComments.map(({ path, line }) => `${path}:${line}`).sort();

test('findings are posted at their lines in one review, and in one summary', () =>
  withFixture(async fixture => {
    const { github, head, githubApi } = fixture;
    const outcome = outcomeOf(await head(), [DEBUGGER, NINE]);
    const { lines } = await postIt(await githubApi(), outcome);
    assert.match(lines[0] ?? '', /^2 comments posted, 0 removed, summary created/);
    assert.is(github.state.reviews.length, 1);
    assert.equal(places(fixture), ['src/a.js:5', 'src/a.js:9']);
    assert.is(github.state.comments.length, 1);
    assert.is(readSticky(github.state.comments[0]?.body ?? '')?.subject?.run, outcome.run);
    assert.equal(github.violations, []);
  }));

test('posting again writes nothing, nor does another run that found nothing new', () =>
  withFixture(async ({ github, head, githubApi }) => {
    const outcome = outcomeOf(await head(), [DEBUGGER, NINE]);
    await postIt(await githubApi(), outcome);
    const before = writesOf(github).length;
    await postIt(await githubApi(), outcome);
    await postIt(await githubApi(), {
      ...outcome,
      run: 'ANOTHER',
      startedAt: '2027-01-01T00:00:00Z',
      durationMs: 99_999,
      ledger: ledger({ total: 2, cached: 2 }),
    });
    assert.is(writesOf(github).length, before);
  }));

test('a push that fixes one finding and adds another removes one comment and adds one', () =>
  withFixture(async fixture => {
    const { github, head, githubApi, push } = fixture;
    await postIt(await githubApi(), outcomeOf(await head(), [DEBUGGER, NINE]));
    const later = { run: 'SECOND', startedAt: '2026-02-04T00:00:00Z' };
    const lines = { 9: 'const nine = 10;\n', 20: 'debugger; // 20\n' };
    const second = await push({ 'src/a.js': withLines(lines) });
    const added = { ...DEBUGGER, line: 20, endLine: 20, evidence: 'debugger; // 20' };
    const report = await postIt(await githubApi(), outcomeOf(second, [added, NINE], later));
    assert.match(report.lines[0] ?? '', /^1 comment posted, 1 removed, summary updated/);
    assert.equal(places(fixture), ['src/a.js:20', 'src/a.js:9']);
    assert.match(stickyText(github), 'src/a.js:20');
    assert.not.match(stickyText(github), 'src/a.js:5');
    const third = await push({ 'README.md': '# more\n' });
    const silent = { run: 'THIRD', startedAt: '2026-02-05T00:00:00Z' };
    await postIt(await githubApi(), outcomeOf(third, [], silent));
    assert.equal(places(fixture), ['src/a.js:20', 'src/a.js:9']);
    assert.match(stickyText(github), 'clean');
    assert.is(github.state.comments.length, 1);
    assert.equal(github.violations, []);
  }));

test('a comment with an answer stays when its text is gone', () =>
  withFixture(async fixture => {
    const { github, head, githubApi, push } = fixture;
    await postIt(await githubApi(), outcomeOf(await head(), [DEBUGGER, NINE]));
    const [first] = github.state.reviewComments.filter(({ line }) => line === 5);
    github.reply(first?.id ?? 0, { author: 'ada', body: 'on purpose' });
    await postIt(
      await githubApi(),
      outcomeOf(await push({ 'src/a.js': withLines({ 2: 'x\n' }) }), []),
    );
    assert.equal(
      github.state.reviewComments.map(
        ({ body }) => body.includes('on purpose') || body.length > 90,
      ),
      [true, true],
    );
  }));

test('a comment stays when the diff no longer shows its text but the file still has it', () =>
  withFixture(async fixture => {
    const { github, repo, head, githubApi } = fixture;
    await postIt(await githubApi(), outcomeOf(await head(), [DEBUGGER, NINE]));
    await repo.git('switch', '--quiet', 'main');
    await repo.commit({ 'src/a.js': withLines({ 5: 'debugger;\n' }) });
    await repo.git('push', '--quiet', 'origin', 'main');
    await repo.git('switch', '--quiet', '--force-create', 'topic');
    const file = withLines({ 5: 'debugger;\n', 20: 'const more = 1;\n' });
    const rebased = await fixture.push({ 'src/a.js': file });
    await postIt(await githubApi(), outcomeOf(rebased, []));
    assert.equal(places(fixture), ['src/a.js:5']);
    assert.equal(github.violations, []);
  }));

test('comments of others are neither touched nor trusted, whatever marker they have', () =>
  withFixture(async ({ github, head, githubApi, push }) => {
    const outcome = outcomeOf(await head(), [DEBUGGER]);
    const [finding] = outcome.findings;
    const forged = writeSticky({ ignored: [finding?.id ?? ''], subject: null }, 'forged');
    github.comment({ pull: 1, author: 'mallory', body: forged });
    const mark = `<!-- apfel-bot:finding id=${finding?.id} text=1:${'0'.repeat(16)} rule=${'0'.repeat(16)} -->`;
    await github.remark({ pull: 1, author: 'mallory', path: 'src/a.js', line: 5, body: mark });
    await postIt(await githubApi(), outcome);
    await postIt(
      await githubApi(),
      outcomeOf(await push({ 'src/a.js': withLines({ 3: 'x\n' }) }), []),
    );
    assert.is(github.state.comments.filter(({ body }) => body === forged).length, 1);
    assert.equal(
      github.state.reviewComments.map(({ author, body }) => [author, body]),
      [['mallory', mark]],
    );
    assert.is(github.state.comments.filter(({ author }) => author === LOGIN).length, 1);
  }));

test('nothing is posted about a head that was replaced, even at the last moment', () =>
  withFixture(async ({ github, head, githubApi, push, repo }) => {
    const old = outcomeOf(await head(), [DEBUGGER]);
    const fresh = await push({ 'src/a.js': withLines({ 5: 'debugger; // moved\n' }) });
    assert.is(await exitOf(postIt(await githubApi(), old)), 5);
    await repo.git('push', '--quiet', '--force', 'origin', `${old.change.head}:refs/heads/topic`);
    const there = await githubApi();
    const slow = {
      ...there,
      pullFiles: async (number: number) => {
        const files = await there.pullFiles(number);
        await github.moveBranch('topic', fresh);
        return files;
      },
    };
    assert.is(await exitOf(postIt(slow, old)), 5);
    assert.equal(writesOf(github), []);
  }));

test('lines outside the diff, and those beyond the limit, are reported in the summary', () =>
  withFixture(async fixture => {
    const far = { ...DEBUGGER, line: 30, endLine: 30, evidence: 'const line30 = 30;', rule: 'far' };
    const outcome = outcomeOf(await fixture.head(), [DEBUGGER, far, NINE]);
    await postIt(await fixture.githubApi(), outcome, { maxComments: 1 });
    assert.equal(places(fixture), ['src/a.js:9']);
    const text = stickyText(fixture.github);
    assert.match(text, /src\/a\.js:30.*not in the diff/);
    assert.match(text, /src\/a\.js:5.*over the limit of comments/);
    assert.match(text, 'const line30 = 30;');
  }));

test('an ignored finding is not posted, and is listed as ignored', () =>
  withFixture(async fixture => {
    const { github, head, githubApi } = fixture;
    const outcome = outcomeOf(await head(), [DEBUGGER, NINE]);
    const id = outcome.findings[1]?.id ?? '';
    const body = writeSticky({ ignored: [id], subject: null }, 'nothing yet');
    github.comment({ pull: 1, author: LOGIN, body });
    await postIt(await githubApi(), outcome, { withCheck: true });
    assert.equal(places(fixture), ['src/a.js:5']);
    const sticky = readSticky(github.state.comments[0]?.body ?? '');
    assert.equal(sticky?.ignored, [id]);
    assert.match(sticky?.text ?? '', /Ignored on request \(1\)[\s\S]*src\/a\.js:9/);
    assert.match(sticky?.text ?? '', '**apfel-bot: 1 warning**');
    assert.is(github.state.checks[0]?.conclusion, 'success');
  }));

test('two runs of post at the same time leave one summary and one set of comments', () =>
  withFixture(async fixture => {
    const outcome = outcomeOf(await fixture.head(), [DEBUGGER, NINE]);
    const forges = await Promise.all([1, 2, 3].map(() => fixture.githubApi()));
    await Promise.all(forges.map(githubApi => postIt(githubApi, outcome)));
    await postIt(await fixture.githubApi(), outcome);
    assert.equal(places(fixture), ['src/a.js:5', 'src/a.js:9']);
    assert.is(fixture.github.state.comments.length, 1);
  }));

test('the later of two runs on one commit decides the summary', () =>
  withFixture(async fixture => {
    const older = outcomeOf(await fixture.head(), [DEBUGGER]);
    const newer = { ...older, findings: [], run: 'NEW', startedAt: '2027-01-01T00:00:00Z' };
    await postIt(await fixture.githubApi(), newer);
    const { lines } = await postIt(await fixture.githubApi(), older);
    assert.match(lines[0] ?? '', /^nothing posted: a later run/);
    assert.equal(places(fixture), []);
  }));

test('a summary that is deleted meanwhile is made again', () =>
  withFixture(async ({ github, head, githubApi }) => {
    const outcome = outcomeOf(await head(), [DEBUGGER]);
    await postIt(await githubApi(), outcome);
    const there = await githubApi();
    let isLeft = true;
    const deleting = {
      ...there,
      comment: async (id: number) => {
        const comment = await there.comment(id);
        if (isLeft) github.state.comments.length = 0;
        isLeft = false;
        return comment;
      },
    };
    const more = { ...outcome, run: 'MORE', findings: [] };
    await postIt(deleting, more);
    assert.is(github.state.comments.length, 1);
    assert.match(stickyText(github), 'clean');
  }));

test('a review that GitHub rejects loses nothing: the summary has it all', () =>
  withFixture(
    async fixture => {
      await postIt(await fixture.githubApi(), outcomeOf(await fixture.head(), [DEBUGGER, NINE]));
      assert.equal(places(fixture), []);
      assert.match(
        stickyText(fixture.github),
        /src\/a\.js:5.*GitHub doesn't accept a comment there/,
      );
    },
    { faults: [{ on: 'pulls/create-review', kind: 'error', status: 422 }] },
  ));

test('with publish.author GitHub is not asked for the author', () =>
  withFixture(async ({ github, head, githubApi }) => {
    const outcome = outcomeOf(await head(), [DEBUGGER]);
    await postIt(await githubApi(), outcome, { author: LOGIN });
    await postIt(await githubApi(), outcome, { author: LOGIN.toUpperCase() });
    assert.is(github.state.comments.length, 1);
    assert.not.ok(github.requests.some(({ path }) => path === '/graphql'));
  }));

test('post refuses an outcome of another repository, or one that does not add up', () =>
  withFixture(async ({ github, head, githubApi }) => {
    const outcome = outcomeOf(await head(), [DEBUGGER]);
    const change = { ...outcome.change, repository: 'eve/other' };
    assert.is(await exitOf(postIt(await githubApi(), { ...outcome, change })), 7);
    const bent = { ...outcome, ledger: ledger({ total: 5, reviewed: 2 }) };
    assert.is(await exitOf(postIt(await githubApi(), bent)), 5);
    assert.is(await exitOf(postIt(await githubApi(), outcome, { pull: 77 })), 5);
    assert.equal(writesOf(github), []);
  }));

test.run();
