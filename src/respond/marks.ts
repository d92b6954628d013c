import type { ForgeComment } from '../core/forge.js';

/**
 * Hidden marks in our comments, by which a later run knows what was answered. They count only in
 * comments that we wrote ourselves: anybody can copy one.
 */
export type Mark =
  | { readonly kind: 'answer' | 'failure'; readonly comment: number }
  /** For people without permission: once for each pull request, however often they try. */
  | { readonly kind: 'strangers' };

export const markText = (mark: Mark): string =>
  mark.kind === 'strangers'
    ? '<!-- apfel-bot strangers -->'
    : `<!-- apfel-bot ${mark.kind} to ${mark.comment} -->`;

/** Our own comment with this mark. */
export const findMarked = (
  comments: readonly ForgeComment[],
  self: string,
  mark: Mark,
): ForgeComment | undefined =>
  comments.find(
    ({ author, body }) =>
      author.toLowerCase() === self.toLowerCase() && body.startsWith(markText(mark)),
  );
