import type { Conversation, Policy, PolicyReply } from '../../fixtures/apfel/stand-in.js';
import { fieldsOf, fixReply, questionIn } from '../support/closed-questions.js';
import { reviewer } from '../support/reviewer.js';

const BUG = 'items[items.length]';

/** A model that answers every question of the experiment rightly, in each protocol. */
export const perfectCaller: Policy = conversation => {
  const fields = fieldsOf(conversation);
  if (fields.includes('newText')) {
    return fixReply(conversation, { oldText: BUG, newText: 'items[items.length - 1]' });
  }
  if (fields.includes('verdict') || fields.includes('ruling')) {
    const refutes = !questionIn(conversation).includes(`${BUG};`);
    return reviewer({ sees: [BUG], refutes })(conversation);
  }
  const asked = conversation.messages.findLast(({ role }) => role === 'user')?.text ?? '';
  const [, path = '', line = ''] = /file (\S+) say from line (\d+)/.exec(asked) ?? [];
  return path === ''
    ? say('get_time', {}, conversation)
    : say('read_file', { path, startLine: Number(line) }, conversation);
};

function say(
  name: string,
  given: Record<string, unknown>,
  { schema, tools }: Conversation,
): PolicyReply {
  if (tools.length > 0) return { kind: 'call', name, arguments: given };
  if (schema === undefined) {
    return { kind: 'text', text: JSON.stringify({ action: name, ...given }) };
  }
  const value: Record<string, unknown> = { a_reason: 'it was asked for', b_action: name };
  for (const key of Object.keys(Object(schema['properties']))) {
    const plain = key.slice(2);
    if (plain in given) value[key] = given[plain];
  }
  return { kind: 'object', value };
}
