import * as assert from 'uvu/assert';
import type { GithubReviewComment } from '../../src/github/comments.js';
import { readPullDiff } from '../../src/publish/anchor.js';
import {
  countMarked,
  markOf,
  ownFindings,
  ownStickies,
  type PostedFinding,
  readMark,
  writeMark,
  writeSticky,
} from '../../src/publish/own-comments.js';
import { decideInline, decideRemovals } from '../../src/publish/plan-review.js';
import { finding } from '../report/sample-outcome.js';
import { suite } from '../support/suite.js';

const test = suite('publish/decide');

const BOT = 'apfel[bot]';
const LINES = ['debugger;', 'const a = 1;', 'debugger;'];
const diff = readPullDiff([{ path: 'src/a.ts', patch: `@@ -0,0 +1,3 @@\n+${LINES.join('\n+')}` }]);

const remark = (parts: Partial<GithubReviewComment>): GithubReviewComment => ({
  id: 1,
  body: '',
  author: BOT,
  isBot: true,
  createdAt: '',
  updatedAt: '',
  url: '',
  path: 'src/a.ts',
  line: 1,
  side: 'RIGHT',
  inReplyTo: null,
  ...parts,
});

const one = finding({ line: 1, evidence: 'debugger;' });
const two = finding({ line: 2, evidence: 'const a = 1;', severity: 'error', rule: 'model/bug' });
const bodyOf = (of: typeof one, text = LINES[of.line - 1] ?? ''): string =>
  `${writeMark(markOf(of, [text]))}\nsaid`;
const posted = (of: typeof one, comment = 1, isReplied = false): PostedFinding => ({
  comment,
  path: of.path,
  side: 'RIGHT',
  mark: markOf(of, [LINES[of.line - 1] ?? '']),
  isReplied,
});
const NONE: ReadonlySet<string> = new Set();
const OPTIONS = { diff, maxComments: 20, isRefused: false, accepted: NONE, deleted: NONE };

test('a marker is read at the start of a comment only', () => {
  const mark = markOf(one, ['debugger;']);
  assert.equal(readMark(`${writeMark(mark)}\nx`), mark);
  assert.is(readMark(`> ${writeMark(mark)}`), undefined);
  assert.is(readMark(''), undefined);
  assert.is(readMark(writeMark({ ...mark, id: 'x' })), undefined);
});

test('a marked text is found with other indentation, unless white space is the matter', () => {
  assert.is(countMarked(markOf(one, ['debugger;']), ['  debugger;', 'x', '\tdebugger ;\r']), 2);
  const blank = markOf({ id: one.id, rule: 'whitespace' }, ['a  ']);
  assert.is(countMarked(blank, ['a', 'a  \r']), 1);
  assert.is(countMarked(markOf(one, ['a', 'b']), ['a', 'b', 'c', 'a', 'b']), 2);
});

test('a comment is ours only with our marker and our author', () => {
  const found = ownFindings(
    [
      remark({ id: 1, body: bodyOf(one) }),
      remark({ id: 2, body: bodyOf(two), author: 'mallory' }),
      remark({ id: 3, body: 'no mark' }),
      remark({ id: 4, body: bodyOf(two), author: BOT.toUpperCase() }),
      remark({ id: 5, body: bodyOf(two), inReplyTo: 4 }),
      remark({ id: 6, body: bodyOf(two), author: '' }),
    ],
    BOT,
  );
  assert.equal(
    found.map(({ comment, isReplied }) => [comment, isReplied]),
    [
      [1, false],
      [4, true],
    ],
  );
  const sticky = writeSticky({ ignored: [], subject: null }, 'x');
  const comments = [
    remark({ id: 9, body: sticky }),
    remark({ id: 8, body: sticky, author: 'mallory' }),
    remark({ id: 7, body: sticky }),
  ];
  assert.equal(
    ownStickies(comments, BOT).map(({ comment }) => comment),
    [7, 9],
  );
});

test('a finding that is posted already is not posted again', () => {
  const decision = decideInline({ ...OPTIONS, findings: [one, two], posted: [posted(one)] });
  assert.equal(
    decision.toPost.map(each => each.finding.id),
    [two.id],
  );
  assert.is(decision.notInline.size, 0);
});

test('a comment that a person deleted is listed in the summary and does not count towards the limit', () => {
  const deleted = new Set([two.id]);
  const options = { ...OPTIONS, findings: [one, two], posted: [], maxComments: 1 };
  const decision = decideInline({ ...options, deleted });
  assert.equal(
    decision.toPost.map(each => each.finding.id),
    [one.id],
  );
  assert.equal([...decision.notInline], [[two.id, 'deleted']]);
  const back = decideInline({ ...options, deleted, posted: [posted(two)], maxComments: 2 });
  assert.is(back.notInline.size, 0, 'one that is there was not deleted');
  assert.is(decideInline({ ...options, accepted: deleted, maxComments: 2 }).toPost.length, 1);
});

test('the limit keeps the most severe findings, and comments already posted count', () => {
  const limited = decideInline({ ...OPTIONS, findings: [one, two], posted: [], maxComments: 1 });
  assert.equal(
    limited.toPost.map(each => each.finding.id),
    [two.id],
  );
  assert.equal([...limited.notInline], [[one.id, 'too-many']]);
  const full = { ...OPTIONS, findings: [one, two], posted: [posted(one)], maxComments: 1 };
  assert.equal([...decideInline(full).notInline], [[two.id, 'too-many']]);
  const none = { ...OPTIONS, findings: [one, two], posted: [], maxComments: 0 };
  assert.is(decideInline(none).toPost.length, 0);
});

test('a comment that GitHub refused goes into the summary', () => {
  const decision = decideInline({ ...OPTIONS, findings: [one, two], posted: [], isRefused: true });
  assert.equal([...decision.notInline.values()], ['refused', 'refused']);
  assert.is(decision.toPost.length, 0);
});

test('the oldest of duplicate comments stays, or the one that has an answer', () => {
  const racing = [posted(one, 5), posted(one, 3), posted(one, 4)];
  const decide = (all: PostedFinding[]): readonly number[] =>
    decideInline({ ...OPTIONS, findings: [], posted: all }).duplicates;
  assert.equal(decide(racing), [4, 5]);
  assert.equal(decide([...racing, posted(one, 9, true)]), [3, 4, 5]);
  assert.equal(decide([posted(one, 1, true), posted(one, 2, true)]), []);
});

test('a comment is removed when its text is gone, and stays when the finding is just not repeated', () => {
  const gone = (lines: string[] | undefined, found = NONE, isReplied = false): number[] =>
    decideRemovals([posted(one, 7, isReplied)], found, () => lines);
  assert.equal(gone(['other']), [7]);
  assert.equal(gone([]), [7]);
  assert.equal(gone(['x', '  debugger;']), []);
  assert.equal(gone(['other'], new Set([one.id])), [], 'found again');
  assert.equal(gone(['other'], NONE, true), [], 'answered');
  assert.equal(gone(undefined), [], 'cannot be known');
});

test('the comment on one of two equal lines is removed with its line', () => {
  const other = finding({ line: 3, evidence: 'debugger;' });
  const second = { ...posted(other, 8), mark: { ...posted(other).mark, id: 'f'.repeat(16) } };
  const both = [posted(one, 7), second];
  assert.equal(
    decideRemovals(both, NONE, () => ['debugger;', 'debugger;']),
    [],
  );
  assert.equal(
    decideRemovals(both, NONE, () => ['debugger;']),
    [8],
  );
  assert.equal(
    decideRemovals(both, new Set([second.mark.id]), () => ['debugger;']),
    [7],
  );
});

test.run();
