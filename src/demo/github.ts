import { BotError } from '../core/bot-error.js';
import type { GithubComment, GithubReview, GithubReviewComment } from '../github/comments.js';
import type { Github } from '../github/github.js';
import type { GithubFile, GithubPull } from '../github/pulls.js';

export type DemoComment = Pick<GithubReviewComment, 'path' | 'body'> & {
  readonly startLine: number;
  readonly line: number;
};

const AUTHOR = 'apfel-bot';
const WEB = 'https://github.example';
const REPOSITORY = 'demo/shop';

/** A pull request in memory that stores what `post` writes. */
export function openDemoGithub({
  base,
  head,
  branch,
  files,
}: {
  readonly base: string;
  readonly head: string;
  readonly branch: string;
  readonly files: readonly GithubFile[];
}) {
  const comments: GithubComment[] = [];
  const remarks: Array<GithubReviewComment & DemoComment> = [];
  const pull: GithubPull = {
    number: 1,
    url: `${WEB}/${REPOSITORY}/pull/1`,
    isOpen: true,
    isLocked: false,
    head: { sha: head, ref: branch, repository: REPOSITORY },
    base: { sha: base, ref: 'main' },
    title: '',
    body: '',
  };
  const comment = (body: string): GithubComment => ({
    id: comments.length + remarks.length + 1,
    body,
    author: AUTHOR,
    isBot: true,
    createdAt: EPOCH,
    updatedAt: EPOCH,
    url: pull.url,
  });
  const github: Github = {
    ...UNUSED,
    repository: REPOSITORY,
    webUrl: WEB,
    login: async () => AUTHOR,
    pull: async () => pull,
    pullFiles: async () => files,
    comments: async () => comments,
    reviewComments: async () => remarks,
    fileAt: async () => ({ state: 'absent' }),
    createComment: async (_pull, body) => {
      const made = comment(body);
      comments.push(made);
      return made;
    },
    createReview: async (_pull, review: GithubReview) => {
      for (const { path, line, startLine, side, body } of review.comments) {
        remarks.push({ ...comment(body), path, startLine, line, side, inReplyTo: null });
      }
    },
  };
  /** What people would see on the pull request. */
  const posted = (): { readonly remarks: readonly DemoComment[]; readonly summary: string } => ({
    remarks,
    summary: comments.at(-1)?.body ?? '',
  });
  return { github, posted };
}

const EPOCH = '1970-01-01T00:00:00Z';

async function refuse(): Promise<never> {
  throw new BotError('bug', "the demo's pull request doesn't support this request");
}

/** Calls that a first review of a pull request never makes. */
const UNUSED = {
  comment: refuse,
  updateComment: refuse,
  deleteComment: refuse,
  react: refuse,
  deleteReviewComment: refuse,
  checks: refuse,
  createCheck: refuse,
  updateCheck: refuse,
  permissionOf: refuse,
  headMovedAt: refuse,
  isArchived: refuse,
  defaultBranch: refuse,
  branchHead: refuse,
  pullsFrom: refuse,
  createPull: refuse,
  updatePull: refuse,
};
