import { isBotError } from '../core/failure.js';
import type { ForgePull } from '../core/forge.js';
import type { Request } from '../core/request.js';
import type { Admission, Refusal } from './admit.js';
import type { Conversation } from './conversation.js';
import { ignoreFinding, keepIgnored } from './ignore-finding.js';
import type { Mark } from './marks.js';
import { HELP, ignoredReply, reasonOf, refusalReply } from './replies.js';
import { reply } from './reply.js';

export interface Answering {
  readonly admission: Admission;
  /** What is known of the comment; the decision is filled in here. */
  readonly request: Request & { readonly comment: number };
  readonly pull: ForgePull;
}

export interface Place {
  readonly forge: Conversation;
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
      await reply(place.forge, { pull: pull.number, mark, text: HELP });
      return { ...request, decision: 'answered', reason: 'told what there is' };
    case 'ignore-finding': {
      const { id } = admission;
      await react(request.comment, '+1', place);
      const { number } = pull;
      const ignored = await ignoreFinding(place.forge, number, id);
      const { before } = ignored;
      await reply(place.forge, { pull: number, mark, text: ignoredReply(id, ignored) });
      await attempt('the summary was not read once more', place, () =>
        keepIgnored(place.forge, number, { id, before }),
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
      reply(place.forge, { pull, mark, text: refusalReply(why) }),
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
  attempt('there is no reaction to the comment', place, () => place.forge.react(comment, reaction));

async function attempt(what: string, { say }: Place, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (thrown) {
    if (!isBotError(thrown)) throw thrown;
    say(`apfel-bot: ${what}: ${thrown.message}`);
  }
}
