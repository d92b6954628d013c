import type { GithubComment } from '../github/types.js';
import {
  NOTHING_REMEMBERED,
  type ReadSticky,
  readSticky,
  writeSticky,
} from '../publish/own-comments.js';
import type { Conversation } from './event.js';

export interface Ignored {
  readonly isNew: boolean;
  /** Whether one of our comments on this pull request mentions the finding. */
  readonly isShown: boolean;
  /** The summary as it was before; undefined if there was none. */
  readonly before: string | undefined;
}

/** The text of the summary until the first review is posted. */
const NOTHING_YET = 'No review has been posted on this pull request yet.';

/** Records in the summary comment that a finding is ignored. */
export async function ignoreFinding(
  githubApi: Conversation,
  pull: number,
  id: string,
): Promise<Ignored> {
  const isOurs = await ownership(githubApi);
  const inline = (await githubApi.reviewComments(pull)).filter(isOurs);
  // Read last, to leave other writers as little time as possible.
  const found = await findSummary(githubApi, pull);
  const isShown =
    found?.sticky.text.includes(id) === true || inline.some(({ body }) => body.includes(id));
  if (found === undefined) {
    const remembered = { ...NOTHING_REMEMBERED, ignored: [id] };
    await githubApi.createComment(pull, writeSticky(remembered, NOTHING_YET));
    return { isNew: true, isShown, before: undefined };
  }
  const { comment, sticky } = found;
  const { body: before } = comment;
  if (sticky.ignored.includes(id)) return { isNew: false, isShown, before };
  const remembered = { ...sticky, ignored: [...sticky.ignored, id] };
  await githubApi.updateComment(comment.id, writeSticky(remembered, sticky.text));
  return { isNew: true, isShown, before };
}

/**
 * Checks a moment later whether a review posted at the same time has overwritten the summary with
 * an older version. A summary that is the same as before wasn't overwritten.
 */
export async function keepIgnored(
  githubApi: Conversation,
  pull: number,
  { id, before }: { readonly id: string; readonly before: string | undefined },
): Promise<void> {
  const found = await findSummary(githubApi, pull);
  if (found === undefined || found.comment.body === before) return;
  if (!found.sticky.ignored.includes(id)) await ignoreFinding(githubApi, pull, id);
}

interface FoundSummary {
  readonly comment: GithubComment;
  readonly sticky: ReadSticky;
}

async function findSummary(
  githubApi: Conversation,
  pull: number,
): Promise<FoundSummary | undefined> {
  const isOurs = await ownership(githubApi);
  const ours = (await githubApi.comments(pull)).filter(isOurs);
  return ours.flatMap(comment => {
    const sticky = readSticky(comment.body);
    return sticky === undefined ? [] : [{ comment, sticky }];
  })[0];
}

async function ownership(githubApi: Conversation): Promise<(by: { author: string }) => boolean> {
  const self = (await githubApi.login()).toLowerCase();
  return ({ author }) => author.toLowerCase() === self;
}
