import * as assert from 'uvu/assert';
import { suite } from '../support/suite.js';
import { openRepo } from '../support/with-repo.js';
import { numbered, refusalOf, withGithub } from './github-with-github.js';

const test = suite('stand-in/github-branches');

test('the head follows the branch, and so do the files and refs/pull/1/head', () =>
  withGithub(async ({ repo, rest, at, head }) => {
    const get = async () => (await rest.pulls.get({ ...at, pull_number: 1 })).data;
    assert.is((await get()).head.sha, head);
    const next = await repo.commit({ 'more.txt': 'more\n' });
    await repo.git('push', '--quiet', 'origin', 'feature');
    const pull = await get();
    assert.equal([pull.head.sha, pull.changed_files, pull.commits], [next, 3, 2]);
    const seen = await repo.git('ls-remote', 'origin', 'refs/pull/1/head');
    assert.ok(seen.startsWith(next));
  }));

test('what only the base has is not a change of the pull request', () =>
  withGithub(async ({ repo, rest, at }) => {
    await repo.git('switch', '--quiet', 'main');
    const main = await repo.commit({ 'on-main.txt': 'x\n', 'lines.txt': numbered(41) });
    await repo.git('push', '--quiet', 'origin', 'main');
    const { data } = await rest.pulls.get({ ...at, pull_number: 1 });
    assert.equal([data.base.sha, data.changed_files, data.additions], [main, 2, 4]);
  }));

test('the timeline has commits, force pushes, words and reviews in order', () =>
  withGithub(async ({ hub, repo, rest, at }) => {
    hub.comment({ pull: 1, author: 'ada', body: 'hello' });
    await repo.commit({ 'more.txt': 'more\n' });
    await repo.git('push', '--quiet', 'origin', 'feature');
    await rest.pulls.createReview({ ...at, pull_number: 1, event: 'COMMENT', body: 'fine' });
    await repo.git('reset', '--quiet', '--hard', 'HEAD~1');
    await repo.commit({ 'other.txt': 'other\n' });
    await repo.git('push', '--quiet', '--force', 'origin', 'feature');
    await rest.pulls.update({ ...at, pull_number: 1, title: 'Another title', state: 'closed' });
    hub.lock(1);
    const list = { ...at, issue_number: 1, per_page: 3 };
    const events = await rest.paginate(rest.issues.listEventsForTimeline, list);
    assert.equal(
      events.map(entry => entry.event),
      [
        'committed',
        'commented',
        'committed',
        'reviewed',
        'head_ref_force_pushed',
        'closed',
        'renamed',
        'locked',
      ],
    );
  }));

test('activities have the time when a push arrived, whatever the commit says', () => {
  let now = new Date('2030-01-02T03:04:05Z');
  return withGithub(
    async ({ repo, rest, at }) => {
      now = new Date('2030-01-02T03:05:00Z');
      const next = await repo.commit({ 'more.txt': 'more\n' });
      await repo.git('push', '--quiet', 'origin', 'feature');
      const { data } = await rest.repos.listActivities({ ...at, ref: 'refs/heads/feature' });
      const [push] = data;
      assert.equal(
        [push?.after, push?.timestamp, push?.activity_type],
        [next, '2030-01-02T03:05:00Z', 'push'],
      );
      assert.is(data.at(-1)?.activity_type, 'branch_creation');
    },
    { clock: () => now },
  );
});

test('a pull request from a fork has its head there and its commits here', () =>
  withGithub(async ({ hub, repo, rest, at }) => {
    const fork = await hub.fork('eve');
    await repo.git('switch', '--quiet', '--create', 'theirs', 'main');
    const first = await repo.commit({ 'evil.txt': 'evil\n' });
    await repo.git('push', '--quiet', fork, 'theirs');
    const { number } = await hub.openPull({ head: 'eve:theirs', author: 'eve' });
    const get = async () => (await rest.pulls.get({ ...at, pull_number: number })).data;
    const { head, base } = await get();
    assert.equal(
      [head.repo?.full_name, head.sha, head.label, base.repo.full_name],
      ['eve/demo', first, 'eve:theirs', 'ada/demo'],
    );
    const second = await repo.commit({ 'evil.txt': 'more evil\n' });
    await repo.git('push', '--quiet', fork, 'theirs');
    assert.is((await get()).head.sha, second);
    assert.is((await rest.pulls.listFiles({ ...at, pull_number: number })).data.length, 1);
    const [push] = (await rest.repos.listActivities({ owner: 'eve', repo: 'demo' })).data;
    assert.is(push?.after, second);
    hub.deleteFork('eve');
    assert.is((await get()).head.repo, null);
  }));

test('a fork can be read but not written', () =>
  withGithub(async ({ hub, rest, head }) => {
    await hub.fork('eve');
    const there = { owner: 'eve', repo: 'demo' };
    assert.is((await rest.repos.get(there)).data.fork, true);
    const write = rest.git.createRef({ ...there, ref: 'refs/heads/x', sha: head });
    assert.is((await refusalOf(write)).status, 403);
    const comment = rest.issues.createComment({ ...there, issue_number: 1, body: 'x' });
    assert.is((await refusalOf(comment)).status, 403);
  }));

test('a pull request is refused without commits, without branches, and when there is one', () =>
  withGithub(async ({ hub, repo, rest, at }) => {
    await repo.git('push', '--quiet', 'origin', 'main:refs/heads/same');
    const rows = [
      [{ head: 'same', base: 'main' }, 'No commits between main and same'],
      [{ head: 'feature', base: 'main' }, 'A pull request already exists for ada:feature.'],
      [{ head: 'none', base: 'main' }, '"field":"head"'],
      [{ head: 'feature', base: 'none' }, '"field":"base"'],
      [{ head: 'eve:feature', base: 'main' }, '"field":"head"'],
    ] as const;
    for (const [ends, words] of rows) {
      const { status, message } = await refusalOf(
        rest.pulls.create({ ...at, title: 'x', ...ends }),
      );
      assert.is(status, 422);
      assert.ok(message.includes(words), message);
    }
    assert.is(hub.state.pulls.length, 1);
    hub.closePull(1);
    const again = await rest.pulls.create({ ...at, title: 'x', head: 'feature', base: 'main' });
    assert.is(again.data.number, 2);
  }));

test('closed, reopened and merged are recognised', () =>
  withGithub(async ({ rest, at, hub }) => {
    const shown = async () => {
      const { data } = await rest.pulls.list({ ...at, state: 'all' });
      const { data: whole } = await rest.pulls.get({ ...at, pull_number: 1 });
      return [data[0]?.state, data[0]?.merged_at !== null, whole.merged];
    };
    hub.closePull(1);
    assert.equal(await shown(), ['closed', false, false]);
    hub.reopenPull(1);
    assert.equal(await shown(), ['open', false, false]);
    hub.mergePull(1);
    assert.equal(await shown(), ['closed', true, true]);
    assert.equal(hub.violations, []);
  }));

test('workflows open no pull requests where the settings forbid it', () =>
  withGithub(
    async ({ rest, at, repo }) => {
      await repo.git('push', '--quiet', 'origin', 'feature:refs/heads/bot');
      const { status, message } = await refusalOf(
        rest.pulls.create({ ...at, title: 'x', head: 'bot', base: 'main' }),
      );
      assert.is(status, 403);
      assert.match(message, 'GitHub Actions is not permitted to create or approve pull requests.');
    },
    { mayActionsCreatePulls: false },
  ));

test('a pull request is found by its branch; a filter without an owner matches nothing', () =>
  withGithub(async ({ hub, repo, rest, at }) => {
    await repo.git('push', '--quiet', 'origin', 'feature:refs/heads/bot/fix');
    await hub.openPull({ head: 'bot/fix' });
    const numbers = async (head: string) =>
      (await rest.pulls.list({ ...at, head })).data.map(pull => pull.number);
    assert.equal(await numbers('ada:bot/fix'), [2]);
    assert.equal(await numbers('ada:none'), []);
    assert.equal(await numbers('bot/fix'), [2, 1]);
  }));

test('a pull request closes with its branch, and opens again only when it is back', () =>
  withGithub(async ({ repo, rest, at }) => {
    await repo.git('push', '--quiet', 'origin', '--delete', 'feature');
    assert.is((await rest.pulls.get({ ...at, pull_number: 1 })).data.state, 'closed');
    const open = () => rest.pulls.update({ ...at, pull_number: 1, state: 'open' });
    assert.match((await refusalOf(open())).message, 'has been deleted');
    await repo.git('push', '--quiet', 'origin', 'feature');
    assert.is((await open()).data.state, 'open');
  }));

test('a ref is created once, moves forward, and moves back only by force', () =>
  withGithub(async ({ hub, repo, rest, at, head }) => {
    const ref = 'heads/bot';
    const create = { ...at, ref: `refs/${ref}`, sha: head };
    await rest.git.createRef(create);
    assert.match((await refusalOf(rest.git.createRef(create))).message, 'already exists');
    const main = await openRepo(hub.gitUrl).git('rev-parse', 'main');
    const back = { ...at, ref, sha: main };
    assert.match((await refusalOf(rest.git.updateRef(back))).message, 'not a fast forward');
    await rest.git.updateRef({ ...back, force: true });
    assert.is(await repo.git('ls-remote', 'origin', 'bot'), `${main}\trefs/heads/bot`);
    for (const wrong of [
      { ...create, ref: 'heads/x' },
      { ...create, ref: 'refs/heads/a..b' },
      { ...create, ref: 'refs/heads/y', sha: 'f'.repeat(40) },
    ])
      assert.is((await refusalOf(rest.git.createRef(wrong))).status, 422);
  }));

test('a review is for a commit of the pull request', () =>
  withGithub(async ({ hub, repo, rest, at, head }) => {
    await repo.git('commit', '--quiet', '--amend', '--message', 'another');
    await repo.git('push', '--quiet', '--force', 'origin', 'feature');
    const review = { ...at, pull_number: 1, event: 'COMMENT' as const, body: 'x' };
    const main = await repo.git('rev-parse', 'main');
    for (const commit_id of [head, main, 'f'.repeat(40), 'feature']) {
      const { status, message } = await refusalOf(
        rest.pulls.createReview({ ...review, commit_id }),
      );
      assert.is(status, 422);
      assert.match(message, 'not part of the pull request');
    }
    assert.equal(hub.state.reviews, []);
  }));

test.run();
