import type { GithubComment } from '../github/types.js';
import { NOTHING_REMEMBERED, type ReadSticky, readSticky, writeSticky } from '../publish/sticky.js';
import type { Conversation } from './event.js';

export interface Ignored {
  readonly isNew: boolean;
  /** Whether anything of ours on this pull request speaks of that finding. */
  readonly isShown: boolean;
  /** The summary as it was before; undefined when there was none. */
  readonly before: string | undefined;
}

/** Stands where the summary will be, when somebody is quicker than the first review. */
const NOTHING_YET = 'No review has been posted on this pull request yet.';

/** Remembers in the summary comment that a finding is to be left alone. */
export async function ignoreFinding(
  githubApi: Conversation,
  pull: number,
  id: string,
): Promise<Ignored> {
  const isOurs = await ownership(githubApi);
  const inline = (await githubApi.reviewComments(pull)).filter(isOurs);
  // Last, so that as little as possible can happen until it is written.
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
 * A second look, some time after: a review that was being posted in the same moment may have written
 * what it had read before. A summary that is as it was before has not been written over.
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
