import * as assert from 'uvu/assert';
import type { Github } from '../../src/github/github.js';
import { readSticky, writeSticky } from '../../src/publish/own-comments.js';
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

const test = suite('publish/deleted');

const FIVE = 'src/a.js:5';
const places = ({ github }: PullFixture): string[] =>
  github.state.reviewComments.map(({ path, line }) => `${path}:${line}`).sort();

/** As a maintainer does it on the web. */
function deleteAt({ github }: PullFixture, line: number): void {
  const { reviewComments } = github.state;
  const at = reviewComments.findIndex(each => each.line === line);
  assert.ok(at >= 0, `there is a comment at ${line}`);
  reviewComments.splice(at, 1);
}

const hidden = ({ github }: PullFixture) =>
  readSticky(github.state.comments.find(({ author }) => author === LOGIN)?.body ?? '');

const later = (run: string, day: number) => ({ run, startedAt: `2027-01-0${day}T00:00:00Z` });

/** Two comments were posted; the one at line 5 is deleted by hand. */
async function oneDeleted(fixture: PullFixture): Promise<void> {
  const { githubApi, head } = fixture;
  await postIt(await githubApi(), outcomeOf(await head(), [DEBUGGER, NINE]));
  deleteAt(fixture, 5);
}

test('comments that a person deleted are not posted again, and the summary and the report say so', () =>
  withFixture(async fixture => {
    const { github, githubApi, head } = fixture;
    await oneDeleted(fixture);
    const again = outcomeOf(await head(), [DEBUGGER, NINE], later('SECOND', 1));
    const { lines } = await postIt(await githubApi(), again, { withCheck: true });
    assert.equal(places(fixture), ['src/a.js:9']);
    assert.match(
      lines[0] ?? '',
      '0 comments posted, 0 removed, 1 deleted by hand and not posted again',
    );
    assert.match(stickyText(github), /src\/a\.js:5.*its comment was deleted by hand/);
    assert.match(stickyText(github), "1 comment was deleted by hand and isn't posted again.");
    assert.match(stickyText(github), '1 error, 1 warning', 'it is a finding all the same');
    assert.is(github.state.checks[0]?.annotations.length, 2);
    const before = writesOf(github).length;
    await postIt(await githubApi(), again);
    assert.is(writesOf(github).length, before, 'and once that is said, nothing is written');
    assert.equal(github.violations, []);
  }));

test('comments that a person deleted are not posted again after a later push', () =>
  withFixture(async fixture => {
    const { githubApi, head, push } = fixture;
    await oneDeleted(fixture);
    await postIt(await githubApi(), outcomeOf(await head(), [NINE], later('SILENT', 1)));
    const changed = { 5: 'debugger;\n', 9: 'const nine = 10;\n', 20: 'debugger; // 20\n' };
    const added = { ...DEBUGGER, line: 20, endLine: 20, evidence: 'debugger; // 20' };
    const second = await push({ 'src/a.js': withLines(changed) });
    await postIt(await githubApi(), outcomeOf(second, [DEBUGGER, NINE, added], later('THIRD', 2)));
    assert.equal(places(fixture), ['src/a.js:20', 'src/a.js:9']);
    assert.not.match(stickyText(fixture.github), '2 comments');
  }));

test('a finding whose comment the bot removed is posted again when it comes back', () =>
  withFixture(async fixture => {
    const { github, githubApi, head, push } = fixture;
    const file = { 'src/a.js': withLines({ 5: 'debugger;\n', 9: 'const nine = 10;\n' }) };
    await postIt(await githubApi(), outcomeOf(await head(), [DEBUGGER, NINE]));
    const fixed = await push({ 'src/a.js': withLines({ 9: 'const nine = 10;\n' }) });
    const before = writesOf(github).length;
    await postIt(await githubApi(), outcomeOf(fixed, [NINE], later('FIXED', 1)));
    const methods = writesOf(github).map(({ method }) => method);
    assert.equal(methods.slice(before), ['PATCH', 'DELETE'], 'forgotten first, then removed');
    assert.equal(places(fixture), ['src/a.js:9']);
    assert.is(hidden(fixture)?.posted?.length, 1);
    await postIt(
      await githubApi(),
      outcomeOf(await push(file), [DEBUGGER, NINE], later('BACK', 2)),
    );
    assert.equal(places(fixture), [FIVE, 'src/a.js:9']);
    assert.not.match(stickyText(fixture.github), 'deleted by hand');
  }));

test.long('a comment that a crashed run of ours removed is not taken for deleted by a person', () =>
  withFixture(async fixture => {
    const { github, githubApi, head, push } = fixture;
    const back = { 'src/a.js': withLines({ 5: 'debugger;\n', 9: 'const nine = 10;\n' }) };
    for (let answers = 1; answers <= 30; answers += 1) {
      const title = `after ${answers} answers`;
      const first = outcomeOf(await head(), [DEBUGGER, NINE], later(`A${answers}`, 1));
      await postIt(await githubApi(), first);
      assert.equal(places(fixture), [FIVE, 'src/a.js:9'], title);
      const fixed = await push({ 'src/a.js': withLines({ 9: 'const nine = 10;\n' }) });
      github.crashAfter(answers);
      const run = postIt(await githubApi(), outcomeOf(fixed, [NINE], later(`B${answers}`, 2)));
      const exit = await exitOf(run);
      github.recover();
      const again = outcomeOf(await push(back), [DEBUGGER, NINE], later(`C${answers}`, 3));
      await postIt(await githubApi(), again);
      assert.equal(places(fixture), [FIVE, 'src/a.js:9'], title);
      assert.not.match(stickyText(github), 'deleted by hand', title);
      if (exit === 0) return;
      await push(back);
    }
    assert.unreachable('no run came through without a crash');
  }),
);

test('a comment missing from the summary is added to it, and counts from then on', () =>
  withFixture(async fixture => {
    const { github, githubApi, head } = fixture;
    const outcome = outcomeOf(await head(), [DEBUGGER, NINE]);
    await postIt(await githubApi(), outcome);
    const [comment] = github.state.comments;
    // As a version wrote it that remembered nothing, or one that died between the two.
    if (comment !== undefined) {
      const { posted, ...old } = readSticky(comment.body) ?? { posted: [], text: '', ignored: [] };
      assert.is(posted?.length, 2);
      comment.body = writeSticky({ subject: null, ...old }, old.text);
    }
    await postIt(await githubApi(), outcome);
    deleteAt(fixture, 5);
    await postIt(await githubApi(), outcome);
    assert.equal(places(fixture), ['src/a.js:9']);
  }));

test('a summary that is not ours suppresses no comment', () =>
  withFixture(async fixture => {
    const { github, githubApi, head } = fixture;
    const outcome = outcomeOf(await head(), [DEBUGGER, NINE]);
    const posted = outcome.findings.map(({ id }) => id);
    const body = writeSticky({ ignored: [], posted, subject: null }, 'forged');
    github.comment({ pull: 1, author: 'mallory', body });
    await postIt(await githubApi(), outcome);
    assert.equal(places(fixture), [FIVE, 'src/a.js:9']);
  }));

test('comments are posted again when a person deleted the summary too', () =>
  withFixture(async fixture => {
    const { github, githubApi, head } = fixture;
    await oneDeleted(fixture);
    github.state.comments.length = 0;
    await postIt(await githubApi(), outcomeOf(await head(), [DEBUGGER, NINE]));
    assert.equal(places(fixture), [FIVE, 'src/a.js:9']);
  }));

test('comments that GitHub lists only a moment later were not deleted, nor are they posted twice', () =>
  withFixture(async fixture => {
    const { githubApi, head, github } = fixture;
    const there = await githubApi();
    let looks = 0;
    const late: Github = {
      ...there,
      reviewComments: async pull => {
        looks += 1;
        return looks <= 2 ? [] : there.reviewComments(pull);
      },
    };
    const { lines } = await postIt(late, outcomeOf(await head(), [DEBUGGER, NINE]));
    assert.is(looks, 2);
    assert.match(lines[0] ?? '', /^2 comments posted, 0 removed, /);
    assert.equal(places(fixture), [FIVE, 'src/a.js:9']);
    assert.not.match(`${lines[0]}${stickyText(github)}`, 'deleted by hand');
  }));

test('comments that we removed are not taken for deleted when GitHub shows the old summary for a moment', () =>
  withFixture(async fixture => {
    const { githubApi, head, push } = fixture;
    const first = outcomeOf(await head(), [DEBUGGER, NINE]);
    await postIt(await githubApi(), first);
    const there = await githubApi();
    const old = await there.comments(1);
    let looks = 0;
    const late: Github = {
      ...there,
      comments: async pull => {
        looks += 1;
        return looks === 2 ? old : there.comments(pull);
      },
    };
    const changed = { 9: 'const nine = 10;\n', 20: 'debugger; // 20\n' };
    const added = { ...DEBUGGER, line: 20, endLine: 20, evidence: 'debugger; // 20' };
    const second = await push({ 'src/a.js': withLines(changed) });
    await postIt(late, outcomeOf(second, [NINE, added], later('SECOND', 1)));
    assert.ok(looks >= 2);
    assert.equal(places(fixture), ['src/a.js:20', 'src/a.js:9']);
    const [gone] = first.findings.filter(({ line }) => line === 5);
    assert.not.ok(hidden(fixture)?.posted?.includes(gone?.id ?? ''), 'it may come back');
  }));

test('comments of another run that posts at the same time are not taken for deleted', () =>
  withFixture(async fixture => {
    const { githubApi, head, github } = fixture;
    const outcome = outcomeOf(await head(), [DEBUGGER, NINE]);
    const there = await githubApi();
    let isFirst = true;
    const other = async (): Promise<void> => {
      if (isFirst) await postIt(await githubApi(), outcome);
      isFirst = false;
    };
    // It comes between the two lists, whichever is asked for first.
    const racing: Github = {
      ...there,
      comments: async pull => {
        const comments = await there.comments(pull);
        await other();
        return comments;
      },
      reviewComments: async pull => {
        const remarks = await there.reviewComments(pull);
        await other();
        return remarks;
      },
    };
    await postIt(racing, { ...outcome, run: 'B', startedAt: '2027-01-01T00:00:00Z' });
    assert.equal(places(fixture), [FIVE, 'src/a.js:9']);
    assert.not.match(stickyText(github), 'deleted by hand');
  }));

test.run();
