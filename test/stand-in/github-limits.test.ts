import * as assert from 'uvu/assert';
import { suite } from '../support/suite.js';
import { numbered, refusalOf, withGithub } from './github-with-github.js';

const test = suite('stand-in/github-limits');

const files = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`many/${index}.txt`, 'x\n']));

test('a list comes in pages of thirty, with links to the others', () =>
  withGithub(
    async ({ rest, at }) => {
      const list = { ...at, pull_number: 1 };
      const first = await rest.pulls.listFiles(list);
      assert.is(first.data.length, 30);
      assert.match(first.headers.link ?? '', /page=2>; rel="next".*page=5>; rel="last"/);
      const last = await rest.pulls.listFiles({ ...list, page: 5 });
      assert.is(last.data.length, 10);
      assert.not.match(last.headers.link ?? '', 'rel="next"');
      assert.match(last.headers.link ?? '', /page=4>; rel="prev".*page=1>; rel="first"/);
      assert.equal((await rest.pulls.listFiles({ ...list, page: 6 })).data, []);
    },
    { change: files(130) },
  ));

test('a page never has more than a hundred, and following the links finds everything once', () =>
  withGithub(
    async ({ rest, at }) => {
      const list = { ...at, pull_number: 1, per_page: 500 };
      assert.is((await rest.pulls.listFiles(list)).data.length, 100);
      const all = await rest.paginate(rest.pulls.listFiles, { ...list, per_page: 100 });
      assert.is(new Set(all.map(file => file.filename)).size, 130);
      assert.is(all.length, 130);
    },
    { change: files(130) },
  ));

test('links to other pages repeat the query', () =>
  withGithub(async ({ hub, rest, at, repo }) => {
    for (let index = 0; index < 4; index += 1) {
      await repo.git('push', '--quiet', 'origin', `feature:refs/heads/copy-${index}`);
      await hub.openPull({ head: `copy-${index}` });
    }
    hub.closePull(2);
    const numbers = async (state: 'open' | 'all') =>
      (await rest.paginate(rest.pulls.list, { ...at, state, per_page: 2 })).map(one => one.number);
    assert.equal(await numbers('open'), [5, 4, 3, 1]);
    assert.equal(await numbers('all'), [5, 4, 3, 2, 1]);
  }));

test('no more than 3,000 files are listed', () =>
  withGithub(
    async ({ rest, at }) => {
      const list = { ...at, pull_number: 1, per_page: 100 };
      const all = await rest.paginate(rest.pulls.listFiles, list);
      assert.is(all.length, 3000);
      const { data } = await rest.pulls.get({ ...at, pull_number: 1 });
      assert.is(data.changed_files, 3001);
    },
    { change: files(3001) },
  ));

test('every kind of change has its status, and a patch only where there are lines to show', () =>
  withGithub(
    async ({ hub, repo, rest, at }) => {
      await repo.git('rm', '--quiet', 'old.txt');
      await repo.git('mv', 'README.md', 'name with "quotes" and \u00fc.md');
      await repo.commit({ 'large.txt': numbered(80) });
      await repo.git('push', '--quiet', 'origin', 'feature');
      const { data } = await rest.pulls.listFiles({ ...at, pull_number: 1 });
      const rows = data.map(({ filename, status, previous_filename, patch }) => [
        filename,
        status,
        previous_filename,
        patch?.split('\n')[0],
      ]);
      assert.equal(rows, [
        ['empty.txt', 'added', undefined, undefined],
        ['large.txt', 'added', undefined, undefined],
        ['lines.txt', 'modified', undefined, '@@ -17,7 +17,7 @@ line 16'],
        ['name with "quotes" and \u00fc.md', 'renamed', 'README.md', undefined],
        ['old.txt', 'removed', undefined, '@@ -1,3 +0,0 @@'],
        ['picture.bin', 'added', undefined, undefined],
      ]);
      assert.equal(hub.violations, []);
    },
    {
      change: {
        'lines.txt': numbered(40, { 20: 'twenty' }),
        'empty.txt': '',
        'picture.bin': new Uint8Array([0, 1, 2, 0, 255]),
      },
      maxPatchLines: 50,
    },
  ));

test('a comment may have 65,536 characters, not one more, and must not be empty', () =>
  withGithub(async ({ hub, rest, at, head }) => {
    const fits = 'x'.repeat(65_536);
    const post = (body: string) => rest.issues.createComment({ ...at, issue_number: 1, body });
    assert.is((await post(fits)).status, 201);
    const refusal = await refusalOf(post(`${fits}x`));
    assert.is(refusal.status, 422);
    assert.match(refusal.message, 'too long');
    assert.is((await refusalOf(post(' \n'))).status, 422);
    // Characters, not the two units that one of these takes.
    assert.is((await post('\u{1F34F}'.repeat(40_000))).status, 201);
    const change = { ...at, comment_id: hub.state.comments[0]?.id ?? 0, body: `${fits}x` };
    assert.is((await refusalOf(rest.issues.updateComment(change))).status, 422);
    const review = { ...at, pull_number: 1, commit_id: head, event: 'COMMENT' as const };
    const long = [{ path: 'new.txt', line: 1, body: `${fits}x` }];
    assert.is(
      (await refusalOf(rest.pulls.createReview({ ...review, body: `${fits}x` }))).status,
      422,
    );
    assert.is(
      (await refusalOf(rest.pulls.createReview({ ...review, comments: long }))).status,
      422,
    );
    assert.is((await refusalOf(rest.pulls.createReview({ ...review }))).status, 422);
    assert.equal(hub.state.reviews, []);
  }));

test('a title has between 1 and 256 characters', () =>
  withGithub(async ({ rest, at }) => {
    const rename = (title: string) => rest.pulls.update({ ...at, pull_number: 1, title });
    assert.is((await rename('x'.repeat(256))).status, 200);
    assert.is((await refusalOf(rename('x'.repeat(257)))).status, 422);
    assert.is((await refusalOf(rename(' '))).status, 422);
  }));

test('every answer counts down the requests of the hour, and after the last one they are refused', () =>
  withGithub(
    async ({ hub, rest, at }) => {
      const left = async () => (await rest.repos.get(at)).headers['x-ratelimit-remaining'];
      assert.equal([await left(), await left()], ['1', '0']);
      const { status, message } = await refusalOf(rest.repos.get(at));
      assert.is(status, 403);
      assert.match(message, 'API rate limit exceeded');
      assert.is(hub.requests.at(-1)?.status, 403);
    },
    { limits: { perHour: 2 } },
  ));

test('too many writes in a minute hit the secondary limit, which ends with time', () => {
  let seconds = 0;
  return withGithub(
    async ({ hub, rest, at }) => {
      const post = () => rest.issues.createComment({ ...at, issue_number: 1, body: 'x' });
      await post();
      await post();
      await rest.repos.get(at);
      const { status, message } = await refusalOf(post());
      assert.is(status, 403);
      assert.match(message, 'secondary rate limit');
      seconds += 61;
      await post();
      assert.is(hub.state.comments.length, 3);
    },
    { limits: { writesPerMinute: 2 }, clock: () => new Date(1e12 + seconds * 1000) },
  );
});

test.run();
