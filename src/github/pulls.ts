import { attempt, type GithubContext, lookFor, ONCE, PER_PAGE } from './client.js';
import type { Github, GithubPull } from './types.js';

type Pulls = Pick<
  Github,
  'pull' | 'pullFiles' | 'pullsFrom' | 'createPull' | 'updatePull' | 'branchHead'
>;

const NEEDS_READ = 'pull-requests: read';
const NEEDS_WRITE = 'pull-requests: write';
/** GitHub lists no more files of a pull request. */
const MOST_FILES = 3000;

/** Pull requests and the branches they come from. */
export function githubPulls({ client, where }: GithubContext): Pulls {
  const { pulls, git } = client.rest;
  const repository = `${where.owner}/${where.repo}`;
  return {
    pull: number =>
      lookFor({ what: 'read the pull request', needs: NEEDS_READ }, async () => {
        return toPull((await pulls.get({ ...where, pull_number: number })).data);
      }),
    pullFiles: number =>
      attempt({ what: 'read the changed files', needs: NEEDS_READ }, async () => {
        const query = { ...where, pull_number: number, per_page: PER_PAGE };
        const found = await client.paginate(pulls.listFiles, query);
        const files = found.map(({ filename, status, patch }) => ({
          path: filename,
          status,
          ...(patch !== undefined && { patch }),
        }));
        return { files, isWhole: files.length < MOST_FILES };
      }),
    pullsFrom: branch =>
      attempt({ what: 'look for pull requests', needs: NEEDS_READ }, async () => {
        const head = `${where.owner}:${branch}`;
        const { data } = await pulls.list({ ...where, head, state: 'all', per_page: PER_PAGE });
        // GitHub shows all there are when it does not understand the filter.
        return data
          .filter(({ merged_at: mergedAt }) => !mergedAt)
          .map(toPull)
          .filter(pull => pull.head.ref === branch && isSame(pull.head.repository, repository));
      }),
    createPull: ({ title, body, head, base, isDraft }) =>
      attempt({ what: 'open the pull request', needs: NEEDS_WRITE, isOnce: true }, async () => {
        const options = { ...where, title, body, head, base, draft: isDraft, request: ONCE };
        return toPull((await pulls.create(options)).data);
      }),
    updatePull: (number, change) =>
      attempt({ what: 'update the pull request', needs: NEEDS_WRITE }, async () => {
        await pulls.update({ ...where, pull_number: number, ...change });
      }),
    branchHead: name =>
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
  // A fork that was deleted leaves its pull requests without a repository.
  head: { sha: pull.head.sha, ref: pull.head.ref, repository: pull.head.repo?.full_name ?? null },
  base: { sha: pull.base.sha, ref: pull.base.ref },
  title: pull.title,
  body: pull.body ?? '',
});
