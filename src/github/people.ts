import { attempt, type GithubContext, isGone, lookFor, PER_PAGE } from './client.js';
import { answerOf } from './failure.js';
import type { Github, GithubPermission } from './types.js';

type People = Pick<
  Github,
  'login' | 'permissionOf' | 'headMovedAt' | 'isArchived' | 'defaultBranch'
>;

/** Whom the token of a workflow writes as. */
const WORKFLOW_LOGIN = 'github-actions[bot]';
const PERMISSIONS: readonly GithubPermission[] = [
  'none',
  'read',
  'triage',
  'write',
  'maintain',
  'admin',
];

/** Who writes, who may, and what the repository is. */
export function githubPeople(session: GithubContext): People {
  const { client, where } = session;
  const { repos } = client.rest;
  const repository = once(() =>
    attempt({ what: 'read the repository', needs: 'metadata: read' }, async () => {
      return (await repos.get(where)).data;
    }),
  );
  return {
    login: once(() => loginOf(session)),
    permissionOf: async login => {
      const operation = { what: 'read what the author may do', needs: 'metadata: read' };
      const answer = await lookFor(operation, () =>
        repos.getCollaboratorPermissionLevel({ ...where, username: login }),
      );
      const { permission, role_name: role } = answer?.data ?? {};
      // A role of an organisation's own has a name of its own, and rests on one of these.
      return PERMISSIONS.find(each => each === role) ?? asPermission(permission);
    },
    headMovedAt: pull => headMovedAt(session, pull),
    isArchived: async () => (await repository()).archived === true,
    defaultBranch: async () => (await repository()).default_branch,
  };
}

const asPermission = (word: string | undefined): GithubPermission =>
  PERMISSIONS.find(each => each === word) ?? 'none';

/**
 * GraphQL's viewer is the one question that the tokens of people, of apps and of workflows all
 * answer; `GET /user` is refused to the latter two.
 */
async function loginOf({ client }: GithubContext): Promise<string> {
  return attempt({ what: 'ask who the token is', needs: 'metadata: read' }, async () => {
    try {
      const { viewer } = await client.graphql<{ viewer?: { login?: unknown } }>(
        'query { viewer { login } }',
      );
      if (typeof viewer?.login === 'string') return viewer.login;
    } catch (thrown) {
      if (!isRefusal(thrown)) throw thrown;
    }
    try {
      return (await client.rest.users.getAuthenticated()).data.login;
    } catch (thrown) {
      if (isRefusal(thrown)) return WORKFLOW_LOGIN;
      throw thrown;
    }
  });
}

/** Not for this token, or not on this server. Errors inside a GraphQL answer have no status. */
const isRefusal = (thrown: unknown): boolean => {
  const status = answerOf(thrown)?.status;
  if (status === undefined)
    return thrown instanceof Error && thrown.name === 'GraphqlResponseError';
  return [403, 404, 405, 406, 422].includes(status);
};

/** Dates in commits are the author's to choose; when a push arrived only GitHub knows. */
async function headMovedAt(
  { client, where }: GithubContext,
  number: number,
): Promise<string | undefined> {
  const operation = { what: 'read when the head moved', needs: 'contents: read' };
  return attempt(operation, async () => {
    const { data: pull } = await client.rest.pulls.get({ ...where, pull_number: number });
    const { repo, ref, sha } = pull.head;
    const times = [...(await forcePushes({ client, where }, number))];
    if (repo !== null) {
      const [owner = '', name = ''] = repo.full_name.split('/');
      const place = { owner, repo: name, ref: `refs/heads/${ref}`, per_page: PER_PAGE };
      try {
        const { data } = await client.rest.repos.listActivities(place);
        times.push(...data.filter(({ after }) => after === sha).map(({ timestamp }) => timestamp));
      } catch (thrown) {
        // A fork may be hidden from this token, and older servers do not have it.
        if (!isGone(thrown) && answerOf(thrown)?.status !== 403) throw thrown;
      }
    }
    return times.sort().at(-1);
  });
}

async function forcePushes({ client, where }: GithubContext, number: number): Promise<string[]> {
  const query = { ...where, issue_number: number, per_page: PER_PAGE };
  const events = await client.paginate(client.rest.issues.listEventsForTimeline, query);
  return events.flatMap(event =>
    event.event === 'head_ref_force_pushed' && 'created_at' in event && event.created_at
      ? [event.created_at]
      : [],
  );
}

function once<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let result: Promise<Value> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}
