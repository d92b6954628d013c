import type { Octokit } from '@octokit/rest';
import * as assert from 'uvu/assert';
import { description } from '../../fixtures/github/description.js';
import { handlers } from '../../fixtures/github/handlers.js';
import { suite } from '../support/suite.js';
import { clientOf, refusalOf, type Setting, withGithub } from './github-with-github.js';

const test = suite('stand-in/github-answers');

type Step = (setting: Setting & Made) => Promise<{ readonly status: number }>;

/** Ids of what the steps before have made. */
interface Made {
  readonly comment: () => number;
  readonly remark: () => number;
  readonly reaction: () => number;
  readonly check: () => number;
  readonly person: Octokit;
}

const ANNOTATION = {
  path: 'lines.txt',
  start_line: 20,
  end_line: 20,
  annotation_level: 'warning',
  message: 'm',
  title: 't',
} as const;

/** In this order: what is made first is read and deleted later. */
const STEPS: ReadonlyArray<readonly [id: string, status: number, step: Step]> = [
  ['repos/get', 200, ({ rest, at }) => rest.repos.get(at)],
  ['repos/get-branch', 200, ({ rest, at }) => rest.repos.getBranch({ ...at, branch: 'feature' })],
  ['repos/get-content', 200, ({ rest, at }) => rest.repos.getContent({ ...at, path: 'old.txt' })],
  ['users/get-authenticated', 200, ({ person }) => person.users.getAuthenticated()],
  [
    'repos/get-collaborator-permission-level',
    200,
    ({ rest, at }) => rest.repos.getCollaboratorPermissionLevel({ ...at, username: 'ada' }),
  ],
  ['repos/list-activities', 200, ({ rest, at }) => rest.repos.listActivities(at)],
  ['git/get-ref', 200, ({ rest, at }) => rest.git.getRef({ ...at, ref: 'heads/feature' })],
  [
    'git/create-ref',
    201,
    ({ rest, at, head }) => rest.git.createRef({ ...at, ref: 'refs/heads/bot/fix', sha: head }),
  ],
  [
    'git/list-matching-refs',
    200,
    ({ rest, at }) => rest.git.listMatchingRefs({ ...at, ref: 'heads/bot' }),
  ],
  [
    'git/update-ref',
    200,
    ({ rest, at, head }) => rest.git.updateRef({ ...at, ref: 'heads/bot/fix', sha: head }),
  ],
  [
    'pulls/create',
    201,
    ({ rest, at }) => rest.pulls.create({ ...at, title: 'Fix', head: 'bot/fix', base: 'main' }),
  ],
  ['pulls/list', 200, ({ rest, at }) => rest.pulls.list({ ...at, head: 'ada:bot/fix' })],
  [
    'pulls/update',
    200,
    ({ rest, at }) => rest.pulls.update({ ...at, pull_number: 2, title: 'Fixed', state: 'closed' }),
  ],
  ['git/delete-ref', 204, ({ rest, at }) => rest.git.deleteRef({ ...at, ref: 'heads/bot/fix' })],
  ['pulls/get', 200, ({ rest, at }) => rest.pulls.get({ ...at, pull_number: 1 })],
  ['pulls/list-files', 200, ({ rest, at }) => rest.pulls.listFiles({ ...at, pull_number: 1 })],
  [
    'issues/create-comment',
    201,
    ({ rest, at }) => rest.issues.createComment({ ...at, issue_number: 1, body: 'hello' }),
  ],
  [
    'issues/list-comments',
    200,
    ({ rest, at }) => rest.issues.listComments({ ...at, issue_number: 1 }),
  ],
  [
    'issues/get-comment',
    200,
    ({ rest, at, comment }) => rest.issues.getComment({ ...at, comment_id: comment() }),
  ],
  [
    'issues/update-comment',
    200,
    ({ rest, at, comment }) =>
      rest.issues.updateComment({ ...at, comment_id: comment(), body: 'changed' }),
  ],
  [
    'reactions/create-for-issue-comment',
    201,
    ({ rest, at, comment }) =>
      rest.reactions.createForIssueComment({ ...at, comment_id: comment(), content: 'eyes' }),
  ],
  [
    'reactions/list-for-issue-comment',
    200,
    ({ rest, at, comment }) => rest.reactions.listForIssueComment({ ...at, comment_id: comment() }),
  ],
  [
    'reactions/delete-for-issue-comment',
    204,
    ({ rest, at, comment, reaction }) =>
      rest.reactions.deleteForIssueComment({
        ...at,
        comment_id: comment(),
        reaction_id: reaction(),
      }),
  ],
  [
    'pulls/create-review',
    200,
    ({ rest, at }) =>
      rest.pulls.createReview({
        ...at,
        pull_number: 1,
        body: 'pending',
        comments: [{ path: 'lines.txt', line: 20, body: 'here' }],
      }),
  ],
  [
    'pulls/submit-review',
    200,
    ({ rest, at, hub }) =>
      rest.pulls.submitReview({
        ...at,
        pull_number: 1,
        review_id: hub.state.reviews[0]?.id ?? 0,
        event: 'COMMENT',
      }),
  ],
  ['pulls/list-reviews', 200, ({ rest, at }) => rest.pulls.listReviews({ ...at, pull_number: 1 })],
  [
    'pulls/create-review-comment',
    201,
    ({ rest, at, head }) =>
      rest.pulls.createReviewComment({
        ...at,
        pull_number: 1,
        commit_id: head,
        path: 'new.txt',
        body: 'the whole file',
        subject_type: 'file',
      }),
  ],
  [
    'pulls/create-reply-for-review-comment',
    201,
    ({ rest, at, remark }) =>
      rest.pulls.createReplyForReviewComment({
        ...at,
        pull_number: 1,
        comment_id: remark(),
        body: 'thanks',
      }),
  ],
  [
    'pulls/list-review-comments',
    200,
    ({ rest, at }) => rest.pulls.listReviewComments({ ...at, pull_number: 1 }),
  ],
  [
    'pulls/get-review-comment',
    200,
    ({ rest, at, remark }) => rest.pulls.getReviewComment({ ...at, comment_id: remark() }),
  ],
  [
    'pulls/update-review-comment',
    200,
    ({ rest, at, remark }) =>
      rest.pulls.updateReviewComment({ ...at, comment_id: remark(), body: 'changed' }),
  ],
  [
    'reactions/create-for-pull-request-review-comment',
    201,
    ({ rest, at, remark }) =>
      rest.reactions.createForPullRequestReviewComment({
        ...at,
        comment_id: remark(),
        content: '+1',
      }),
  ],
  [
    'pulls/delete-review-comment',
    204,
    ({ rest, at, remark }) => rest.pulls.deleteReviewComment({ ...at, comment_id: remark() }),
  ],
  [
    'issues/delete-comment',
    204,
    ({ rest, at, comment }) => rest.issues.deleteComment({ ...at, comment_id: comment() }),
  ],
  [
    'checks/create',
    201,
    ({ rest, at, head }) =>
      rest.checks.create({
        ...at,
        name: 'apfel-bot',
        head_sha: head,
        output: { title: 'one finding', summary: 's', annotations: [ANNOTATION] },
      }),
  ],
  [
    'checks/update',
    200,
    ({ rest, at, check }) =>
      rest.checks.update({ ...at, check_run_id: check(), conclusion: 'neutral' }),
  ],
  [
    'checks/list-for-ref',
    200,
    ({ rest, at, head }) =>
      rest.checks.listForRef({ ...at, ref: head, check_name: 'apfel-bot', filter: 'latest' }),
  ],
  [
    'checks/list-annotations',
    200,
    ({ rest, at, check }) => rest.checks.listAnnotations({ ...at, check_run_id: check() }),
  ],
  [
    'issues/list-events-for-timeline',
    200,
    ({ rest, at }) => rest.issues.listEventsForTimeline({ ...at, issue_number: 1 }),
  ],
];

test('every operation of the fixture is handled, and its answer fits the description', () =>
  withGithub(
    async setting => {
      const { state } = setting.hub;
      const made: Made = {
        comment: () => state.comments[0]?.id ?? 0,
        remark: () => state.reviewComments[0]?.id ?? 0,
        reaction: () => state.reactions[0]?.id ?? 0,
        check: () => state.checks[0]?.id ?? 0,
        person: clientOf(setting.hub, 'ghp_ada'),
      };
      const ids: Array<string | undefined> = [];
      for (const [id, status, step] of STEPS) {
        assert.is((await step({ ...setting, ...made })).status, status, id);
        ids.push(setting.hub.requests.at(-1)?.operation);
      }
      assert.equal(
        ids,
        STEPS.map(([id]) => id),
      );
      assert.equal(setting.hub.violations, []);
    },
    { tokens: [{ token: 'ghs_test' }, { token: 'ghp_ada', login: 'ada', kind: 'user' }] },
  ));

test('the table above leaves out no operation', () => {
  const asked = STEPS.map(([id]) => id).sort();
  assert.equal(asked, Object.keys(description().operations).sort());
  assert.equal(asked, Object.keys(handlers).sort());
});

test('reacting twice in the same way leaves one reaction', () =>
  withGithub(async ({ hub, rest, at }) => {
    const { id } = hub.comment({ pull: 1, author: 'ada', body: '/apfel review' });
    const react = () =>
      rest.reactions.createForIssueComment({ ...at, comment_id: id, content: 'rocket' });
    assert.is((await react()).status, 201);
    assert.is(Number((await react()).status), 200);
    assert.is(hub.state.reactions.length, 1);
  }));

test('a file is sent raw if the raw format is asked for', () =>
  withGithub(async ({ rest, at, head }) => {
    const raw = { ...at, ref: head, mediaType: { format: 'raw' } };
    const { data } = await rest.repos.getContent({ ...raw, path: 'new.txt' });
    assert.is(String(data), 'one\ntwo\nthree\n');
    const absent = rest.repos.getContent({ ...raw, path: 'no/such.txt' });
    assert.is((await refusalOf(absent)).status, 404);
    const nowhere = rest.repos.getContent({ ...raw, ref: 'f'.repeat(40), path: 'new.txt' });
    assert.is((await refusalOf(nowhere)).status, 404);
  }));

test.run();
