import type { ForgeComment, ForgeReviewComment } from '../core/forge.js';
import { type ReadSticky, readSticky } from '../core/sticky.js';
import { type FindingMark, readMark } from './finding-mark.js';

/** A comment of ours at a line. */
export interface PostedFinding {
  readonly comment: number;
  readonly path: string;
  readonly side: 'LEFT' | 'RIGHT';
  readonly mark: FindingMark;
  /** Somebody answered it, so it belongs to them as well. */
  readonly isReplied: boolean;
}

export interface OwnSticky {
  readonly comment: number;
  readonly sticky: ReadSticky;
  readonly body: string;
}

/** Ours = our mark and our login. Whoever copies the mark is not believed. */
export function ownFindings(
  comments: readonly ForgeReviewComment[],
  author: string,
): PostedFinding[] {
  const replied = new Set(comments.map(comment => comment.inReplyTo));
  return comments.flatMap(({ id, body, author: writer, path, side, inReplyTo }) => {
    const mark = isSame(writer, author) && inReplyTo === null ? readMark(body) : undefined;
    if (mark === undefined) return [];
    return [{ comment: id, path, side, mark, isReplied: replied.has(id) }];
  });
}

/** The oldest counts; more than one are the trace of two runs that raced. */
export function ownStickies(comments: readonly ForgeComment[], author: string): OwnSticky[] {
  return comments
    .flatMap(({ id, body, author: writer }) => {
      const sticky = isSame(writer, author) ? readSticky(body) : undefined;
      return sticky === undefined ? [] : [{ comment: id, sticky, body }];
    })
    .sort((one, other) => one.comment - other.comment);
}

/** Comments of ours that begin with this mark, oldest first. */
export const ownMarked = (
  comments: readonly ForgeComment[],
  author: string,
  mark: string,
): number[] =>
  comments
    .filter(({ body, author: writer }) => isSame(writer, author) && body.startsWith(mark))
    .map(({ id }) => id)
    .sort((one, other) => one - other);

/** GitHub's logins do not differ by case alone. */
const isSame = (one: string, other: string): boolean =>
  one !== '' && one.toLowerCase() === other.toLowerCase();
