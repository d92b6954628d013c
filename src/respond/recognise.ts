import type { ForgeComment } from '../core/forge.js';
import { type CommentCommand, parseCommand } from './parse-command.js';

/** The comment as the API has it now, and who we are. */
export interface Heard {
  readonly comment: ForgeComment | undefined;
  /** The login that our own comments carry. */
  readonly self: string;
  readonly pull: number;
  /** Who wrote it by what was told before; undefined when nothing was. */
  readonly author: string | undefined;
}

export type Recognised =
  | { readonly kind: 'ignore'; readonly reason: string }
  | {
      readonly kind: 'spoken';
      readonly comment: ForgeComment;
      readonly command: Exclude<CommentCommand, { readonly kind: 'none' }>;
    };

/** Whether a person speaks to us; nothing is ever written for what is ignored here. */
export function recognise({ comment, self, pull, author }: Heard): Recognised {
  if (comment === undefined) return ignore('the comment is gone');
  if (comment.author === '') return ignore('the comment has no author any more');
  if (isSame(comment.author, self)) return ignore('the comment is one of our own');
  if (comment.isBot || comment.author.endsWith('[bot]')) return ignore('bots are not listened to');
  if (author !== undefined && !isSame(comment.author, author)) {
    return ignore('the comment is not by whom the event says');
  }
  if (pullIn(comment.url) !== pull) return ignore('the comment is not on this pull request');
  const command = parseCommand(comment.body);
  if (command.kind === 'none') return ignore('the first line is no command');
  return { kind: 'spoken', comment, command };
}

/** Logins are the same in upper and lower case. */
const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Which conversation it belongs to, from the address that GitHub gives it. */
function pullIn(url: string): number | undefined {
  const number = /\/pull\/(\d{1,15})#issuecomment-\d+$/.exec(url)?.[1];
  return number === undefined ? undefined : Number(number);
}

const ignore = (reason: string): Recognised => ({ kind: 'ignore', reason });
