import * as assert from 'uvu/assert';
import { suite } from '../support/suite.js';
import { clientOf, refusalOf, withGithub } from './github-with-github.js';

const test = suite('stand-in/github-reviews');

const TOKENS = [
  { token: 'ghs_test' },
  { token: 'ghp_ada', login: 'ada', kind: 'user' },
  { token: 'ghp_bob', login: 'bob', kind: 'user' },
] as const;

test('a pending review is seen by its author only, and there is one at a time', () =>
  withGithub(
    async ({ hub, rest, at }) => {
      const where = { ...at, pull_number: 1 };
      const comments = [{ path: 'new.txt', line: 2, body: 'here' }];
      await rest.pulls.createReview({ ...where, body: 'draft', comments });
      const bob = clientOf(hub, 'ghp_bob');
      const counts = async (client: typeof rest) => [
        (await client.pulls.listReviews(where)).data.length,
        (await client.pulls.listReviewComments(where)).data.length,
      ];
      assert.equal(await counts(rest), [1, 1]);
      assert.equal(await counts(bob), [0, 0]);
      const again = await refusalOf(rest.pulls.createReview({ ...where, body: 'another' }));
      assert.match(again.message, 'one pending review');
      const review_id = hub.state.reviews[0]?.id ?? 0;
      const submit = { ...where, review_id, event: 'COMMENT' as const };
      assert.is((await refusalOf(bob.pulls.submitReview(submit))).status, 404);
      await rest.pulls.submitReview(submit);
      assert.equal(await counts(bob), [1, 1]);
    },
    { tokens: TOKENS },
  ));

test('nobody judges their own pull request, and workflows approve only where they may', () =>
  withGithub(
    async ({ hub, rest, at }) => {
      const where = { ...at, pull_number: 1, body: 'x' };
      const ada = clientOf(hub, 'ghp_ada');
      for (const event of ['APPROVE', 'REQUEST_CHANGES'] as const) {
        const { status, message } = await refusalOf(ada.pulls.createReview({ ...where, event }));
        assert.is(status, 422);
        assert.match(message, 'your own pull request');
      }
      const approve = { ...where, event: 'APPROVE' as const };
      assert.is((await refusalOf(rest.pulls.createReview(approve))).status, 403);
      const { data } = await clientOf(hub, 'ghp_bob').pulls.createReview(approve);
      assert.is(data.state, 'APPROVED');
    },
    { tokens: TOKENS, mayActionsCreatePulls: false },
  ));

test('a reply stands where its comment stands, and one to a reply belongs to the first', () =>
  withGithub(async ({ hub, rest, at, head }) => {
    const where = { ...at, pull_number: 1 };
    const place = { path: 'lines.txt', line: 20, commit_id: head };
    const first = await rest.pulls.createReviewComment({ ...where, ...place, body: 'first' });
    const reply = hub.reply(first.data.id, { author: 'bob', body: 'why?' });
    const { data } = await rest.pulls.createReplyForReviewComment({
      ...where,
      comment_id: reply.id,
      body: 'because',
    });
    assert.equal([data.in_reply_to_id, data.path, data.line], [first.data.id, 'lines.txt', 20]);
    const listed = (await rest.pulls.listReviewComments(where)).data;
    assert.equal(
      listed.map(one => [one.user.login, one.in_reply_to_id]),
      [
        ['github-actions[bot]', undefined],
        ['bob', first.data.id],
        ['github-actions[bot]', first.data.id],
      ],
    );
  }));

test('a person’s remark is there for the bot to see', () =>
  withGithub(async ({ hub, rest, at }) => {
    await hub.remark({ pull: 1, author: 'bob', path: 'lines.txt', line: 20, body: 'hm' });
    const [remark] = (await rest.pulls.listReviewComments({ ...at, pull_number: 1 })).data;
    assert.equal([remark?.user.login, remark?.user.type, remark?.line], ['bob', 'User', 20]);
  }));

test.run();
