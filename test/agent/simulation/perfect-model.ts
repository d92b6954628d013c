import type { Conversation, Policy, PolicyReply } from '../../../fixtures/apfel/stand-in.js';

interface Action {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/**
 * What a model that makes no mistake would do with the tasks of the simulation. It knows nothing but
 * the messages; what was taken out of them it reads again.
 */
export const perfectModel: Policy = conversation =>
  inProtocol(nextAction(conversation), conversation);

function nextAction(conversation: Conversation): Action {
  const opening = conversation.messages.find(message => message.role === 'user')?.text ?? '';
  const results = resultsOf(conversation);
  const asked = /value of (\w+) in (\S+)\?/.exec(opening);
  const name = asked?.[1] ?? /defines (\w+),/.exec(opening)?.[1] ?? '';
  const line = lineWith(name, results);
  if (line === undefined) return look(asked?.[2], name, results);
  return finish(`The value of ${name} is ${/= (\d+)/.exec(line)?.[1]}.`);
}

const finish = (answer: string): Action => ({ name: 'finish', arguments: { answer } });

/** Reads the file it was told of; when the line is not in what is shown, searches for its place. */
function look(path: string | undefined, name: string, results: readonly string[]): Action {
  const isLong = results.some(text => /more lines?: read_file with/.test(text));
  const place = results.map(text => new RegExp(`:(\\d+): .*${name}`).exec(text)?.[1]).find(Boolean);
  if (place !== undefined) {
    return { name: 'read_file', arguments: { path, startLine: Math.max(1, Number(place) - 2) } };
  }
  if (path === undefined || isLong) return { name: 'search_code', arguments: { query: name } };
  return { name: 'read_file', arguments: { path } };
}

const lineWith = (name: string, results: readonly string[]): string | undefined =>
  results
    .flatMap(text => text.split('\n'))
    .map(line => new RegExp(`export const ${name} = \\d+;`).exec(line)?.[0])
    .find(line => line !== undefined);

/** Tool messages, or what the text protocol makes of them; an error is no result. */
const resultsOf = ({ messages }: Conversation): string[] =>
  messages
    .filter(
      ({ role, text }) => role === 'tool' || (role === 'user' && text.includes('(result of ')),
    )
    .map(({ text }) => text)
    .filter(text => !text.startsWith('error: '));

function inProtocol(action: Action, { schema, tools, messages }: Conversation): PolicyReply {
  if (schema !== undefined) return { kind: 'object', value: guided(action, schema) };
  if (tools.length > 0)
    return { kind: 'call', name: action.name, arguments: { ...action.arguments } };
  const asksForJson = messages.some(
    ({ role, text }) => role === 'system' && text.includes('"action"'),
  );
  const said = JSON.stringify({ action: action.name, ...action.arguments });
  return { kind: 'text', text: asksForJson ? said : String(action.arguments['answer'] ?? 'What?') };
}

/** Fills in the keys of the schema by their names without the prefix that orders them. */
function guided(
  action: Action,
  schema: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const given: Record<string, unknown> = {
    reason: 'the next step',
    action: action.name,
    ...action.arguments,
  };
  return Object.fromEntries(
    Object.keys(Object(schema['properties'])).map(key => [key, given[key.replace(/^[a-z]_/, '')]]),
  );
}
