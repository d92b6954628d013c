import type { Conversation, Policy, PolicyReply } from '../../fixtures/apfel/stand-in.js';

/** A model that answers every question of the experiment with the right call, in each protocol. */
export const perfectCaller: Policy = conversation => {
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
