import type { Message } from '../core/message.js';
import type { ModelReply } from '../core/model.js';
import { actOn } from './act.js';
import { conclude } from './conclude.js';
import type { Counts } from './counts.js';
import type { ProtocolName } from './protocol.js';
import type { End, Setup } from './setup.js';
import { type Step, stepOf } from './step.js';
import { Talk } from './talk.js';
import type { Entry } from './transcript.js';

/** How a conversation went. Whatever ended it, what was said, found and spent is here. */
export interface Conversation {
  readonly end: End;
  /** The answer that was accepted; when none was, the last one given. */
  readonly answer: string | undefined;
  readonly messages: readonly Message[];
  readonly transcript: readonly Entry[];
  readonly counts: Readonly<Counts>;
  /** The protocol it ended with. */
  readonly protocol: ProtocolName;
}

/**
 * One bounded conversation with a model that is not to be relied on: ask, understand, act, append,
 * until code finds the task done or a limit is reached. Every expected ending is a value; nothing
 * is thrown for what the model or its server does.
 */
export async function converse(setup: Setup): Promise<Conversation> {
  const talk = new Talk(setup);
  for (;;) {
    const limit = talk.reachedLimit();
    if (limit !== undefined) return close(talk, limit);
    const reply = await talk.ask();
    if ('reason' in reply) return close(talk, reply);
    const end = await respond(talk, reply);
    if (end !== undefined) return close(talk, end);
  }
}

/** What can be done is done, what can be answered is answered, and the rest climbs the ladder. */
async function respond(talk: Talk, reply: ModelReply): Promise<End | undefined> {
  const step: Step = stepOf(reply, talk.ladder.protocol, talk.setup.tools);
  switch (step.kind) {
    case 'calls':
      return actOn(talk, step);
    case 'answer':
      return conclude(talk, step.text, 'words');
    case 'overflow':
      return talk.compactHarder();
    case 'trouble':
      if (step.text !== undefined) talk.said = step.text;
      return talk.climb(step.trouble, step.message, step.nudge);
    default: {
      const never: never = step;
      return never;
    }
  }
}

function close(talk: Talk, end: End): Conversation {
  talk.transcript.append({ type: 'end', ...end });
  return {
    end,
    answer: talk.said,
    messages: talk.messages(),
    transcript: talk.transcript.entries(),
    counts: talk.counts,
    protocol: talk.ladder.protocol.name,
  };
}
