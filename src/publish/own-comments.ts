import { fingerprint } from '../core/finding.js';
import type { GithubComment, GithubReviewComment } from '../github/types.js';
import { squeeze } from './anchor.js';
import { type ReadSticky, readSticky } from './sticky.js';

/** The hidden first line of our comments on lines. */
export interface FindingMark {
  readonly id: string;
  /** How many lines it is on. */
  readonly lines: number;
  /** Digest of their text, without white space unless `isExact`. */
  readonly text: string;
  readonly isExact: boolean;
  /** Tells two comments on equal lines apart. */
  readonly rule: string;
}

const MARK =
  /^<!-- apfel-bot:finding id=([0-9a-f]{16}) (text|exact)=(\d{1,2}):([0-9a-f]{16}) rule=([0-9a-f]{16}) -->/;

export function markOf(
  finding: { readonly id: string; readonly rule: string },
  texts: readonly string[],
): FindingMark {
  // Else a line would count as still there once its trailing blanks are gone.
  const isExact = finding.rule === 'whitespace';
  return {
    id: finding.id,
    lines: texts.length,
    text: textPrint(texts, isExact),
    isExact,
    rule: fingerprint(finding.rule),
  };
}

export const writeMark = ({ id, lines, text, isExact, rule }: FindingMark): string =>
  `<!-- apfel-bot:finding id=${id} ${isExact ? 'exact' : 'text'}=${lines}:${text} rule=${rule} -->`;

/** Undefined for a comment that doesn't begin with a mark. */
export function readMark(body: string): FindingMark | undefined {
  const [, id, how, lines, text, rule] = MARK.exec(body) ?? [];
  if (id === undefined || text === undefined || rule === undefined) return undefined;
  return { id, lines: Number(lines), text, isExact: how === 'exact', rule };
}

/** How often these lines contain the marked text. */
export function countMarked(mark: FindingMark, lines: readonly string[]): number {
  let found = 0;
  for (let at = 0; at + mark.lines <= lines.length; at += 1) {
    if (textPrint(lines.slice(at, at + mark.lines), mark.isExact) === mark.text) found += 1;
  }
  return found;
}

const textPrint = (texts: readonly string[], isExact: boolean): string =>
  fingerprint(texts.map(text => (isExact ? text.replace(/\r$/, '') : squeeze(text))).join('\n'));

/** A comment of ours on a line. */
export interface PostedFinding {
  readonly comment: number;
  readonly path: string;
  readonly side: 'LEFT' | 'RIGHT';
  readonly mark: FindingMark;
  /** Somebody replied, so we don't remove it. */
  readonly isReplied: boolean;
}

export interface OwnSticky {
  readonly comment: number;
  readonly sticky: ReadSticky;
  readonly body: string;
}

/** Comments with our mark and our login: anybody can copy the mark alone. */
export function ownFindings(
  comments: readonly GithubReviewComment[],
  author: string,
): PostedFinding[] {
  const replied = new Set(comments.map(comment => comment.inReplyTo));
  return comments.flatMap(({ id, body, author: writer, path, side, inReplyTo }) => {
    const mark = isSame(writer, author) && inReplyTo === null ? readMark(body) : undefined;
    if (mark === undefined) return [];
    return [{ comment: id, path, side, mark, isReplied: replied.has(id) }];
  });
}

/** Oldest first, which counts; racing runs may have left more than one. */
export function ownStickies(comments: readonly GithubComment[], author: string): OwnSticky[] {
  return comments
    .flatMap(({ id, body, author: writer }) => {
      const sticky = isSame(writer, author) ? readSticky(body) : undefined;
      return sticky === undefined ? [] : [{ comment: id, sticky, body }];
    })
    .sort((one, other) => one.comment - other.comment);
}

/** Comments of ours that begin with this mark, oldest first. */
export const ownMarked = (
  comments: readonly GithubComment[],
  author: string,
  mark: string,
): number[] =>
  comments
    .filter(({ body, author: writer }) => isSame(writer, author) && body.startsWith(mark))
    .map(({ id }) => id)
    .sort((one, other) => one - other);

/** Logins don't differ by case alone. */
const isSame = (one: string, other: string): boolean =>
  one !== '' && one.toLowerCase() === other.toLowerCase();
