import {
  amountOf,
  type JsonObject,
  listOf,
  objectOf,
  textOf,
  wordsOf,
} from '../core/json-fields.js';
import type { AuditConversation, Reply, RequestMessage, Step, Turn } from './audit-run.js';

export interface ReadConversations {
  readonly conversations: readonly AuditConversation[];
  /** What the run was about, according to the transcript. */
  readonly work: string;
  readonly isCut: boolean;
}

/** More than any run takes; nobody would read a longer page. */
const MAX_TURNS = 2000;
const MAX_STEPS = 100;

interface OpenTurn extends Omit<Turn, 'reply' | 'steps'> {
  reply: Reply | undefined;
  readonly steps: Step[];
}

interface OpenConversation {
  readonly turns: OpenTurn[];
  end: AuditConversation['end'];
}

/** The lines of a transcript as conversations. Lines that can't be understood are skipped. */
export function readConversations(lines: readonly unknown[]): ReadConversations {
  const open: OpenConversation[] = [];
  let work = '';
  let isCut = false;
  let turns = 0;
  for (const line of lines) {
    const fields = objectOf(line);
    const { type } = fields;
    if (type === 'work') work = textOf(fields['work']);
    else if (type === 'cut') isCut = true;
    else if (type === 'request') {
      turns += 1;
      isCut ||= turns > MAX_TURNS;
      if (turns <= MAX_TURNS) addRequest(open, fields);
    } else if (turns <= MAX_TURNS) addToTurn(open.at(-1), fields);
  }
  return { conversations: open.map(close), work, isCut };
}

/** Request numbers start again in each conversation. */
function addRequest(open: OpenConversation[], fields: JsonObject): void {
  const number = Math.max(1, amountOf(fields['number']));
  const last = open.at(-1);
  if (last === undefined || last.end !== undefined || number === 1) {
    open.push({ turns: [], end: undefined });
  }
  const conversation = open.length;
  const turn = { conversation, number, ...readRequest(fields), reply: undefined, steps: [] };
  open.at(-1)?.turns.push(turn);
}

function addToTurn(conversation: OpenConversation | undefined, fields: JsonObject): void {
  const turn = conversation?.turns.at(-1);
  if (conversation === undefined || turn === undefined) return;
  if (fields['type'] === 'reply') turn.reply = readReply(fields);
  const step = turn.steps.length < MAX_STEPS ? readStep(fields) : undefined;
  if (step !== undefined) turn.steps.push(step);
  if (fields['type'] === 'end') {
    conversation.end = { reason: textOf(fields['reason']), message: textOf(fields['message']) };
  }
}

function readReply(fields: JsonObject): Reply {
  const reply = objectOf(fields['reply']);
  const usage = objectOf(reply['usage']);
  return {
    kind: textOf(reply['kind']) || 'unknown',
    durationMs: amountOf(fields['durationMs']),
    text: textOf(reply['text']) || textOf(reply['message']),
    isCut: reply['isCut'] === true,
    calls: listOf(reply['calls']).map(call => {
      const { name, arguments: input } = objectOf(call);
      return { name: textOf(name), input: wordsOf(input) };
    }),
    promptTokens: amountOf(usage['promptTokens']),
    completionTokens: amountOf(usage['completionTokens']),
  };
}

function readStep(fields: JsonObject): Step | undefined {
  const { type, name, input, repairs, action, problem, message } = fields;
  if (type === 'result') return readResult(fields);
  if (type === 'call') {
    const names = listOf(repairs).map(textOf);
    return { type, name: textOf(name), input: wordsOf(input), repairs: names };
  }
  if (type !== 'recovery') return undefined;
  return { type, action: textOf(action), problem: textOf(problem), message: textOf(message) };
}

function readResult(fields: JsonObject): Step {
  const { toolName, isError, content, details } = objectOf(fields['message']);
  return {
    type: 'result',
    name: textOf(toolName),
    isError: isError === true,
    text: listOf(content)
      .map(block => textOf(objectOf(block)['text']))
      .join('\n'),
    durationMs: amountOf(fields['durationMs']),
    details: new Map(Object.entries(objectOf(details)).map(([key, each]) => [key, wordsOf(each)])),
  };
}

const close = ({ turns, end }: OpenConversation, at: number): AuditConversation => ({
  number: at + 1,
  title: conversationTitle(turns[0]),
  turns,
  end,
});

type Asked = Omit<Turn, 'conversation' | 'number' | 'reply' | 'steps'>;

/** What the model saw, from the transcript line of the request. */
function readRequest(fields: JsonObject): Asked {
  const request = objectOf(fields['request']);
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

function readMessage(value: unknown): RequestMessage {
  const { role, content, toolName } = objectOf(value);
  const name = textOf(toolName);
  return {
    role: `${textOf(role) || 'unknown'}${name === '' ? '' : ` ${name}`}`,
    text: listOf(content).map(readBlock).join('\n'),
  };
}

function readBlock(value: unknown): string {
  const block = objectOf(value);
  if (block['type'] !== 'toolCall') return textOf(block['text']);
  return `${textOf(block['name'])} ${wordsOf(block['input'])}`;
}

/**
 * `b_verdict` → `verdict`: keys are generated in alphabetical order, so ours have a letter prefix.
 */
export const withoutOrder = (key: string): string => key.replace(/^[a-z]_/, '');

function readOffer(request: JsonObject): Turn['offered'] {
  const tools = listOf(request['tools']).map(objectOf);
  if (tools.length > 0) {
    const names = tools.map(({ name }) => textOf(name));
    return { names, fields: ['action'], text: wordsOf(request['tools']) };
  }
  const schema = objectOf(objectOf(request['schema'])['schema']);
  const properties = new Map(
    Object.entries(objectOf(schema['properties'])).map(([key, value]) => [
      withoutOrder(key),
      value,
    ]),
  );
  const choice = ['action', 'verdict', 'ruling'].find(name => properties.has(name)) ?? '';
  const names = listOf(objectOf(properties.get(choice))['enum']).map(textOf);
  const text = properties.size === 0 ? '' : wordsOf(schema);
  return { names, fields: [...properties.keys()], text };
}

/** A question's fields show what kind it is; without a schema it is just a conversation. */
const KINDS: ReadonlyArray<readonly [field: string, kind: string]> = [
  ['verdict', 'Review'],
  ['ruling', 'Second look'],
  ['newText', 'Fix'],
  ['action', 'Question'],
];
const MAX_CHARACTERS = 120;
const MAX_FILES = 3;

/** What a conversation is about, from its opening. */
function conversationTitle(turn: Turn | undefined): string {
  if (turn === undefined) return 'Conversation';
  const [, kind = 'Conversation'] =
    KINDS.find(([field]) => turn.offered.fields.includes(field)) ?? [];
  const about = subjectOf(turn.messages[0]?.text ?? '');
  return about === '' ? kind : `${kind}: ${about}`;
}

/** The files it shows, or its first line. */
function subjectOf(opening: string): string {
  const files = new Set<string>();
  for (const line of opening.split('\n')) {
    if (line.startsWith('File: ')) files.add(line.slice('File: '.length).trim());
  }
  const [first = ''] = opening.trimStart().split('\n', 1);
  if (files.size === 0) return shortened(first);
  const named = [...files].slice(0, MAX_FILES).join(', ');
  const more = files.size - MAX_FILES;
  return shortened(more > 0 ? `${named} and ${more} more` : named);
}

const shortened = (text: string): string =>
  text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
