import type { Turn } from './audit-run.js';

/** How our own instructions begin; anything else is simply a conversation. */
const KINDS: ReadonlyArray<readonly [start: string, kind: string]> = [
  ['You look for bugs', 'Open question'],
  ['You hold a change to one rule', 'A rule of the project'],
  ['A reviewer claims', 'Second look'],
  ['You mend one complaint', 'Mending'],
  ['You answer questions', 'Question'],
];
const MOST_CHARACTERS = 120;
const MOST_FILES = 3;

/** What a conversation is about, from what it opens with. */
export function talkTitle(turn: Pick<Turn, 'system' | 'messages'> | undefined): string {
  if (turn === undefined) return 'Conversation';
  const [, kind = 'Conversation'] = KINDS.find(([start]) => turn.system.startsWith(start)) ?? [];
  const about = subjectOf(turn.messages[0]?.text ?? '');
  return about === '' ? kind : `${kind}: ${about}`;
}

/** The files it shows, or its first line. */
function subjectOf(opening: string): string {
  const files = new Set<string>();
  for (const line of opening.split('\n')) {
    if (line.startsWith('file '))
      files.add((line.slice('file '.length).split(', ', 1)[0] ?? '').trim());
  }
  const [first = ''] = opening.trimStart().split('\n', 1);
  if (files.size === 0) return shortened(first);
  const named = [...files].slice(0, MOST_FILES).join(', ');
  const more = files.size - MOST_FILES;
  return shortened(more > 0 ? `${named} and ${more} more` : named);
}

const shortened = (text: string): string =>
  text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
