import { attempt, type GithubContext, isGone, lookFor, PER_PAGE } from './client.js';
import { answerOf } from './failure.js';
import { isFork } from './target.js';

/** The login that the token of a workflow writes as. */
export const WORKFLOW_LOGIN = 'github-actions[bot]';
const PERMISSIONS = ['none', 'read', 'triage', 'write', 'maintain', 'admin'] as const;
export type GithubPermission = (typeof PERMISSIONS)[number];

/** Who writes, who is allowed to, and what the repository is. */
export function githubPeople(context: GithubContext) {
  const { client, where } = context;
  const { repos } = client.rest;
  return {
    /** The login that this token writes as. */
    login: once(() => loginOf(context)),
    /** This person's permission here; `none` for a stranger. */
    permissionOf: async (login: string): Promise<GithubPermission> => {
      const operation = { what: "read the author's permission", needs: 'metadata: read' };
      const answer = await lookFor(operation, () =>
        repos.getCollaboratorPermissionLevel({ ...where, username: login }),
      );
      const { permission, role_name: role } = answer?.data ?? {};
      // An organisation's custom role has its own name and is based on one of these.
      return asPermission(role) ?? asPermission(permission) ?? 'none';
    },
    /** When the head of the pull request last moved, as GitHub saw it; undefined if it never did. */
    headMovedAt: (pull: number): Promise<string | undefined> => headMovedAt(context, pull),
    defaultBranch: once(() =>
      attempt({ what: 'read the repository', needs: 'metadata: read' }, async () => {
        return (await repos.get(where)).data.default_branch;
      }),
    ),
  };
}

const asPermission = (name: string | undefined): GithubPermission | undefined =>
  PERMISSIONS.find(each => each === name);

/**
 * GraphQL's viewer works with the tokens of people, apps and workflows alike; `GET /user` refuses
 * the latter two.
 */
async function loginOf({ client }: GithubContext): Promise<string> {
  return attempt({ what: 'ask whose token it is', needs: 'metadata: read' }, async () => {
    try {
      type Answer = { viewer?: { login?: unknown } } | undefined;
      const login = (await client.graphql<Answer>('query { viewer { login } }'))?.viewer?.login;
      if (typeof login === 'string') return login;
    } catch (thrown) {
      if (!isRefusal(thrown)) throw thrown;
    }
    try {
      const { login } = (await client.rest.users.getAuthenticated()).data;
      if (typeof login !== 'string') throw new TypeError('it has no login');
      return login;
    } catch (thrown) {
      if (isRefusal(thrown)) return WORKFLOW_LOGIN;
      throw thrown;
    }
  });
}

/** Not for this token, or not on this server. Errors inside a GraphQL response have no status. */
const isRefusal = (thrown: unknown): boolean => {
  const status = answerOf(thrown)?.status;
  if (status === undefined)
    return thrown instanceof Error && thrown.name === 'GraphqlResponseError';
  return [403, 404, 405, 406, 422].includes(status);
};

/** Authors choose the dates in their commits; only GitHub knows when a push arrived. */
async function headMovedAt(
  { client, where }: GithubContext,
  number: number,
): Promise<string | undefined> {
  const what = 'read when the pull request was last pushed to';
  return attempt({ what, needs: 'contents: read' }, async () => {
    const { data: pull } = await client.rest.pulls.get({ ...where, pull_number: number });
    const { repo, ref, sha } = pull.head;
    const times = await movesInTimeline({ client, where }, number, sha);
    if (repo !== null) {
      const [owner = '', name = ''] = repo.full_name.split('/');
      const place = { owner, repo: name, ref: `refs/heads/${ref}`, per_page: PER_PAGE };
      try {
        const { data } = await client.rest.repos.listActivities(place);
        times.push(...data.filter(({ after }) => after === sha).map(({ timestamp }) => timestamp));
      } catch (thrown) {
        // Older servers don't have this endpoint, and a fork may be hidden from this token.
        const isHidden =
          answerOf(thrown)?.status === 403 &&
          isFork(repo.full_name, `${where.owner}/${where.repo}`);
        if (!isGone(thrown) && !isHidden) throw thrown;
      }
    }
    return times.sort().at(-1);
  });
}

/** Force-pushes, and the date of the head itself: it can be too early, but not too late. */
async function movesInTimeline(
  { client, where }: GithubContext,
  number: number,
  head: string,
): Promise<string[]> {
  const query = { ...where, issue_number: number, per_page: PER_PAGE };
  const events = await client.paginate(client.rest.issues.listEventsForTimeline, query);
  return events.flatMap(event => {
    if (event.event === 'head_ref_force_pushed' && 'created_at' in event) {
      return event.created_at ?? [];
    }
    return event.event === 'committed' && 'sha' in event && event.sha === head
      ? (event.committer?.date ?? [])
      : [];
  });
}

function once<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let result: Promise<Value> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}
