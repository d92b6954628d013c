import type { Conversation, Policy, PolicyReply } from '../../../fixtures/apfel/stand-in.js';
import { perfectModel } from '../../agent/simulation/perfect-model.js';

/** The perfect model of the simulation, for loops of every make. */
export const benchModel: Policy = conversation => {
  const reply = perfectModel(withCutsNoticed(conversation));
  return finishesInWords(reply, conversation) ? inWords(reply) : reply;
};

/** Where no `finish` is offered, what it would have been told is said: that ends the other loops. */
const finishesInWords = (reply: PolicyReply, { tools }: Conversation): boolean =>
  reply.kind === 'call' && reply.name === 'finish' && tools.every(tool => tool.name !== 'finish');

const inWords = (reply: PolicyReply): PolicyReply => ({
  kind: 'text',
  text: reply.kind === 'call' ? String(reply.arguments['answer'] ?? '') : '',
});

/** A result that a loop has cut says so in its own words; it searches then, as after a first page. */
const withCutsNoticed = (conversation: Conversation): Conversation => ({
  ...conversation,
  messages: conversation.messages.map(message =>
    CUT.test(message.text) ? { ...message, text: `${message.text}\n${PAGE_NOTE}` } : message,
  ),
});

const CUT = /lines not shown|truncated|omitted/i;
const PAGE_NOTE = '[more lines: read_file with startLine]';
