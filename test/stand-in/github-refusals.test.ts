import * as assert from 'uvu/assert';
import { suite } from '../support/suite.js';
import { clientOf, refusalOf, type Setting, withGithub } from './github-with-github.js';

const test = suite('stand-in/github-refusals');

const comment = ({ rest, at }: Pick<Setting, 'rest' | 'at'>, body = 'hello') =>
  rest.issues.createComment({ ...at, issue_number: 1, body });

const review = ({ rest, at }: Pick<Setting, 'rest' | 'at'>, body = 'hello') =>
  rest.pulls.createReview({ ...at, pull_number: 1, event: 'COMMENT', body });

test('an unknown token gets 401, and so does a write without a token', () =>
  withGithub(async ({ hub, at }) => {
    const wrong = await refusalOf(comment({ rest: clientOf(hub, 'ghs_wrong'), at }));
    assert.is(wrong.status, 401);
    assert.match(wrong.message, 'Bad credentials');
    const anonymous = clientOf(hub, undefined);
    assert.is((await refusalOf(comment({ rest: anonymous, at }))).status, 401);
    assert.is((await anonymous.pulls.get({ ...at, pull_number: 1 })).status, 200);
  }));

const READ_ONLY = {
  contents: 'read',
  issues: 'read',
  pull_requests: 'read',
  checks: 'read',
} as const;

test('a read-only token, as a fork has it, reads everything and writes nothing', () =>
  withGithub(
    async setting => {
      const { hub, rest, at, head } = setting;
      await rest.pulls.listFiles({ ...at, pull_number: 1 });
      const writes = [
        () => comment(setting),
        () => review(setting),
        () => rest.checks.create({ ...at, name: 'x', head_sha: head }),
        () => rest.git.createRef({ ...at, ref: 'refs/heads/x', sha: head }),
        () => rest.pulls.create({ ...at, title: 'x', head: 'feature', base: 'main' }),
      ];
      for (const write of writes) {
        const { status, message } = await refusalOf(write());
        assert.is(status, 403);
        assert.match(message, 'Resource not accessible by integration');
      }
      assert.equal(hub.state.comments, []);
      assert.equal(hub.state.checks, []);
    },
    { tokens: [{ token: 'ghs_fork', permissions: READ_ONLY }] },
  ));

test('a refusal names the permissions that would have been enough', () =>
  withGithub(
    async setting => {
      try {
        await comment(setting);
        assert.unreachable();
      } catch (thrown) {
        const { response } = thrown as { response?: { headers: Record<string, string> } };
        assert.is(
          response?.headers['x-accepted-github-permissions'],
          'issues=write; pull_requests=write',
        );
      }
    },
    { tokens: [{ token: 'ghs_some', permissions: { contents: 'read' } }] },
  ));

test('either of two permissions is enough to write comments', () =>
  withGithub(async setting => assert.is((await comment(setting)).status, 201), {
    tokens: [{ token: 'ghs_some', permissions: { pull_requests: 'write' } }],
  }));

test('the token of an app cannot read its own user, except through GraphQL', () =>
  withGithub(async ({ rest }) => {
    assert.is((await refusalOf(rest.users.getAuthenticated())).status, 403);
    const { viewer } = await rest.graphql<{ viewer: { login: string } }>(
      'query { viewer { login } }',
    );
    assert.is(viewer.login, 'github-actions[bot]');
  }));

test('a private repository gets 404 for strangers, and 403 for a token without permission', () =>
  withGithub(
    async ({ hub, rest, at }) => {
      const get = (auth: string | undefined) =>
        refusalOf(clientOf(hub, auth).pulls.get({ ...at, pull_number: 1 }));
      assert.is((await get(undefined)).status, 404);
      assert.is((await get('ghp_eve')).status, 404);
      assert.is((await get('ghs_none')).status, 403);
      assert.is((await rest.pulls.get({ ...at, pull_number: 1 })).status, 200);
    },
    {
      isPrivate: true,
      tokens: [
        { token: 'ghs_test' },
        { token: 'ghp_eve', login: 'eve', kind: 'user' },
        { token: 'ghs_none', permissions: {} },
      ],
    },
  ));

test('anything that does not exist gets 404', () =>
  withGithub(async ({ rest, at }) => {
    const absent = [
      () => rest.pulls.get({ ...at, pull_number: 99 }),
      () => rest.issues.getComment({ ...at, comment_id: 99 }),
      () => rest.issues.listComments({ ...at, issue_number: 99 }),
      () => rest.git.getRef({ ...at, ref: 'heads/none' }),
      // A prefix of a name is no name.
      () => rest.git.getRef({ ...at, ref: 'heads/feat' }),
      () => rest.pulls.deleteReviewComment({ ...at, comment_id: 99 }),
      () => rest.repos.get({ owner: 'eve', repo: 'demo' }),
    ];
    for (const call of absent) assert.is((await refusalOf(call())).status, 404);
  }));

test('in a locked conversation only people who may push can comment, not apps', () =>
  withGithub(
    async setting => {
      const { hub, rest, at } = setting;
      const { id } = hub.comment({ pull: 1, author: 'ada', body: 'before' });
      hub.lock(1);
      const { status, message } = await refusalOf(comment(setting));
      assert.is(status, 403);
      assert.match(message, 'locked');
      assert.is((await refusalOf(review(setting))).status, 403);
      const react = { ...at, comment_id: id, content: 'eyes' as const };
      assert.is((await refusalOf(rest.reactions.createForIssueComment(react))).status, 403);
      assert.is((await comment({ rest: clientOf(hub, 'ghp_bob'), at })).status, 201);
      assert.is((await refusalOf(comment({ rest: clientOf(hub, 'ghp_eve'), at }))).status, 403);
      assert.is((await rest.pulls.get({ ...at, pull_number: 1 })).data.locked, true);
    },
    {
      roles: { bob: 'write' },
      tokens: [
        { token: 'ghs_test' },
        { token: 'ghp_bob', login: 'bob', kind: 'user' },
        { token: 'ghp_eve', login: 'eve', kind: 'user' },
      ],
    },
  ));

test('an archived repository can be read and not written', () =>
  withGithub(async setting => {
    setting.hub.archive();
    const { status, message } = await refusalOf(comment(setting));
    assert.is(status, 403);
    assert.match(message, 'archived so is read-only');
    assert.is((await setting.rest.repos.get(setting.at)).data.archived, true);
  }));

test('roles are reported in both spellings, and a stranger gets 404', () =>
  withGithub(
    async ({ rest, at }) => {
      const rows = [
        ['ada', 'admin', 'admin'],
        ['mia', 'write', 'maintain'],
        ['wim', 'write', 'write'],
        ['tom', 'read', 'triage'],
        ['eve', 'read', 'read'],
        ['WIM', 'write', 'write'],
      ] as const;
      for (const [username, permission, role] of rows) {
        const { data } = await rest.repos.getCollaboratorPermissionLevel({ ...at, username });
        assert.equal([data.permission, data.role_name], [permission, role], username);
      }
      for (const username of ['nobody', 'github-actions[bot]']) {
        const call = rest.repos.getCollaboratorPermissionLevel({ ...at, username });
        const { status, message } = await refusalOf(call);
        assert.is(status, 404);
        assert.match(message, 'is not a user');
      }
    },
    { roles: { mia: 'maintain', wim: 'write', tom: 'triage' }, strangers: ['eve'] },
  ));

test('people can change their own comments, and people who may push any comment', () =>
  withGithub(
    async ({ hub, rest, at }) => {
      const { id } = hub.comment({ pull: 1, author: 'eve', body: 'mine' });
      const change = { ...at, comment_id: id, body: 'changed' };
      assert.is((await clientOf(hub, 'ghp_eve').issues.updateComment(change)).status, 200);
      const other = clientOf(hub, 'ghp_zoe').issues.updateComment(change);
      assert.is((await refusalOf(other)).status, 403);
      assert.is((await clientOf(hub, 'ghp_bob').issues.updateComment(change)).status, 200);
      assert.is((await rest.issues.updateComment(change)).status, 200);
    },
    {
      roles: { bob: 'write' },
      tokens: [
        { token: 'ghs_test' },
        ...['eve', 'zoe', 'bob'].map(login => ({
          token: `ghp_${login}`,
          login,
          kind: 'user' as const,
        })),
      ],
    },
  ));

test.run();
