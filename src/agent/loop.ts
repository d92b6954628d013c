import type { Message, ModelReply, ToolCallBlock } from '../model/model.js';
import {
  type Answered,
  ConversationState,
  type Counts,
  type End,
  type Setup,
} from './conversation-state.js';
import { groundingOf, isProtocolText } from './grounding.js';
import { isRefusal } from './judge.js';
import type { Trouble } from './ladder.js';
import type { Protocol, ProtocolName, Understanding } from './protocol.js';
import { type RepairedCall, repairCall, type SaidCall } from './repair.js';
import { type Called, callTool, failed, type Registry } from './tool.js';
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
  const conversation = new ConversationState(setup);
  for (;;) {
    const limit = conversation.reachedLimit();
    if (limit !== undefined) return close(conversation, limit);
    const reply = await conversation.ask();
    if ('reason' in reply) return close(conversation, reply);
    const end = await respond(conversation, reply);
    if (end !== undefined) return close(conversation, end);
  }
}

/** What can be done is done, what can be answered is answered, and the rest climbs the ladder. */
async function respond(
  conversation: ConversationState,
  reply: ModelReply,
): Promise<End | undefined> {
  const step: Step = stepOf(reply, conversation.ladder.protocol, conversation.setup.tools);
  switch (step.kind) {
    case 'calls':
      return actOn(conversation, step);
    case 'answer':
      return conclude(conversation, step.text, 'words');
    case 'overflow':
      return conversation.compactHarder();
    case 'trouble':
      if (step.text !== undefined) conversation.said = step.text;
      return conversation.climb(step.trouble, step.message, step.nudge);
    default: {
      const never: never = step;
      return never;
    }
  }
}

function close(conversation: ConversationState, end: End): Conversation {
  conversation.transcript.append({ type: 'end', ...end });
  return {
    end,
    answer: conversation.said,
    messages: conversation.messages(),
    transcript: conversation.transcript.entries(),
    counts: conversation.counts,
    protocol: conversation.ladder.protocol.name,
  };
}

/** Carries out the first call of a reply. Whatever else it asks for is answered, not dropped. */
async function actOn(
  conversation: ConversationState,
  step: Extract<Step, { kind: 'calls' }>,
): Promise<End | undefined> {
  const [first, ...others] = step.calls;
  if (first === undefined) return conversation.climb('bad-reply', 'the reply held no call');
  const repaired = repairCall(first, conversation.setup.tools);
  const call = blockOf(conversation, repaired.name, repaired.input);
  conversation.noteCall(call, [...step.repairs, ...repaired.repairs]);
  const { hasRun, outcome } = await carryOut(conversation, call, repaired);
  if (outcome.answer !== undefined) return conclude(conversation, outcome.answer, 'finish');
  conversation.append([{ call, outcome }, ...others.map(other => postponed(conversation, other))]);
  if (!hasRun) return conversation.climb('bad-call', outcome.text);
  conversation.settle({ call, outcome });
  return undefined;
}

async function carryOut(
  conversation: ConversationState,
  call: ToolCallBlock,
  said: RepairedCall,
): Promise<Called> {
  const { tools, limits, signal } = conversation.setup;
  if (said.problem !== undefined) return refuse(said.problem);
  if (conversation.hasJustSeen(call)) {
    conversation.counts.repeatedCalls += 1;
    return refuse(
      `${call.name} was already called with these arguments and its result is above. Use it, or do something else.`,
    );
  }
  const called = await callTool(call, tools, { maxTokens: limits.resultTokens, signal });
  if (called.hasRun || said.dropped.length === 0) return called;
  const unknown = said.dropped.slice(0, 5).join(', ');
  const text = `${called.outcome.text}. It does not know: ${unknown}`;
  return { ...called, outcome: { ...called.outcome, text } };
}

const refuse = (problem: string): Called => ({ hasRun: false, outcome: failed(problem) });

/** The model cannot call in parallel; each further call gets an error that says so. */
function postponed(conversation: ConversationState, said: SaidCall): Answered {
  conversation.counts.extraCalls += 1;
  const repaired = repairCall(said, conversation.setup.tools);
  return {
    call: blockOf(conversation, repaired.name, repaired.input),
    outcome: failed('one call at a time. This one was not carried out; call it again if needed.'),
  };
}

const blockOf = (conversation: ConversationState, name: string, input: unknown): ToolCallBlock => ({
  type: 'toolCall',
  id: conversation.nextCallId(),
  name,
  input,
});

/**
 * The model says that it is done. What it says is never the proof: code asks for what is missing, and
 * plain words, which may just as well be a call that was not made, must show that they come from
 * what was read.
 */
function conclude(
  conversation: ConversationState,
  answer: string,
  how: 'finish' | 'words',
): End | undefined {
  if (isRefusal(answer)) return conversation.climb('refused', answer.slice(0, 200));
  if (isProtocolText(answer)) {
    const problem = 'the answer was a call in words';
    return conversation.climb(
      'bad-reply',
      problem,
      `Your last reply could not be used: ${problem}.`,
    );
  }
  conversation.said = answer;
  const missing = conversation.setup.judge?.(answer);
  if (missing !== undefined) {
    return conversation.climb('not-done', missing, `You are not done: ${missing}.`);
  }
  if (how === 'words' && !isBelievable(conversation, answer)) {
    const message = 'the words are no call and show nothing of what was read';
    return conversation.climb(
      'not-done',
      message,
      'Call finish with the answer, or the next tool.',
    );
  }
  return { reason: 'finished', message: 'the model answered' };
}

/** Where `finish` is not on offer, words are the way to end. */
const isBelievable = (conversation: ConversationState, answer: string): boolean =>
  conversation.setup.tools.find('finish') === undefined ||
  groundingOf(answer, conversation.shown).proven.length > 0;

/** What a reply comes to: something to do, or a trouble with what to say about it. */
type Step =
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
        // Half an object, or nothing at all, isn't an answer.
        ...(/^[\s`]*(?:[{[]|$)/.test(understanding.text) ? {} : { text: understanding.text }),
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
