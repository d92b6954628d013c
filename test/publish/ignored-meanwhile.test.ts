import * as assert from 'uvu/assert';
import type { Github } from '../../src/github/github.js';
import { readSticky, writeSticky } from '../../src/publish/own-comments.js';
import { suite } from '../support/suite.js';
import {
  DEBUGGER,
  LOGIN,
  NINE,
  outcomeOf,
  type PullFixture,
  postIt,
  withFixture,
} from './post-fixture.js';

const test = suite('publish/ignored-meanwhile');

const ID = '0123456789abcdef';
/** The summary as `/apfel ignore` writes it. */
function ignoring(body: string, id: string): string | undefined {
  const sticky = readSticky(body);
  return sticky && writeSticky({ ...sticky, ignored: [...sticky.ignored, id] }, sticky.text);
}

const LATER = { run: 'SECOND', startedAt: '2027-01-01T00:00:00Z' };

/** Posted once; what it says is about to change. */
async function started({ githubApi, head }: PullFixture): Promise<void> {
  await postIt(await githubApi(), outcomeOf(await head(), [DEBUGGER, NINE]));
}

const bodyOf = ({ github }: PullFixture): string => github.state.comments[0]?.body ?? '';

function write({ github }: PullFixture, body: string | undefined): void {
  const [comment] = github.state.comments;
  if (comment !== undefined && body !== undefined) comment.body = body;
}

test('an id that was ignored between our read and our write is kept', () =>
  withFixture(async fixture => {
    await started(fixture);
    const there = await fixture.githubApi();
    let reads = 0;
    const githubApi: Github = {
      ...there,
      comment: async id => {
        reads += 1;
        if (reads === 1) write(fixture, ignoring(bodyOf(fixture), ID));
        return there.comment(id);
      },
    };
    await postIt(githubApi, outcomeOf(await fixture.head(), [DEBUGGER], LATER));
    assert.equal(readSticky(bodyOf(fixture))?.ignored, [ID]);
    assert.match(bodyOf(fixture), '"run":"SECOND"');
  }));

test('the new summary stays although the other run wrote the old text after it', () =>
  withFixture(async fixture => {
    await started(fixture);
    const old = bodyOf(fixture);
    const there = await fixture.githubApi();
    let writes = 0;
    const githubApi: Github = {
      ...there,
      updateComment: async (id, body) => {
        await there.updateComment(id, body);
        writes += 1;
        if (writes === 1) write(fixture, ignoring(old, ID));
      },
    };
    await postIt(githubApi, outcomeOf(await fixture.head(), [DEBUGGER], LATER));
    assert.is(writes, 2);
    assert.equal(readSticky(bodyOf(fixture))?.ignored, [ID]);
    assert.match(bodyOf(fixture), '"run":"SECOND"');
    assert.match(readSticky(bodyOf(fixture))?.text ?? '', '**apfel-bot: 1 warning**');
  }));

test('after a stale read the summary is written once more, and nothing fails', () =>
  withFixture(async fixture => {
    await started(fixture);
    const there = await fixture.githubApi();
    const old = await there.comments(1);
    let writes = 0;
    const githubApi: Github = {
      ...there,
      comment: async () => old[0],
      comments: async () => old,
      updateComment: async (id, body) => {
        writes += 1;
        await there.updateComment(id, body);
      },
    };
    await postIt(githubApi, outcomeOf(await fixture.head(), [DEBUGGER], LATER));
    assert.is(writes, 2);
    assert.match(bodyOf(fixture), '"run":"SECOND"');
  }));

test('the newer of two summaries is removed, and the ids it ignores are kept', () =>
  withFixture(async fixture => {
    const { github, githubApi, head } = fixture;
    await started(fixture);
    const body = writeSticky({ ignored: [ID], subject: null }, 'nothing yet');
    github.comment({ pull: 1, author: LOGIN, body });
    await postIt(await githubApi(), outcomeOf(await head(), [DEBUGGER, NINE]));
    assert.is(github.state.comments.length, 1);
    assert.equal(readSticky(bodyOf(fixture))?.ignored, [ID]);
    assert.equal(github.violations, []);
  }));

test.run();
