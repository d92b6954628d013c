import type { Conversation } from './conversation.js';
import { findMarked, type Mark, markText } from './marks.js';

export interface Reply {
  readonly pull: number;
  readonly mark: Mark;
  readonly text: string;
  /** A later word replaces the earlier one instead of being dropped. */
  readonly replaces?: boolean;
}

/** Writes the comment, unless it stands there already from an earlier run of the same job. */
export async function reply(
  forge: Conversation,
  { pull, mark, text, replaces }: Reply,
): Promise<void> {
  const self = await forge.login();
  const body = `${markText(mark)}\n${text}\n`;
  const earlier = findMarked(await forge.comments(pull), self, mark);
  if (earlier === undefined) await forge.createComment(pull, body);
  else if (replaces === true && earlier.body.trim() !== body.trim()) {
    await forge.updateComment(earlier.id, body);
  }
}
