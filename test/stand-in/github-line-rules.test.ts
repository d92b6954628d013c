import * as assert from 'uvu/assert';
import { suite } from '../support/suite.js';
import { numbered, refusalOf, type Setting, withGithub } from './github-with-github.js';

const test = suite('stand-in/github-line-rules');

// The diff of lines.txt: hunk 1 around line 10 (7 to 13, with a line less on the right from there),
// hunk 2 around line 30 (27 to 33 on the left).
const CHANGE = {
  'lines.txt': numbered(40, { 30: 'thirty' }).replace('line 10\n', ''),
  'new.txt': 'one\ntwo\nthree\n',
  'picture.bin': new Uint8Array([0, 1, 2, 0, 255]),
};

interface Row {
  readonly what: string;
  readonly path?: string;
  readonly line?: number;
  readonly side?: 'LEFT' | 'RIGHT';
  readonly start_line?: number;
  readonly start_side?: 'LEFT' | 'RIGHT';
  readonly position?: number;
  /** Undefined when it is accepted. */
  readonly refused?: string;
  readonly single?: string;
}

const LINE = 'Line could not be resolved';
const OUTSIDE = 'must be part of the diff';
const NOT_BEFORE = 'must precede the end line';
const OTHER_HUNK = 'must be part of the same hunk as the line';

const ROWS: readonly Row[] = [
  { what: 'a context line above the change', line: 7 },
  { what: 'the line before the first hunk', line: 6, refused: LINE, single: OUTSIDE },
  { what: 'the last line of the first hunk', line: 12 },
  { what: 'the line after the first hunk', line: 13, refused: LINE, single: OUTSIDE },
  { what: 'the removed line on the left', line: 10, side: 'LEFT' },
  { what: 'the last line of the hunk on the left', line: 13, side: 'LEFT' },
  { what: 'beyond it on the left', line: 14, side: 'LEFT', refused: LINE, single: OUTSIDE },
  { what: 'a context line on the left', line: 8, side: 'LEFT' },
  { what: 'the changed line on the right, one up', line: 29 },
  { what: 'an added file', path: 'new.txt', line: 3 },
  { what: 'past its end', path: 'new.txt', line: 4, refused: LINE, single: OUTSIDE },
  { what: 'line 0', path: 'new.txt', line: 0, refused: LINE, single: OUTSIDE },
  {
    what: 'the left of an added file',
    path: 'new.txt',
    line: 1,
    side: 'LEFT',
    refused: LINE,
    single: OUTSIDE,
  },
  {
    what: 'a file that is not in the diff',
    path: 'old.txt',
    line: 1,
    refused: 'Path could not be resolved',
    single: 'pull_request_review_thread.path',
  },
  { what: 'a binary file', path: 'picture.bin', line: 1, refused: LINE, single: OUTSIDE },
  { what: 'several lines', start_line: 7, line: 9 },
  { what: 'a start on the line itself', start_line: 9, line: 9, refused: NOT_BEFORE },
  { what: 'a start after the line', start_line: 10, line: 9, refused: NOT_BEFORE },
  { what: 'a start in the other hunk', start_line: 9, line: 29, refused: OTHER_HUNK },
  { what: 'a start above the hunk', start_line: 5, line: 9, refused: OTHER_HUNK },
  { what: 'from the left to the right', start_line: 10, start_side: 'LEFT', line: 10 },
  {
    what: 'from the right back to the left',
    start_line: 12,
    start_side: 'RIGHT',
    line: 10,
    side: 'LEFT',
    refused: NOT_BEFORE,
  },
  { what: 'by position, the first line below the header', position: 1 },
  { what: 'by position, past the end', position: 99, refused: LINE, single: OUTSIDE },
  { what: 'neither line nor position', refused: LINE, single: 'missing_field' },
];

const commentOf = ({ what, refused: _, single: __, ...place }: Row) => ({
  path: 'lines.txt',
  body: what,
  ...place,
});

const review = ({ rest, at, head }: Setting, comments: ReturnType<typeof commentOf>[]) =>
  rest.pulls.createReview({
    ...at,
    pull_number: 1,
    commit_id: head,
    event: 'COMMENT',
    body: 'summary',
    comments,
  });

const single = ({ rest, at, head }: Setting, row: Row) =>
  // The types want a line; the table has rows without one.
  rest.request('POST /repos/{owner}/{repo}/pulls/{pull_number}/comments', {
    ...at,
    pull_number: 1,
    commit_id: head,
    ...commentOf(row),
  });

test('a review places each comment as GitHub does, or refuses all of it', () =>
  withGithub(
    async setting => {
      for (const row of ROWS) {
        const before = setting.hub.state.reviewComments.length;
        if (row.refused === undefined) {
          await review(setting, [commentOf(row)]);
          assert.is(setting.hub.state.reviewComments.length, before + 1, row.what);
          continue;
        }
        const { status, message } = await refusalOf(review(setting, [commentOf(row)]));
        assert.is(status, 422, row.what);
        assert.ok(message.includes(row.refused), `${row.what}: ${message}`);
        assert.is(setting.hub.state.reviewComments.length, before, row.what);
      }
    },
    { change: CHANGE },
  ));

test('a single comment has the same rules, with other messages', () =>
  withGithub(
    async setting => {
      for (const row of ROWS) {
        if (row.refused === undefined) {
          assert.is((await single(setting, row)).status, 201, row.what);
          continue;
        }
        const { status, message } = await refusalOf(single(setting, row));
        assert.is(status, 422, row.what);
        assert.ok(message.includes(row.single ?? row.refused), `${row.what}: ${message}`);
      }
      const good = ROWS.filter(row => row.refused === undefined);
      assert.is(setting.hub.state.reviewComments.length, good.length);
    },
    { change: CHANGE },
  ));

test('one bad comment fails the whole review, and none of it is kept', () =>
  withGithub(async setting => {
    const good = { path: 'lines.txt', line: 20, body: 'good' };
    const bad = { path: 'lines.txt', line: 1, body: 'bad' };
    assert.is((await refusalOf(review(setting, [good, bad]))).status, 422);
    assert.equal(setting.hub.state.reviews, []);
    assert.equal(setting.hub.state.reviewComments, []);
    await review(setting, [good]);
    assert.is(setting.hub.state.reviews.length, 1);
  }));

test('a file whose patch is too large to show takes no comments on its lines', () =>
  withGithub(
    async setting => {
      const { data } = await setting.rest.pulls.listFiles({ ...setting.at, pull_number: 1 });
      assert.is(data.find(file => file.filename === 'lines.txt')?.patch, undefined);
      const comment = { path: 'lines.txt', line: 20, body: 'x' };
      assert.is((await refusalOf(review(setting, [comment]))).status, 422);
    },
    { maxPatchLines: 5 },
  ));

const lineNow = async ({ rest, at }: Setting): Promise<number | null | undefined> =>
  (await rest.pulls.listReviewComments({ ...at, pull_number: 1 })).data[0]?.line;

test('a comment moves with its line, and has none once the line is gone', () =>
  withGithub(async setting => {
    const { repo } = setting;
    await review(setting, [{ path: 'lines.txt', line: 20, body: 'x' }]);
    assert.is(await lineNow(setting), 20);
    const push = async (text: string): Promise<void> => {
      await repo.commit({ 'lines.txt': text });
      await repo.git('push', '--quiet', 'origin', 'feature');
    };
    await push(`first\nsecond\n${numbered(40, { 20: 'twenty' })}`);
    assert.is(await lineNow(setting), 22);
    await push(numbered(40, { 20: 'another' }));
    assert.is(await lineNow(setting), null);
  }));

test('a comment on a line that was changed back is outdated too', () =>
  withGithub(async setting => {
    const { repo } = setting;
    await review(setting, [{ path: 'lines.txt', line: 19, body: 'context' }]);
    await repo.commit({ 'lines.txt': numbered(40, { 35: 'elsewhere' }) });
    await repo.git('push', '--quiet', 'origin', 'feature');
    assert.is(await lineNow(setting), null);
  }));

test('a comment on the old side keeps its line', () =>
  withGithub(async setting => {
    const { repo } = setting;
    await review(setting, [{ path: 'lines.txt', line: 20, side: 'LEFT', body: 'x' }]);
    await repo.commit({ 'lines.txt': `new\n${numbered(40, { 20: 'twenty' })}` });
    await repo.git('push', '--quiet', 'origin', 'feature');
    assert.is(await lineNow(setting), 20);
  }));

test.run();
