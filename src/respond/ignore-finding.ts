import { NOTHING_REMEMBERED, readSticky, writeSticky } from '../core/sticky.js';
import type { Conversation } from './conversation.js';

export interface Ignored {
  readonly isNew: boolean;
  /** Whether anything of ours on this pull request speaks of that finding. */
  readonly isShown: boolean;
}

/** Stands where the summary will be, when somebody is quicker than the first review. */
const NOTHING_YET = 'No review has been posted on this pull request yet.';

/** Remembers in the summary comment that a finding is to be left alone. */
export async function ignoreFinding(
  forge: Conversation,
  pull: number,
  id: string,
): Promise<Ignored> {
  const self = (await forge.login()).toLowerCase();
  const isOurs = ({ author }: { author: string }): boolean => author.toLowerCase() === self;
  const ours = (await forge.comments(pull)).filter(isOurs);
  const inline = (await forge.reviewComments(pull)).filter(isOurs);
  const found = ours
    .map(comment => ({ comment, sticky: readSticky(comment.body) }))
    .find(({ sticky }) => sticky !== undefined);
  const isShown =
    found?.sticky?.text.includes(id) === true || inline.some(({ body }) => body.includes(id));
  if (found?.sticky === undefined) {
    const remembered = { ...NOTHING_REMEMBERED, ignored: [id] };
    await forge.createComment(pull, writeSticky(remembered, NOTHING_YET));
    return { isNew: true, isShown };
  }
  const { comment, sticky } = found;
  if (sticky.ignored.includes(id)) return { isNew: false, isShown };
  const remembered = { ...sticky, ignored: [...sticky.ignored, id] };
  await forge.updateComment(comment.id, writeSticky(remembered, sticky.text));
  return { isNew: true, isShown };
}
