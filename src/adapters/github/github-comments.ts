import type { Forge, ForgeComment } from '../../core/forge.js';
import { attempt, eachOnce, type GithubDesk, lookFor, ONCE, PER_PAGE } from './github-desk.js';

type Comments = Pick<
  Forge,
  'comments' | 'comment' | 'createComment' | 'updateComment' | 'deleteComment' | 'react'
>;

const NEEDS_READ = 'pull-requests: read';
const NEEDS_WRITE = 'pull-requests: write';

/** The conversation of a pull request. */
export function githubComments({ client, where }: GithubDesk): Comments {
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
        const wish = { ...where, issue_number: pull, body, request: ONCE };
        return toComment((await issues.createComment(wish)).data);
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

export const toComment = (comment: WrittenByUser): ForgeComment => ({
  id: comment.id,
  body: comment.body ?? '',
  author: comment.user?.login ?? '',
  isBot: comment.user?.type === 'Bot',
  createdAt: comment.created_at,
  updatedAt: comment.updated_at,
  url: comment.html_url,
});
