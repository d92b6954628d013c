import { attempt, type GithubContext, lookFor, ONCE, PER_PAGE } from './client.js';
import type { GithubFile, GithubPull } from './types.js';

const NEEDS_READ = 'pull-requests: read';
const NEEDS_WRITE = 'pull-requests: write';
/** The most files that GitHub lists for a pull request. */
const MAX_FILES = 3000;

/** Pull requests and the branches they come from. */
export function githubPulls({ client, where }: GithubContext) {
  const { pulls, git } = client.rest;
  const repository = `${where.owner}/${where.repo}`;
  return {
    /** Undefined when there is no such pull request. */
    pull: (number: number): Promise<GithubPull | undefined> =>
      lookFor({ what: 'read the pull request', needs: NEEDS_READ }, async () => {
        return toPull((await pulls.get({ ...where, pull_number: number })).data);
      }),
    /** In GitHub's order; it lists 3,000 at most, and `isWhole` is false at that limit. */
    pullFiles: (
      number: number,
    ): Promise<{ readonly files: readonly GithubFile[]; readonly isWhole: boolean }> =>
      attempt({ what: 'read the changed files', needs: NEEDS_READ }, async () => {
        const query = { ...where, pull_number: number, per_page: PER_PAGE };
        const found = await client.paginate(pulls.listFiles, query);
        const files = found.map(({ filename, status, patch }) => ({
          path: filename,
          status,
          ...(patch !== undefined && { patch }),
        }));
        return { files, isWhole: files.length < MAX_FILES };
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
          .filter(pull => pull.head.ref === branch && isSame(pull.head.repository, repository));
      }),
    createPull: (pull: {
      readonly title: string;
      readonly body: string;
      readonly head: string;
      readonly base: string;
    }): Promise<GithubPull> =>
      attempt({ what: 'open the pull request', needs: NEEDS_WRITE, isOnce: true }, async () => {
        return toPull((await pulls.create({ ...where, ...pull, request: ONCE })).data);
      }),
    updatePull: (
      number: number,
      change: { readonly title?: string; readonly body?: string },
    ): Promise<void> =>
      attempt({ what: 'update the pull request', needs: NEEDS_WRITE }, async () => {
        await pulls.update({ ...where, pull_number: number, ...change });
      }),
    /** Undefined when there is no such branch. */
    branchHead: (name: string): Promise<string | undefined> =>
      lookFor({ what: 'read the branch', needs: 'contents: read' }, async () => {
        return (await git.getRef({ ...where, ref: `heads/${name}` })).data.object.sha;
      }),
  };
}

const isSame = (one: string | null, other: string): boolean =>
  one !== null && one.toLowerCase() === other.toLowerCase();

interface WirePull {
  readonly number: number;
  readonly html_url: string;
  readonly state: string;
  readonly locked: boolean;
  readonly title: string;
  readonly body: string | null;
  readonly head: {
    readonly sha: string;
    readonly ref: string;
    readonly repo: { readonly full_name: string } | null;
  };
  readonly base: { readonly sha: string; readonly ref: string };
}

const toPull = (pull: WirePull): GithubPull => ({
  number: pull.number,
  url: pull.html_url,
  isOpen: pull.state === 'open',
  isLocked: pull.locked,
  // The pull requests of a deleted fork have no repository.
  head: { sha: pull.head.sha, ref: pull.head.ref, repository: pull.head.repo?.full_name ?? null },
  base: { sha: pull.base.sha, ref: pull.base.ref },
  title: pull.title,
  body: pull.body ?? '',
});
