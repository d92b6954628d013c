import type { ModelReply } from '../core/model.js';
import type { Trouble } from './ladder.js';
import type { Protocol, Understanding } from './protocol.js';
import { isRefusal } from './refusal.js';
import type { Registry } from './registry.js';

/** What a reply comes to: something to do, or a trouble with what to say about it. */
export type Step =
  | Extract<Understanding, { kind: 'calls' | 'answer' }>
  | { readonly kind: 'overflow' }
  | {
      readonly kind: 'trouble';
      readonly trouble: Trouble;
      readonly message: string;
      readonly nudge: string;
      /** The part of a cut answer that arrived. */
      readonly text?: string;
    };

export function stepOf(reply: ModelReply, protocol: Protocol, tools: Registry): Step {
  switch (reply.kind) {
    case 'answer':
      if (isRefusal(reply.text)) return trouble('refused', reply.text.slice(0, 200));
      return stepFrom(protocol.understand(reply, tools));
    case 'tool-calls':
      return stepFrom(protocol.understand(reply, tools));
    case 'overflow':
      return { kind: 'overflow' };
    case 'refused':
    case 'blocked':
    case 'died':
    case 'rejected':
      return trouble(reply.kind, reply.message);
    case 'malformed':
      return trouble('unexplained', reply.message);
    case 'rate-limited':
    case 'busy':
    case 'loading':
    case 'timed-out':
      return trouble('no-answer', reply.message);
    case 'unreachable':
      return trouble('gone', reply.message);
    default: {
      const never: never = reply;
      return never;
    }
  }
}

function stepFrom(understanding: Understanding): Step {
  switch (understanding.kind) {
    case 'calls':
      // Under constraint an apology can only stand where the reason belongs.
      return isRefusal(understanding.reason)
        ? trouble('refused', understanding.reason)
        : understanding;
    case 'bad': {
      const { problem } = understanding;
      return trouble('bad-reply', problem, `Your last reply could not be used: ${problem}.`);
    }
    case 'cut':
      return {
        ...trouble('cut', 'the reply was cut off', CUT_NUDGE),
        // Half an object is no answer to anybody.
        ...(/^[\s`]*[{[]/.test(understanding.text) ? {} : { text: understanding.text }),
      };
    default:
      return understanding;
  }
}

const CUT_NUDGE =
  'Your last reply was too long and was cut off. Be brief: finish now, or take one small step.';

const trouble = (
  kind: Trouble,
  message: string,
  nudge = '',
): Extract<Step, { kind: 'trouble' }> => ({
  kind: 'trouble',
  trouble: kind,
  message,
  nudge,
});
