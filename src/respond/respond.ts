import { BotError } from '../core/bot-error.js';
import type { GithubComment } from '../github/types.js';
import { admit } from './admit.js';
import { answer, reply } from './answer.js';
import { type Conversation, readEvent } from './event.js';
import {
  type CommentCommand,
  parseCommand,
  type Request,
  type RunRequest,
} from './parse-command.js';
import { failureReply } from './replies.js';

export interface Surroundings {
  /** Called only for what may be a command: most comments are none, and need no token. */
  openGithubFor(): Promise<Conversation>;
  say(text: string): void;
}

/** Event → Request. Admits or refuses, reacts, and answers what needs no model; executes nothing. */
export async function respond(eventText: string, around: Surroundings): Promise<Request> {
  const event = readEvent(eventText);
  if (event.kind === 'ignore') return { ...NOTHING, reason: event.reason };
  const { comment: id, pull: number, repository, author, body } = event;
  const ignored = { ...NOTHING, repository, pull: number, comment: id };
  if (parseCommand(body).kind === 'none') {
    return { ...ignored, reason: 'the first line is no command' };
  }
  const githubApi = await around.openGithubFor();
  if (githubApi.repository.toLowerCase() !== repository.toLowerCase()) {
    return { ...ignored, reason: `the event is not of ${githubApi.repository}` };
  }
  const self = await githubApi.login();
  const received = recognise({ comment: await githubApi.comment(id), self, pull: number, author });
  if (received.kind === 'ignore') return { ...ignored, reason: received.reason };
  const { comment, command } = received;
  const permission = await githubApi.permissionOf(comment.author);
  const pull = await githubApi.pull(number);
  if (pull === undefined) return { ...ignored, reason: 'there is no such pull request' };
  // Asked last: whatever was pushed before `pull` was read shows here.
  const headMovedAt = await githubApi.headMovedAt(number);
  const facts = { comment, command, bodyAtEvent: body, permission, repository, pull, headMovedAt };
  const admission = admit(facts);
  const said = command.kind === 'command' ? command : { verb: null, args: [] };
  const request = { ...ignored, verb: said.verb, args: said.args };
  return answer({ admission, request, pull }, { githubApi, say: around.say });
}

const NOTHING: Request = {
  version: 1,
  decision: 'ignore',
  reason: '',
  verb: null,
  args: [],
  repository: null,
  pull: null,
  base: null,
  head: null,
  headRepository: null,
  comment: null,
};

/** The comment as the API has it now, and who we are. */
export interface ReceivedComment {
  readonly comment: GithubComment | undefined;
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
      readonly comment: GithubComment;
      readonly command: Exclude<CommentCommand, { readonly kind: 'none' }>;
    };

/** Whether a person speaks to us; nothing is ever written for what is ignored here. */
export function recognise({ comment, self, pull, author }: ReceivedComment): Recognised {
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

/**
 * One comment that says that an admitted command came to nothing. The request was handed between
 * jobs, so the comment it names is read again: without such a command there is nothing to report.
 */
export async function reportFailure(
  request: RunRequest,
  githubApi: Conversation,
  runUrl: string | undefined,
): Promise<void> {
  const { comment: id, pull, verb } = request;
  if (request.repository.toLowerCase() !== githubApi.repository.toLowerCase()) {
    throw refused(`it is of ${request.repository}, and this is ${githubApi.repository}`);
  }
  if (id === null) throw refused('it does not name the comment');
  const comment = await githubApi.comment(id);
  const received = recognise({ comment, self: await githubApi.login(), pull, author: undefined });
  if (received.kind === 'ignore') throw refused(received.reason);
  if (received.command.kind !== 'command' || received.command.verb !== verb) {
    throw refused('the comment asks for something else');
  }
  const text = failureReply(`/apfel ${verb}`, runUrl);
  await reply(githubApi, { pull, mark: { kind: 'failure', comment: id }, text, replaces: true });
}

const refused = (why: string): BotError =>
  new BotError('not-permitted', `the failure of this request is not reported: ${why}`);
