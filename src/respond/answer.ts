import { isBotError } from '../core/bot-error.js';
import type { GithubComment, GithubPull } from '../github/types.js';
import type { Admission, Refusal } from './admit.js';
import type { Conversation } from './event.js';
import { ignoreFinding, keepIgnored } from './ignore-finding.js';
import type { Request } from './parse-command.js';
import { HELP, ignoredReply, reasonOf, refusalReply } from './replies.js';

export interface Answering {
  readonly admission: Admission;
  /** What is known of the comment; the decision is filled in here. */
  readonly request: Request & { readonly comment: number };
  readonly pull: GithubPull;
}

export interface Place {
  readonly githubApi: Conversation;
  say(text: string): void;
}

/** Reacts to the comment, answers what can be answered now, and says what was decided. */
export async function answer(answering: Answering, place: Place): Promise<Request> {
  const { admission, pull } = answering;
  const request = {
    ...answering.request,
    base: pull.base.sha,
    head: pull.head.sha,
    headRepository: pull.head.repository,
  };
  const mark: Mark = { kind: 'answer', comment: request.comment };
  switch (admission.kind) {
    case 'run':
      await react(request.comment, 'eyes', place);
      return { ...request, decision: 'run', reason: admission.reason };
    case 'help':
      await react(request.comment, '+1', place);
      await reply(place.githubApi, { pull: pull.number, mark, text: HELP });
      return { ...request, decision: 'answered', reason: 'told what there is' };
    case 'ignore-finding': {
      const { id } = admission;
      await react(request.comment, '+1', place);
      const { number } = pull;
      const ignored = await ignoreFinding(place.githubApi, number, id);
      const { before } = ignored;
      await reply(place.githubApi, { pull: number, mark, text: ignoredReply(id, ignored) });
      await attempt('the summary was not read once more', place, () =>
        keepIgnored(place.githubApi, number, { id, before }),
      );
      return { ...request, decision: 'answered', reason: `finding ${id} is ignored` };
    }
    case 'refuse':
      return refuse(request, admission.why, place);
    default: {
      const never: never = admission;
      return never;
    }
  }
}

async function refuse(
  request: Request & { readonly comment: number },
  why: Refusal,
  place: Place,
): Promise<Request> {
  await react(request.comment, why.kind === 'wrong' ? 'confused' : '-1', place);
  // A lock says that nobody wants to read more here.
  if (why.kind !== 'locked' && request.pull !== null) {
    const mark: Mark =
      why.kind === 'stranger'
        ? { kind: 'strangers' }
        : { kind: 'answer', comment: request.comment };
    const { pull } = request;
    // Refused is refused, whether or not it can be told.
    await attempt('the refusal was not told', place, () =>
      reply(place.githubApi, { pull, mark, text: refusalReply(why) }),
    );
  }
  return { ...request, decision: 'refuse', reason: reasonOf(why) };
}

/** A courtesy: a token that may not react is no reason to stop. */
const react = (
  comment: number,
  reaction: Parameters<Conversation['react']>[1],
  place: Place,
): Promise<void> =>
  attempt('there is no reaction to the comment', place, () =>
    place.githubApi.react(comment, reaction),
  );

async function attempt(what: string, { say }: Place, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (thrown) {
    if (!isBotError(thrown)) throw thrown;
    say(`apfel-bot: ${what}: ${thrown.message}`);
  }
}

export interface Reply {
  readonly pull: number;
  readonly mark: Mark;
  readonly text: string;
  /** A later word replaces the earlier one instead of being dropped. */
  readonly replaces?: boolean;
}

/** Writes the comment, unless it stands there already from an earlier run of the same job. */
export async function reply(
  githubApi: Conversation,
  { pull, mark, text, replaces }: Reply,
): Promise<void> {
  const self = await githubApi.login();
  const body = `${markText(mark)}\n${text}\n`;
  const earlier = findMarked(await githubApi.comments(pull), self, mark);
  if (earlier === undefined) await githubApi.createComment(pull, body);
  else if (replaces === true && earlier.body.trim() !== body.trim()) {
    await githubApi.updateComment(earlier.id, body);
  }
}

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
  comments: readonly GithubComment[],
  self: string,
  mark: Mark,
): GithubComment | undefined =>
  comments.find(
    ({ author, body }) =>
      author.toLowerCase() === self.toLowerCase() && body.startsWith(markText(mark)),
  );
