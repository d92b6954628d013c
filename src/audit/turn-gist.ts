import type { Turn } from './audit-run.js';
import { type Html, html } from './html.js';
import { count } from './words.js';

export interface TurnGist {
  /** What it can be filtered by. */
  readonly kinds: readonly string[];
  readonly badges: ReadonlyArray<{ readonly words: string; readonly mood: string }>;
  /** One line: the call that was made, or how the answer begins. */
  readonly gist: Html;
}

/** What is worth knowing of a turn before it is opened. */
export function turnGist(turn: Turn): TurnGist {
  const kinds = ['turn'];
  const badges: Array<{ words: string; mood: string }> = [];
  const add = (kind: string, words: string, mood: string): void => {
    kinds.push(kind);
    badges.push({ words, mood });
  };
  const { steps, reply, compaction } = turn;
  const repairs = steps.flatMap(step => (step.type === 'call' ? step.repairs : []));
  if (repairs.length > 0) add('repair', count(repairs.length, 'repair'), 'warning');
  if (steps.some(step => step.type === 'result' && step.isError)) {
    add('error', 'tool error', 'error');
  }
  for (const step of steps) {
    if (step.type === 'rung') add('trouble', `${step.trouble}: ${step.rung}`, 'error');
  }
  if (reply === undefined) add('trouble', 'no reply', 'error');
  if (reply?.isCut) add('trouble', 'cut off', 'warning');
  if (compaction !== 'none') add('compacted', `history ${compaction}`, 'info');
  return { kinds, badges, gist: gistOf(turn) };
}

function gistOf({ steps, reply }: Turn): Html {
  const call = steps.find(step => step.type === 'call');
  if (call?.type === 'call') {
    return html`<code>${call.name}</code> ${shortened(withoutBraces(call.input))}`;
  }
  return html`${reply === undefined ? 'no reply' : shortened(reply.text || reply.kind)}`;
}

/** `line: 12#k7, quote: …` is quicker read than the object it comes from. */
const withoutBraces = (json: string): string =>
  json.startsWith('{')
    ? json.slice(0, MOST_READ).replace(/^\{|\}$|^ {2}"|"(?=: )|(?<=: )"|"(?=,?$)/gm, '')
    : json;

const MOST_READ = 1000;
const MOST_SHOWN = 100;

const shortened = (text: string): string => {
  const line = text.slice(0, MOST_READ).replace(/\s+/g, ' ').trim();
  return line.length > MOST_SHOWN ? `${line.slice(0, MOST_SHOWN)}…` : line;
};
