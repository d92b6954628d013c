import { fingerprint, withoutSpace } from '../core/finding.js';
import type { GithubComment, GithubReviewComment } from '../github/comments.js';

/** The hidden first line of our comments on lines. */
interface FindingMark {
  readonly id: string;
  /** How many lines it is on. */
  readonly lines: number;
  /** Digest of their text, without white space unless `isExact`. */
  readonly text: string;
  readonly isExact: boolean;
  /** Distinguishes two comments on equal lines. */
  readonly rule: string;
}

const MARK =
  /^<!-- apfel-bot:finding id=([0-9a-f]{16}) (text|exact)=(\d{1,2}):([0-9a-f]{16}) rule=([0-9a-f]{16}) -->/;

export function markOf(
  finding: { readonly id: string; readonly rule: string },
  texts: readonly string[],
): FindingMark {
  // Otherwise a line would count as still there after its trailing blanks were removed.
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

/** Undefined for a comment that doesn't begin with a marker. */
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
  fingerprint(
    texts.map(text => (isExact ? text.replace(/\r$/, '') : withoutSpace(text))).join('\n'),
  );

/** One of our comments on a line. */
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
  return comments.flatMap(comment => {
    const { id, body, path, side, inReplyTo } = comment;
    const mark = isOwn(comment, author) && inReplyTo === null ? readMark(body) : undefined;
    if (mark === undefined) return [];
    return [{ comment: id, path, side, mark, isReplied: replied.has(id) }];
  });
}

/** Oldest first, which is the one that counts; racing runs may have left several. */
export function ownStickies(comments: readonly GithubComment[], author: string): OwnSticky[] {
  return comments
    .flatMap(comment => {
      const { id, body } = comment;
      const sticky = isOwn(comment, author) ? readSticky(body) : undefined;
      return sticky === undefined ? [] : [{ comment: id, sticky, body }];
    })
    .sort((one, other) => one.comment - other.comment);
}

/** Our comments that begin with this marker, oldest first. */
export const ownMarked = (
  comments: readonly GithubComment[],
  author: string,
  mark: string,
): GithubComment[] =>
  comments
    .filter(comment => isOwn(comment, author) && comment.body.startsWith(mark))
    .sort((one, other) => one.id - other.id);

/** Logins are case-insensitive. */
const isOwn = ({ isOurs, author }: GithubComment, login: string): boolean =>
  isOurs === true || (author !== '' && author.toLowerCase() === login.toLowerCase());

/**
 * The summary comment of a pull request. Its first line is hidden and has what later runs need; the
 * rest is for people. Callers must check that the bot itself is its author.
 */
export interface Sticky {
  /** Ids of findings that people asked to ignore, in that order. */
  readonly ignored: readonly string[];
  /**
   * Ids of findings posted on a line, recorded after posting: if one has no comment, a person
   * deleted it. Absent if there are none.
   */
  readonly posted?: readonly string[];
  /** What the text is about; null if nothing was posted yet. */
  readonly subject: StickySubject | null;
}

export interface StickySubject {
  readonly task: string;
  readonly head: string;
  readonly run: string;
  readonly startedAt: string;
}

interface ReadSticky extends Sticky {
  /** What people see. */
  readonly text: string;
}

const OPENING = '<!-- apfel-bot:summary ';
const CLOSING = ' -->';
const FINDING_ID = /^[0-9a-f]{16}$/;
/** Beyond this the oldest are dropped: 500 ids take 9,500 of the 65,536 characters. */
const MAX_IGNORED = 500;
/** Beyond this the first are dropped: 200 ids take 3,800 characters more. */
const MAX_POSTED = 200;
/** Longer than any first line that we write. */
const MAX_STATE = 20_000;

export const NOTHING_REMEMBERED: Sticky = { ignored: [], subject: null };

/** Undefined if the text isn't one of our summaries, or was damaged. */
export function readSticky(body: string): ReadSticky | undefined {
  if (!body.startsWith(OPENING)) return undefined;
  const end = body.indexOf(CLOSING);
  if (end < 0 || end > MAX_STATE) return undefined;
  const state = parse(body.slice(OPENING.length, end));
  if (state === undefined) return undefined;
  const text = body.slice(end + CLOSING.length).replaceAll('\r\n', '\n');
  return { ...state, text: text.trim() };
}

/** The whole body. The state is escaped, so that it can't end the hidden line early. */
export function writeSticky({ ignored, posted = [], subject }: Sticky, text: string): string {
  const ids = idsIn(ignored).slice(-MAX_IGNORED);
  const recorded = withPosted(keptPosted(posted));
  const state = JSON.stringify({ v: 1, ignored: ids, ...recorded, ...subject });
  return `${OPENING}${state.replaceAll('>', '\\u003e')}${CLOSING}\n${text.trim()}\n`;
}

/** The ids that fit in a summary; the last have precedence. */
export const keptPosted = (ids: readonly string[]): string[] => idsIn(ids).slice(-MAX_POSTED);

const idsIn = (values: readonly unknown[]): string[] => [
  ...new Set(values.filter(value => typeof value === 'string').filter(id => FINDING_ID.test(id))),
];

const withPosted = (ids: readonly string[]): Pick<Sticky, 'posted'> =>
  ids.length === 0 ? {} : { posted: ids };

function parse(text: string): Sticky | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Somebody edited it, so it is a comment like any other.
    return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const fields = new Map<string, unknown>(Object.entries(value));
  const ignored = fields.get('ignored');
  const posted = fields.get('posted');
  if (fields.get('v') !== 1 || !Array.isArray(ignored)) return undefined;
  return {
    ignored: idsIn(ignored),
    // Summaries of earlier versions don't have it.
    ...withPosted(Array.isArray(posted) ? idsIn(posted) : []),
    subject: subjectOf(fields),
  };
}

function subjectOf(fields: ReadonlyMap<string, unknown>): StickySubject | null {
  const [task, head, run, startedAt] = ['task', 'head', 'run', 'startedAt'].map(key => {
    const value = fields.get(key);
    return typeof value === 'string' ? value : undefined;
  });
  if (task === undefined || head === undefined) return null;
  return run === undefined || startedAt === undefined ? null : { task, head, run, startedAt };
}
