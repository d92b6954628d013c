import { attempt, eachOnce, type GithubContext, idOf, lookFor, ONCE, PER_PAGE } from './client.js';
import { answerOf } from './failure.js';

const NEEDS_READ = 'pull-requests: read';
const NEEDS_WRITE = 'pull-requests: write';

/** The conversation of a pull request. */
export function githubComments({ client, where }: GithubContext) {
  const { issues, reactions } = client.rest;
  /**
   * Comments of this run by id. GitHub's lists may lag behind a write, which would cause
   * duplicates; so what was created is in every later list until it is known to be gone.
   */
  const created = new Map<number, { readonly pull: number; readonly comment: GithubComment }>();
  return {
    comments: (pull: number): Promise<readonly GithubComment[]> =>
      attempt({ what: 'read the comments', needs: NEEDS_READ }, async () => {
        const query = { ...where, issue_number: pull, per_page: PER_PAGE };
        const listed = (await client.paginate(issues.listComments, query)).map(toComment);
        const own = [...created.values()].filter(each => each.pull === pull);
        // The listed ones last: if both exist, GitHub's text counts.
        const all = eachOnce([...own.map(({ comment }) => comment), ...listed]);
        return all.map(comment => ({ ...comment, isOurs: created.has(comment.id) }));
      }),
    /** Undefined when it is gone. */
    comment: (id: number): Promise<GithubComment | undefined> =>
      lookFor({ what: 'read a comment', needs: NEEDS_READ }, async () => {
        return toComment((await issues.getComment({ ...where, comment_id: id })).data);
      }),
    createComment: (pull: number, body: string): Promise<GithubComment> =>
      attempt({ what: 'post a comment', needs: NEEDS_WRITE, isOnce: true }, async () => {
        const options = { ...where, issue_number: pull, body, request: ONCE };
        const comment = toComment({ body, ...(await issues.createComment(options)).data });
        created.set(comment.id, { pull, comment });
        return comment;
      }),
    updateComment: (id: number, body: string): Promise<void> =>
      attempt({ what: 'update the comment', needs: NEEDS_WRITE }, async () => {
        const own = created.get(id);
        // Dropped until GitHub lists it: somebody may have deleted it.
        created.delete(id);
        const { data } = await issues.updateComment({ ...where, comment_id: id, body });
        if (own !== undefined) created.set(id, { ...own, comment: toComment({ body, ...data }) });
      }),
    /** Doesn't fail if it is already gone. */
    deleteComment: (id: number): Promise<void> =>
      lookFor({ what: 'delete a comment', needs: NEEDS_WRITE }, async () => {
        created.delete(id);
        await issues.deleteComment({ ...where, comment_id: id });
      }),
    /** Reacting twice in the same way leaves one reaction. */
    react: (comment: number, content: 'eyes' | '+1' | '-1' | 'confused'): Promise<void> =>
      attempt({ what: 'react to the comment', needs: NEEDS_WRITE }, async () => {
        await reactions.createForIssueComment({ ...where, comment_id: comment, content });
      }),
  };
}

interface WireComment {
  readonly id: number;
  readonly body?: string | null;
  /** Null for a deleted account. */
  readonly user?: { readonly login: string; readonly type?: string } | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly html_url: string;
}

export interface GithubComment extends ReturnType<typeof toComment> {
  /** This run created it, even if GitHub names another author. */
  readonly isOurs?: boolean;
}

const toComment = (comment: WireComment) => ({
  id: idOf(comment),
  body: comment.body ?? '',
  author: comment.user?.login ?? '',
  isBot: comment.user?.type === 'Bot',
  createdAt: comment.created_at,
  updatedAt: comment.updated_at,
  url: comment.html_url,
});

export interface GithubReviewComment extends GithubComment {
  readonly path: string;
  /** Null once the line is gone from the pull request's diff. */
  readonly line: number | null;
  readonly side: 'LEFT' | 'RIGHT';
  readonly inReplyTo: number | null;
}

export interface GithubReview {
  readonly commit: string;
  readonly body: string;
  readonly comments: ReadonlyArray<{
    readonly path: string;
    readonly line: number;
    readonly side: 'LEFT' | 'RIGHT';
    /** Equal to `line` for a comment on one line. */
    readonly startLine: number;
    readonly body: string;
  }>;
}

/** Comments on the lines of a pull request, and the files they are about. */
export function githubReviews({ client, where }: GithubContext) {
  const { pulls, repos } = client.rest;
  return {
    reviewComments: (pull: number): Promise<readonly GithubReviewComment[]> =>
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
    createReview: (pull: number, review: GithubReview): Promise<void> =>
      attempt({ what: 'post the review', needs: NEEDS_WRITE, isOnce: true }, async () => {
        const { data } = await pulls.createReview({
          ...where,
          pull_number: pull,
          commit_id: review.commit,
          event: 'COMMENT',
          body: review.body,
          comments: review.comments.map(toWire),
          request: ONCE,
        });
        idOf(data);
      }),
    /** Doesn't fail if it is already gone. */
    deleteReviewComment: (id: number): Promise<void> =>
      lookFor({ what: 'delete a review comment', needs: NEEDS_WRITE }, async () => {
        await pulls.deleteReviewComment({ ...where, comment_id: id });
      }),
    /** A file as of the commit; `unknown` when the token isn't allowed to read it. */
    fileAt: async (
      commit: string,
      path: string,
    ): Promise<{ state: 'there'; text: string } | { state: 'absent' | 'unknown' }> => {
      try {
        const query = { ...where, path, ref: commit, mediaType: { format: 'raw' } };
        // In this format it is the file itself, which Octokit's types don't cover; a folder is a
        // list.
        const file: unknown = (await repos.getContent(query)).data;
        if (typeof file === 'string') return { state: 'there', text: file };
        if (!(file instanceof ArrayBuffer)) return { state: 'unknown' };
        return { state: 'there', text: new TextDecoder().decode(file) };
      } catch (thrown) {
        return { state: answerOf(thrown)?.status === 404 ? 'absent' : 'unknown' };
      }
    },
  };
}

const toWire = ({ path, line, side, startLine, body }: GithubReview['comments'][number]) => ({
  path,
  line,
  side,
  body,
  // GitHub refuses a start line that equals the line.
  ...(startLine < line && { start_line: startLine, start_side: side }),
});
