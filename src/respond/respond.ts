import { BotError } from '../core/bot-error.js';
import type { GithubComment } from '../github/comments.js';
import { admit } from './admit.js';
import { answer, reply } from './answer.js';
import { type Conversation, readEvent } from './event.js';
import {
  type CommentCommand,
  parseCommand,
  type Request,
  type RunRequest,
} from './parse-command.js';

/**
 * Admits or refuses the command in a comment, reacts, and answers what needs no model.
 * `openGithubFor` is called only for what may be a command: most comments aren't, and need no token.
 */
export async function respond(
  eventText: string,
  { openGithubFor, say }: { openGithubFor(): Promise<Conversation>; say(text: string): void },
): Promise<Request> {
  const event = readEvent(eventText);
  if (event.kind === 'ignore') return { ...NOTHING, reason: event.reason };
  const { comment: id, pull: number, repository, author, body } = event;
  const ignored = { ...NOTHING, repository, pull: number, comment: id };
  if (parseCommand(body).kind === 'none') {
    return { ...ignored, reason: "the first line isn't a command" };
  }
  const githubApi = await openGithubFor();
  if (githubApi.repository.toLowerCase() !== repository.toLowerCase()) {
    return { ...ignored, reason: `the event isn't from ${githubApi.repository}` };
  }
  const self = await githubApi.login();
  const received = recognise({ comment: await githubApi.comment(id), self, pull: number, author });
  if (received.kind === 'ignore') return { ...ignored, reason: received.reason };
  const { comment, command } = received;
  const permission = await githubApi.permissionOf(comment.author);
  const pull = await githubApi.pull(number);
  if (pull === undefined) return { ...ignored, reason: 'there is no such pull request' };
  // Requested last, so that it includes every push before `pull` was read.
  const headMovedAt = await githubApi.headMovedAt(number);
  const facts = { comment, command, bodyAtEvent: body, permission, repository, pull, headMovedAt };
  const admission = admit(facts);
  const { verb, args } = command.kind === 'command' ? command : { verb: null, args: [] };
  const { base, head } = pull;
  const commits = { base: base.sha, head: head.sha, headRepository: head.repository };
  const request = { ...ignored, verb, args, ...commits };
  return answer(admission, { request, pull }, { githubApi, say });
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

type Recognised =
  | { readonly kind: 'ignore'; readonly reason: string }
  | {
      readonly kind: 'command';
      readonly comment: GithubComment;
      readonly command: Exclude<CommentCommand, { readonly kind: 'none' }>;
    };

/**
 * Whether a person gave us a command, from the comment as the API has it now. Nothing is written
 * about comments that are ignored here.
 */
function recognise({
  comment,
  self,
  pull,
  author,
}: {
  readonly comment: GithubComment | undefined;
  /** The login of our own comments. */
  readonly self: string;
  readonly pull: number;
  /** The author according to the event, if there was one. */
  readonly author: string | undefined;
}): Recognised {
  if (comment === undefined) return ignore('the comment no longer exists');
  if (comment.author === '') return ignore('the author of the comment no longer exists');
  if (isSame(comment.author, self)) return ignore('the comment is one of our own');
  if (comment.isBot || comment.author.endsWith('[bot]'))
    return ignore('comments by bots are ignored');
  if (author !== undefined && !isSame(comment.author, author)) {
    return ignore("the comment's author isn't the one in the event");
  }
  if (pullIn(comment.url) !== pull) return ignore("the comment isn't on this pull request");
  const command = parseCommand(comment.body);
  if (command.kind === 'none') return ignore("the first line isn't a command");
  return { kind: 'command', comment, command };
}

/** Logins are case-insensitive. */
const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** The pull request of a comment, from its URL. */
function pullIn(url: string): number | undefined {
  const number = /\/pull\/(\d{1,15})#issuecomment-\d+$/.exec(url)?.[1];
  return number === undefined ? undefined : Number(number);
}

const ignore = (reason: string): Recognised => ({ kind: 'ignore', reason });

/**
 * Posts one comment saying that an admitted command failed. The request file passed between jobs,
 * so the comment it names is read again: without such a command in it nothing is reported.
 */
export async function reportFailure(
  request: RunRequest,
  githubApi: Conversation,
  runUrl: string | undefined,
): Promise<void> {
  const { comment: id, pull, verb } = request;
  if (request.repository.toLowerCase() !== githubApi.repository.toLowerCase()) {
    throw refused(`it is for ${request.repository}, and this is ${githubApi.repository}`);
  }
  if (id === null) throw refused("it doesn't name the comment");
  const comment = await githubApi.comment(id);
  const received = recognise({ comment, self: await githubApi.login(), pull, author: undefined });
  if (received.kind === 'ignore') throw refused(received.reason);
  if (received.command.kind !== 'command' || received.command.verb !== verb) {
    throw refused('the comment asks for something else');
  }
  const log = runUrl === undefined ? '; see the log of the run.' : `. See the log: ${runUrl}`;
  const text = `\`/apfel ${verb}\` failed without a result${log}`;
  await reply(githubApi, {
    pull,
    mark: `<!-- apfel-bot failure to ${id} -->`,
    text,
    replaces: true,
  });
}

const refused = (why: string): BotError =>
  new BotError('not-permitted', `can't report the failure of this request: ${why}`);
