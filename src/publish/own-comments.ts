import { fingerprint } from '../core/finding.js';
import type { GithubComment, GithubReviewComment } from '../github/types.js';
import { squeeze } from './anchor.js';
import { type ReadSticky, readSticky } from './sticky.js';

/** What a comment of ours at a line says, unseen, about what it is for. */
export interface FindingMark {
  readonly id: string;
  /** How many lines it stands at. */
  readonly lines: number;
  /** Of their text; without white space unless white space is the matter. */
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
  // Else a line would count as still there when its trailing blanks are gone.
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

/** Undefined for any comment that does not begin with a mark. */
export function readMark(body: string): FindingMark | undefined {
  const [, id, how, lines, text, rule] = MARK.exec(body) ?? [];
  if (id === undefined || text === undefined || rule === undefined) return undefined;
  return { id, lines: Number(lines), text, isExact: how === 'exact', rule };
}

/** How often the marked text stands in these lines. */
export function countMarked(mark: FindingMark, lines: readonly string[]): number {
  let found = 0;
  for (let at = 0; at + mark.lines <= lines.length; at += 1) {
    if (textPrint(lines.slice(at, at + mark.lines), mark.isExact) === mark.text) found += 1;
  }
  return found;
}

const textPrint = (texts: readonly string[], isExact: boolean): string =>
  fingerprint(texts.map(text => (isExact ? text.replace(/\r$/, '') : squeeze(text))).join('\n'));

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

/** The oldest counts; more than one are the trace of two runs that raced. */
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

/** GitHub's logins do not differ by case alone. */
const isSame = (one: string, other: string): boolean =>
  one !== '' && one.toLowerCase() === other.toLowerCase();
