import * as assert from 'uvu/assert';
import type { GithubPull } from '../../src/github/pulls.js';
import { readPullDiff } from '../../src/publish/anchor.js';
import type { OwnSticky, PostedFinding } from '../../src/publish/own-comments.js';
import { markOf } from '../../src/publish/own-comments.js';
import { isNothing, planReview, type ReviewPlan } from '../../src/publish/plan-review.js';
import { finding } from '../report/sample-outcome.js';
import { suite } from '../support/suite.js';

const test = suite('publish/plan-review');

const LINE = 'debugger;';
const found = finding({ line: 1, evidence: LINE });
const other = finding({ line: 2, evidence: LINE, rule: 'other' });
const SUBJECT = { task: 'review', head: 'abc', run: 'r2', startedAt: '2026-02-02' };

const commentFor = (each: typeof found, comment: number): PostedFinding => ({
  comment,
  path: each.path,
  side: 'RIGHT',
  mark: markOf(each, [LINE]),
  isReplied: false,
});

/** A summary of the same text, on the same commit, that knows of the comment. */
const sticky = (parts: Partial<OwnSticky['sticky']> = {}, comment = 10): OwnSticky => ({
  comment,
  body: '',
  sticky: { ignored: [], posted: [found.id], subject: SUBJECT, text: 'all', ...parts },
});

function plan(
  stickies: readonly OwnSticky[],
  posted: readonly PostedFinding[] = [commentFor(found, 1)],
  findings = [found],
): ReviewPlan {
  const options = {
    pull: {} as GithubPull,
    author: 'apfel[bot]',
    findings,
    subject: SUBJECT,
    maxComments: 20,
    isDryRun: false,
    commentBody: () => '',
    summary: () => 'all',
    mayWrite: () => Promise.resolve(),
  };
  const none: ReadonlySet<string> = new Set();
  return planReview(
    options,
    { posted, stickies },
    {
      diff: readPullDiff([{ path: found.path, patch: `@@ -0,0 +1,2 @@\n+${LINE}\n+${LINE}` }]),
      linesOf: () => [LINE],
      isRefused: false,
      accepted: none,
      removed: none,
    },
  );
}

test('a summary is written again only for another commit, task, text or set of comments', () => {
  const earlier = { ...SUBJECT, startedAt: '2026-01-01' };
  const later = { ...SUBJECT, startedAt: '2026-03-03' };
  for (const [stickies, state] of [
    [[], 'created'],
    [[sticky()], 'unchanged'],
    [[sticky({ subject: earlier })], 'unchanged'],
    [[sticky({ subject: later })], 'overtaken'],
    [[sticky({ subject: { ...later, head: 'def' } })], 'updated'],
    [[sticky({ subject: { ...later, task: 'ask' } })], 'updated'],
    [[sticky({ subject: null })], 'updated'],
    [[sticky({ text: 'other' })], 'updated'],
    [[sticky({ posted: [] })], 'updated'],
    [[sticky({ posted: [found.id, other.id] })], 'unchanged'],
    [[sticky(), sticky({ ignored: [other.id] }, 11)], 'updated'],
  ] as const) {
    assert.is(plan(stickies).state, state, JSON.stringify(stickies));
  }
});

test('there is nothing to write only if nothing is new, gone or there twice', () => {
  const ours = commentFor(found, 1);
  for (const [title, planned, expected] of [
    ['all as it was', plan([sticky()]), true],
    ['a later run', plan([sticky({ subject: { ...SUBJECT, startedAt: '2027' } })], []), true],
    ['no summary', plan([]), false],
    ['a new finding', plan([sticky()], [ours], [found, other]), false],
    ['two comments', plan([sticky()], [ours, commentFor(found, 2)]), false],
    ['two summaries', plan([sticky(), sticky({}, 11)]), false],
    [
      'a line that is gone',
      plan([sticky()], [ours, { ...commentFor(other, 2), mark: markOf(other, ['gone']) }]),
      false,
    ],
  ] as const) {
    assert.is(isNothing(planned), expected, title);
    const { toPost, stale, duplicateComments, duplicateStickies } = planned;
    const same = { toPost: [], stale: [], duplicateComments: [], duplicateStickies: [] };
    for (const part of [{ toPost }, { stale }, { duplicateComments }, { duplicateStickies }]) {
      const [list = []] = Object.values<readonly unknown[]>(part);
      const alone = { ...planned, ...same, ...part, state: 'unchanged' } as ReviewPlan;
      assert.is(isNothing(alone), list.length === 0, title);
    }
  }
});

test('what people ignored or deleted is not posted, and the latest summary counts the deleted ones', () => {
  const ignored = plan([sticky(), sticky({ ignored: [other.id] }, 11)], [], [other]);
  assert.equal([...ignored.ignored], [other.id]);
  assert.is(ignored.toPost.length, 0);
  assert.equal(ignored.duplicateStickies, [11]);
  const deleted = plan([sticky()], []);
  assert.is(deleted.toPost.length, 0);
  assert.is(deleted.deleted, 1);
  assert.equal(deleted.posted, [found.id]);
});

test.run();
