import type { Forge, ForgeReview } from '../../core/forge.js';
import { toComment } from './github-comments.js';
import { attempt, eachOnce, type GithubDesk, lookFor, ONCE, PER_PAGE } from './github-desk.js';

type Reviews = Pick<Forge, 'reviewComments' | 'createReview' | 'deleteReviewComment' | 'fileAt'>;

const NEEDS_READ = 'pull-requests: read';
const NEEDS_WRITE = 'pull-requests: write';

/** What is said at the lines of a pull request. */
export function githubReviews({ client, where }: GithubDesk): Reviews {
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

const toWire = ({ path, line, side, startLine, body }: ForgeReview['comments'][number]) => ({
  path,
  line,
  side,
  body,
  // GitHub refuses a start that is the line itself.
  ...(startLine !== undefined && startLine < line && { start_line: startLine, start_side: side }),
});
