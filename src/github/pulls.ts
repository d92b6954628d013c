import type { RestEndpointMethodTypes } from '@octokit/rest';
import { attempt, type GithubContext, lookFor, ONCE, PER_PAGE } from './client.js';
import { isFork } from './target.js';

const NEEDS_READ = 'pull-requests: read';
const NEEDS_WRITE = 'pull-requests: write';

/** A changed file with its hunks, which a binary file and one too large to show don't have. */
export interface GithubFile {
  readonly path: string;
  readonly patch: string | undefined;
}

/** Pull requests and the branches they come from. */
export function githubPulls({ client, where }: GithubContext, webUrl: string) {
  const { pulls, git } = client.rest;
  const repository = `${where.owner}/${where.repo}`;
  const toPull = pullReader(`${webUrl}/${repository}`);
  return {
    /** Undefined when there is no such pull request. */
    pull: (number: number): Promise<GithubPull | undefined> =>
      lookFor({ what: 'read the pull request', needs: NEEDS_READ }, async () => {
        return toPull((await pulls.get({ ...where, pull_number: number })).data);
      }),
    /** In GitHub's order, and 3,000 at most. */
    pullFiles: (number: number): Promise<readonly GithubFile[]> =>
      attempt({ what: 'read the changed files', needs: NEEDS_READ }, async () => {
        const query = { ...where, pull_number: number, per_page: PER_PAGE };
        const found = await client.paginate(pulls.listFiles, query);
        return found.map(({ filename, patch }) => ({ path: filename, patch }));
      }),
    /** Pull requests from this branch of this repository: open, or closed without a merge. */
    pullsFrom: (branch: string): Promise<readonly GithubPull[]> =>
      attempt({ what: 'look for pull requests', needs: NEEDS_READ }, async () => {
        const head = `${where.owner}:${branch}`;
        const { data } = await pulls.list({ ...where, head, state: 'all', per_page: PER_PAGE });
        // GitHub lists all pull requests when it doesn't understand the filter.
        return data
          .filter(({ merged_at: mergedAt }) => !mergedAt)
          .map(toPull)
          .filter(pull => pull.head.ref === branch && !isFork(pull.head.repository, repository));
      }),
    createPull: (pull: Record<'title' | 'body' | 'head' | 'base', string>): Promise<GithubPull> =>
      attempt({ what: 'open the pull request', needs: NEEDS_WRITE, isOnce: true }, async () => {
        return toPull((await pulls.create({ ...where, ...pull, request: ONCE })).data);
      }),
    updatePull: (number: number, text: { title: string; body: string }): Promise<void> =>
      attempt({ what: 'update the pull request', needs: NEEDS_WRITE }, async () => {
        await pulls.update({ ...where, pull_number: number, ...text });
      }),
    /** Undefined when there is no such branch. */
    branchHead: (name: string): Promise<string | undefined> =>
      lookFor({ what: 'read the branch', needs: 'contents: read' }, async () => {
        return (await git.getRef({ ...where, ref: `heads/${name}` })).data.object.sha;
      }),
  };
}

type WirePull = Pick<
  RestEndpointMethodTypes['pulls']['list']['response']['data'][number],
  'number' | 'html_url' | 'state' | 'locked' | 'title' | 'body'
> & {
  readonly head: { sha: string; ref: string; repo: { full_name: string } | null };
  readonly base: { sha: string; ref: string };
};

export type GithubPull = ReturnType<ReturnType<typeof pullReader>>;

const pullReader = (repositoryUrl: string) => (pull: WirePull) => ({
  number: pull.number,
  url: pull.html_url ?? `${repositoryUrl}/pull/${pull.number}`,
  isOpen: pull.state === 'open',
  isLocked: pull.locked,
  // The pull requests of a deleted fork have no repository.
  head: { sha: pull.head.sha, ref: pull.head.ref, repository: pull.head.repo?.full_name ?? null },
  base: { sha: pull.base.sha, ref: pull.base.ref },
  title: pull.title,
  body: pull.body ?? '',
});
