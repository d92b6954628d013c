import { attempt, eachOnce, type GithubContext, lookFor, ONCE, PER_PAGE } from './client.js';
import type { Github, GithubComment, GithubReview } from './types.js';

type Comments = Pick<
  Github,
  'comments' | 'comment' | 'createComment' | 'updateComment' | 'deleteComment' | 'react'
>;

const NEEDS_READ = 'pull-requests: read';
const NEEDS_WRITE = 'pull-requests: write';

/** The conversation of a pull request. */
export function githubComments({ client, where }: GithubContext): Comments {
  const { issues, reactions } = client.rest;
  return {
    comments: pull =>
      attempt({ what: 'read the comments', needs: NEEDS_READ }, async () => {
        const query = { ...where, issue_number: pull, per_page: PER_PAGE };
        return eachOnce(await client.paginate(issues.listComments, query)).map(toComment);
      }),
    comment: id =>
      lookFor({ what: 'read a comment', needs: NEEDS_READ }, async () => {
        return toComment((await issues.getComment({ ...where, comment_id: id })).data);
      }),
    createComment: (pull, body) =>
      attempt({ what: 'post a comment', needs: NEEDS_WRITE, isOnce: true }, async () => {
        const options = { ...where, issue_number: pull, body, request: ONCE };
        return toComment((await issues.createComment(options)).data);
      }),
    updateComment: (id, body) =>
      attempt({ what: 'update the comment', needs: NEEDS_WRITE }, async () => {
        await issues.updateComment({ ...where, comment_id: id, body });
      }),
    deleteComment: id =>
      lookFor({ what: 'delete a comment', needs: NEEDS_WRITE }, async () => {
        await issues.deleteComment({ ...where, comment_id: id });
      }),
    react: (comment, content) =>
      attempt({ what: 'react to the comment', needs: NEEDS_WRITE }, async () => {
        // Twice the same reaction is one.
        await reactions.createForIssueComment({ ...where, comment_id: comment, content });
      }),
  };
}

/** Users come and go; without one the author is nobody. */
export interface WrittenByUser {
  readonly id: number;
  readonly body?: string | null;
  readonly user: { readonly login: string; readonly type?: string } | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly html_url: string;
}

export const toComment = (comment: WrittenByUser): GithubComment => ({
  id: comment.id,
  body: comment.body ?? '',
  author: comment.user?.login ?? '',
  isBot: comment.user?.type === 'Bot',
  createdAt: comment.created_at,
  updatedAt: comment.updated_at,
  url: comment.html_url,
});

type Reviews = Pick<Github, 'reviewComments' | 'createReview' | 'deleteReviewComment' | 'fileAt'>;

/** What is said at the lines of a pull request. */
export function githubReviews({ client, where }: GithubContext): Reviews {
  const { pulls, repos } = client.rest;
  return {
    reviewComments: pull =>
      attempt({ what: 'read the review comments', needs: NEEDS_READ }, async () => {
        const query = { ...where, pull_number: pull, per_page: PER_PAGE };
        const found = await client.paginate(pulls.listReviewComments, query);
        return eachOnce(found).map(comment => ({
          ...toComment(comment),
          path: comment.path,
          line: comment.line ?? null,
          side: comment.side === 'LEFT' ? ('LEFT' as const) : ('RIGHT' as const),
          inReplyTo: comment.in_reply_to_id ?? null,
        }));
      }),
    createReview: (pull, review) =>
      attempt({ what: 'post the review', needs: NEEDS_WRITE, isOnce: true }, async () => {
        await pulls.createReview({
          ...where,
          pull_number: pull,
          commit_id: review.commit,
          event: 'COMMENT',
          body: review.body,
          comments: review.comments.map(toWire),
          request: ONCE,
        });
      }),
    deleteReviewComment: id =>
      lookFor({ what: 'remove a review comment', needs: NEEDS_WRITE }, async () => {
        await pulls.deleteReviewComment({ ...where, comment_id: id });
      }),
    fileAt: async (commit, path) => {
      try {
        const query = { ...where, path, ref: commit, mediaType: { format: 'raw' } };
        const { data } = await repos.getContent(query);
        // In this format it is the file itself, which the types do not know; a folder is a list.
        const file: unknown = data;
        if (typeof file === 'string') return { state: 'there', text: file };
        if (!(file instanceof ArrayBuffer)) return { state: 'unknown' };
        return { state: 'there', text: new TextDecoder().decode(file) };
      } catch (thrown) {
        return isAbsent(thrown) ? { state: 'absent' } : { state: 'unknown' };
      }
    },
  };
}

const isAbsent = (thrown: unknown): boolean =>
  thrown instanceof Error && 'status' in thrown && thrown.status === 404;

const toWire = ({ path, line, side, startLine, body }: GithubReview['comments'][number]) => ({
  path,
  line,
  side,
  body,
  // GitHub refuses a start that is the line itself.
  ...(startLine !== undefined && startLine < line && { start_line: startLine, start_side: side }),
});
