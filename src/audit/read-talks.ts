import type { Reply, Step, Talk, Turn } from './audit-run.js';
import { amountOf, type Fields, fieldsOf, listOf, textOf, wordsOf } from './plain-fields.js';
import { readRequest } from './read-request.js';
import { talkTitle } from './talk-title.js';

export interface ReadTalks {
  readonly talks: readonly Talk[];
  /** What the transcript says the run was about. */
  readonly work: string;
  readonly isCut: boolean;
}

/** More than any run of ours takes; a page of more would not be read. */
const MOST_TURNS = 2000;
const MOST_STEPS = 100;

interface OpenTurn extends Omit<Turn, 'reply' | 'steps'> {
  reply: Reply | undefined;
  readonly steps: Step[];
}

interface OpenTalk {
  readonly turns: OpenTurn[];
  end: Talk['end'];
}

/** The lines of a transcript as conversations. What cannot be understood is passed over. */
export function readTalks(lines: readonly unknown[]): ReadTalks {
  const open: OpenTalk[] = [];
  let work = '';
  let isCut = false;
  let turns = 0;
  for (const line of lines) {
    const fields = fieldsOf(line);
    const { type } = fields;
    if (type === 'work') work = textOf(fields['work']);
    else if (type === 'cut') isCut = true;
    else if (type === 'request') {
      turns += 1;
      isCut ||= turns > MOST_TURNS;
      if (turns <= MOST_TURNS) addRequest(open, fields);
    } else if (turns <= MOST_TURNS) addToTurn(open.at(-1), fields);
  }
  return { talks: open.map(close), work, isCut };
}

/** Requests are counted anew in each conversation. */
function addRequest(open: OpenTalk[], fields: Fields): void {
  const number = Math.max(1, amountOf(fields['number']));
  const last = open.at(-1);
  if (last === undefined || last.end !== undefined || number === 1) {
    open.push({ turns: [], end: undefined });
  }
  const talk = open.length;
  const turn = { talk, number, ...readRequest(fields), reply: undefined, steps: [] };
  open.at(-1)?.turns.push(turn);
}

function addToTurn(talk: OpenTalk | undefined, fields: Fields): void {
  const turn = talk?.turns.at(-1);
  if (talk === undefined || turn === undefined) return;
  if (fields['type'] === 'reply') turn.reply = readReply(fields);
  const step = turn.steps.length < MOST_STEPS ? readStep(fields) : undefined;
  if (step !== undefined) turn.steps.push(step);
  if (fields['type'] === 'end') {
    talk.end = { reason: textOf(fields['reason']), message: textOf(fields['message']) };
  }
}

function readReply(fields: Fields): Reply {
  const reply = fieldsOf(fields['reply']);
  const usage = fieldsOf(reply['usage']);
  return {
    kind: textOf(reply['kind']) || 'unknown',
    durationMs: amountOf(fields['durationMs']),
    text: textOf(reply['text']) || textOf(reply['message']),
    isCut: reply['isCut'] === true,
    calls: listOf(reply['calls']).map(call => {
      const { name, arguments: input } = fieldsOf(call);
      return { name: textOf(name), input: wordsOf(input) };
    }),
    promptTokens: amountOf(usage['promptTokens']),
    completionTokens: amountOf(usage['completionTokens']),
  };
}

function readStep(fields: Fields): Step | undefined {
  const { type, name, input, repairs, rung, trouble, message } = fields;
  if (type === 'result') return readResult(fields);
  if (type === 'call') {
    const names = listOf(repairs).map(textOf);
    return { type, name: textOf(name), input: wordsOf(input), repairs: names };
  }
  if (type !== 'rung') return undefined;
  return { type, rung: textOf(rung), trouble: textOf(trouble), message: textOf(message) };
}

function readResult(fields: Fields): Step {
  const { toolName, isError, content, details } = fieldsOf(fields['message']);
  return {
    type: 'result',
    name: textOf(toolName),
    isError: isError === true,
    text: listOf(content)
      .map(block => textOf(fieldsOf(block)['text']))
      .join('\n'),
    durationMs: amountOf(fields['durationMs']),
    details: new Map(Object.entries(fieldsOf(details)).map(([key, each]) => [key, wordsOf(each)])),
  };
}

const close = ({ turns, end }: OpenTalk, at: number): Talk => ({
  number: at + 1,
  title: talkTitle(turns[0]),
  turns,
  end,
});
