import { isBotError } from '../core/bot-error.js';
import type { GithubComment, GithubPull } from '../github/types.js';
import type { Admission, Refusal } from './admit.js';
import type { Conversation } from './event.js';
import { ignoreFinding, keepIgnored } from './ignore-finding.js';
import type { Request } from './parse-command.js';
import { HELP, ignoredReply, reasonOf, refusalReply } from './replies.js';

interface Answering {
  readonly admission: Admission;
  /** What is known of the comment; the decision is filled in here. */
  readonly request: Request & { readonly comment: number };
  readonly pull: GithubPull;
}

interface Place {
  readonly githubApi: Conversation;
  say(text: string): void;
}

/** Reacts to the comment, answers what can be answered now, and returns the decision. */
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
      return { ...request, decision: 'answered', reason: 'posted the help text' };
    case 'ignore-finding': {
      const { id } = admission;
      await react(request.comment, '+1', place);
      const { number } = pull;
      const ignored = await ignoreFinding(place.githubApi, number, id);
      const { before } = ignored;
      await reply(place.githubApi, { pull: number, mark, text: ignoredReply(id, ignored) });
      await attempt('could not check the summary again', place, () =>
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
  // In a locked conversation nobody wants more comments.
  if (why.kind !== 'locked' && request.pull !== null) {
    const mark: Mark =
      why.kind === 'stranger'
        ? { kind: 'strangers' }
        : { kind: 'answer', comment: request.comment };
    const { pull } = request;
    // The refusal counts even if it can't be posted.
    await attempt('could not post the refusal', place, () =>
      reply(place.githubApi, { pull, mark, text: refusalReply(why) }),
    );
  }
  return { ...request, decision: 'refuse', reason: reasonOf(why) };
}

/** Only a courtesy: it may fail. */
const react = (
  comment: number,
  reaction: Parameters<Conversation['react']>[1],
  place: Place,
): Promise<void> =>
  attempt('could not react to the comment', place, () => place.githubApi.react(comment, reaction));

async function attempt(what: string, { say }: Place, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (thrown) {
    if (!isBotError(thrown)) throw thrown;
    say(`apfel-bot: ${what}: ${thrown.message}`);
  }
}

interface Reply {
  readonly pull: number;
  readonly mark: Mark;
  readonly text: string;
  /** Replaces an earlier reply with the same marker. */
  readonly replaces?: boolean;
}

/** Posts the comment unless an earlier run of the same job already did. */
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
 * Hidden markers in our comments, by which a later run recognises them. They count only in our own
 * comments: anybody can copy one.
 */
type Mark =
  | { readonly kind: 'answer' | 'failure'; readonly comment: number }
  /** For people without permission: once per pull request, however often they try. */
  | { readonly kind: 'strangers' };

const markText = (mark: Mark): string =>
  mark.kind === 'strangers'
    ? '<!-- apfel-bot strangers -->'
    : `<!-- apfel-bot ${mark.kind} to ${mark.comment} -->`;

/** Our own comment with this marker. */
const findMarked = (
  comments: readonly GithubComment[],
  self: string,
  mark: Mark,
): GithubComment | undefined =>
  comments.find(
    ({ author, body }) =>
      author.toLowerCase() === self.toLowerCase() && body.startsWith(markText(mark)),
  );
