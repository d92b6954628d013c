import type { SeenMessage, Turn } from './audit-run.js';
import { amountOf, type Fields, fieldsOf, listOf, textOf, wordsOf } from './plain-fields.js';

type Asked = Omit<Turn, 'talk' | 'number' | 'reply' | 'steps'>;

/** What the model saw, from the line of a transcript that holds the request. */
export function readRequest(fields: Fields): Asked {
  const request = fieldsOf(fields['request']);
  return {
    atMs: amountOf(fields['atMs']),
    protocol: textOf(fields['protocol']),
    compaction: textOf(fields['compaction']) || 'none',
    estimatedTokens: amountOf(fields['estimatedTokens']),
    maxTokens: amountOf(request['maxTokens']),
    system: textOf(request['system']),
    messages: listOf(request['messages']).map(readMessage),
    offered: readOffer(request),
  };
}

function readMessage(value: unknown): SeenMessage {
  const { role, content, toolName } = fieldsOf(value);
  const name = textOf(toolName);
  return {
    role: `${textOf(role) || 'unknown'}${name === '' ? '' : ` ${name}`}`,
    text: listOf(content).map(readBlock).join('\n'),
  };
}

function readBlock(value: unknown): string {
  const block = fieldsOf(value);
  if (block['type'] !== 'toolCall') return textOf(block['text']);
  return `${textOf(block['name'])} ${wordsOf(block['input'])}`;
}

function readOffer(request: Fields): Turn['offered'] {
  const tools = listOf(request['tools']).map(fieldsOf);
  if (tools.length > 0) {
    return { names: tools.map(({ name }) => textOf(name)), text: wordsOf(request['tools']) };
  }
  const schema = fieldsOf(fieldsOf(request['schema'])['schema']);
  const properties = Object.entries(fieldsOf(schema['properties']));
  const [, action] = properties.find(([key]) => /^([a-z]_)?action$/.test(key)) ?? [];
  const names = listOf(fieldsOf(action)['enum']).map(textOf);
  return { names, text: properties.length === 0 ? '' : wordsOf(schema) };
}
