import type { ForgeComment } from '../core/forge.js';
import { NOTHING_REMEMBERED, type ReadSticky, readSticky, writeSticky } from '../core/sticky.js';
import type { Conversation } from './conversation.js';

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
  forge: Conversation,
  pull: number,
  id: string,
): Promise<Ignored> {
  const isOurs = await ownership(forge);
  const inline = (await forge.reviewComments(pull)).filter(isOurs);
  // Last, so that as little as possible can happen until it is written.
  const found = await findSummary(forge, pull);
  const isShown =
    found?.sticky.text.includes(id) === true || inline.some(({ body }) => body.includes(id));
  if (found === undefined) {
    const remembered = { ...NOTHING_REMEMBERED, ignored: [id] };
    await forge.createComment(pull, writeSticky(remembered, NOTHING_YET));
    return { isNew: true, isShown, before: undefined };
  }
  const { comment, sticky } = found;
  const { body: before } = comment;
  if (sticky.ignored.includes(id)) return { isNew: false, isShown, before };
  const remembered = { ...sticky, ignored: [...sticky.ignored, id] };
  await forge.updateComment(comment.id, writeSticky(remembered, sticky.text));
  return { isNew: true, isShown, before };
}

/**
 * A second look, some time after: a review that was being posted in the same moment may have written
 * what it had read before. A summary that is as it was before has not been written over.
 */
export async function keepIgnored(
  forge: Conversation,
  pull: number,
  { id, before }: { readonly id: string; readonly before: string | undefined },
): Promise<void> {
  const found = await findSummary(forge, pull);
  if (found === undefined || found.comment.body === before) return;
  if (!found.sticky.ignored.includes(id)) await ignoreFinding(forge, pull, id);
}

interface FoundSummary {
  readonly comment: ForgeComment;
  readonly sticky: ReadSticky;
}

async function findSummary(forge: Conversation, pull: number): Promise<FoundSummary | undefined> {
  const isOurs = await ownership(forge);
  const ours = (await forge.comments(pull)).filter(isOurs);
  return ours.flatMap(comment => {
    const sticky = readSticky(comment.body);
    return sticky === undefined ? [] : [{ comment, sticky }];
  })[0];
}

async function ownership(forge: Conversation): Promise<(by: { author: string }) => boolean> {
  const self = (await forge.login()).toLowerCase();
  return ({ author }) => author.toLowerCase() === self;
}
