import type { Conversation, PolicyReply } from '../../fixtures/apfel/stand-in.js';
import type { ModelReply, ModelRequest } from '../../src/model/model.js';
import { calls, says } from './fake-model.js';

type Values = Readonly<Record<string, string | undefined>>;

const bareName = (key: string): string => key.replace(/^[a-z]_/, '');

const defined = (values: Values): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );

/** The names of the fields that a schema asks for. */
const namesIn = (schema: object): string[] =>
  Object.keys('properties' in schema ? (schema.properties as object) : {}).map(bareName);

/** The fields of a closed question, whatever the protocol. */
export function fieldsOf({ schema, tools, messages }: Conversation): string[] {
  if (schema !== undefined) return namesIn(schema);
  const [tool] = tools;
  if (tool !== undefined) return namesIn(tool.parameters ?? {});
  const system = messages.find(({ role }) => role === 'system')?.text ?? '';
  return [...system.matchAll(/"(\w+)"(?: if it applies)? \(/g)].map(([, name]) => name ?? '');
}

export const questionIn = ({ messages }: Conversation): string =>
  messages.find(({ role }) => role === 'user')?.text ?? '';

/** Answers a closed question with these values, in the protocol in which it was asked. */
export function fill({ schema, tools }: Conversation, values: Values): PolicyReply {
  const given = defined(values);
  if (schema === undefined) {
    return tools.length > 0
      ? { kind: 'call', name: 'answer', arguments: given }
      : { kind: 'text', text: JSON.stringify(given) };
  }
  return { kind: 'object', value: prefixed(schema, given) };
}

function prefixed(schema: object, given: Record<string, string>): Record<string, unknown> {
  const properties = 'properties' in schema ? (schema.properties as object) : {};
  return Object.fromEntries(
    Object.keys(properties).flatMap(key => {
      const value = given[bareName(key)];
      return value === undefined ? [] : [[key, value]];
    }),
  );
}

/** The same for a model without a server. */
export function answerTo({ schema, tools }: ModelRequest, values: Values): ModelReply {
  if (schema !== undefined) {
    return says(JSON.stringify(prefixed(schema.schema, defined(values))));
  }
  return tools === undefined
    ? says(JSON.stringify(defined(values)))
    : calls('answer', defined(values));
}

/** Whether a request asks for a second look. */
export const asksForRuling = (fields: readonly string[]): boolean => fields.includes('ruling');

export const fieldsIn = ({ schema, tools, system }: ModelRequest): string[] =>
  fieldsOf({
    schema: schema?.schema,
    tools: (tools ?? []).map(tool => ({ ...tool, parameters: tool.parameters })),
    messages: [{ role: 'system', text: system }],
  } as unknown as Conversation);

export const textIn = ({ messages }: ModelRequest): string =>
  messages
    .flatMap(({ content }) => content.map(block => ('text' in block ? block.text : '')))
    .join('\n');

interface ShownLine {
  readonly line: number;
  readonly text: string;
}

/** The new lines that a question about a change shows. */
export const newLinesIn = (question: string): ShownLine[] =>
  question.split('\n').flatMap(row => {
    const [, line, text] = /^\+(\d+)\| (.*)$/.exec(row) ?? [];
    return line === undefined || text === undefined ? [] : [{ line: Number(line), text }];
  });

export const pathIn = (question: string): string =>
  /^File: (.+?)(?:, lines \d+ to \d+ of \d+)?$/m.exec(question)?.[1] ?? '';

/** Lines that were reported before. */
export const knownIn = (question: string): number[] =>
  (/^Known already: ([\d, ]+)\./m.exec(question)?.[1] ?? '').split(', ').map(Number);

/** A replacement as the question for a fix wants it: the lines that hold the old text, changed. */
function lineEdit(
  question: string,
  oldText: string,
  newText: string,
): { from: string; to: string; newText: string } | undefined {
  const rows = question.split('\n').flatMap(row => {
    const [, line, text] = /^(\d+)\| (.*)$/s.exec(row) ?? [];
    return line === undefined || text === undefined ? [] : [{ line: Number(line), text }];
  });
  const whole = rows.map(({ text }) => text).join('\n');
  const at = whole.indexOf(oldText);
  if (at === -1 || oldText === '') return undefined;
  const first = whole.slice(0, at).split('\n').length - 1;
  const last = whole.slice(0, at + oldText.length).split('\n').length - 1;
  const [from, to] = [rows[first], rows[last]];
  if (from === undefined || to === undefined) return undefined;
  const old = rows
    .slice(first, last + 1)
    .map(({ text }) => text)
    .join('\n');
  return {
    from: String(from.line),
    to: String(to.line),
    newText: old.replace(oldText, () => newText),
  };
}

/** Proposes an edit, or does its best to propose none. */
export function fixReply(
  conversation: Conversation,
  edit: { readonly oldText: string; readonly newText: string } | undefined,
): PolicyReply {
  const question = questionIn(conversation);
  const found = edit && lineEdit(question, edit.oldText, edit.newText);
  if (found !== undefined) {
    return fill(conversation, { reason: 'the smallest edit', decision: 'edit', ...found });
  }
  const [, line, text] = /^(\d+)\| (.*)$/m.exec(question) ?? [];
  return fill(conversation, {
    reason: 'I cannot',
    decision: 'give_up',
    from: line,
    to: line,
    newText: text,
  });
}
