import type { Linter } from 'eslint';
import type { Conversation, Policy } from '../../../fixtures/apfel/stand-in.js';
import { fixReply, pathIn, questionIn } from '../../support/closed-questions.js';
import { complaintsOf } from './cases.js';

/** What a model is shown, read back from the words of the question. */
interface Shown {
  readonly path: string;
  readonly text: string;
  /** The same by line number. */
  readonly rows: ReadonlyMap<number, string>;
  /** Lines with complaints. */
  readonly lines: readonly number[];
}

export function shownIn(conversation: Conversation): Shown {
  const question = questionIn(conversation);
  const rows = new Map(
    question.split('\n').flatMap((row): Array<[number, string]> => {
      const [, number, line] = /^(\d+)\| (.*)$/s.exec(row) ?? [];
      return line === undefined ? [] : [[Number(number), line]];
    }),
  );
  const lines = [...question.matchAll(/^line (\d+), /gm)].map(([, line]) => Number(line));
  return { path: pathIn(question), text: [...rows.values()].join('\n'), rows, lines };
}

/** What a model needs to know to be right. */
export interface Known {
  readonly text: string;
  readonly config: Linter.Config;
  /** Acceptable results for one complaint each. */
  readonly outputs: readonly string[];
}

/** Does in each case what ESLint itself offers, or what upstream's tests call acceptable. */
export const rightModel = (known: ReadonlyMap<string, Known>): Policy => {
  const asked = new Map<string, number>();
  return conversation => {
    const shown = shownIn(conversation);
    const about = known.get(shown.path);
    const edits = about === undefined ? [] : [...offered(shown, about), ...named(shown, about)];
    const times = asked.get(shown.path) ?? 0;
    asked.set(shown.path, times + 1);
    return fixReply(conversation, edits[times % Math.max(1, edits.length)]);
  };
};

interface Edit {
  readonly oldText: string;
  readonly newText: string;
}

function offered({ path, text, lines }: Shown, { config }: Known): Edit[] {
  return (complaintsOf(text, { path, config }) ?? [])
    .filter(({ line }) => lines.includes(line))
    .flatMap(({ suggestions = [] }) => suggestions.map(({ fix }) => fix))
    .map(({ range: [start, end], text: fresh }) =>
      changedPart(text, text.slice(0, start) + fresh + text.slice(end)),
    );
}

const named = (shown: Shown, { text, outputs }: Known): Edit[] =>
  outputs
    .map(output => changedPart(text, output))
    .filter(({ oldText }) => shown.text.split(oldText).length === 2);

/** The lines that differ, with as many around them as make them unique. */
function changedPart(before: string, after: string): Edit {
  const [old, fresh] = [before.split('\n'), after.split('\n')];
  let head = 0;
  while (head < Math.min(old.length, fresh.length) - 1 && old[head] === fresh[head]) head += 1;
  let tail = 0;
  const room = Math.min(old.length, fresh.length) - head - 1;
  while (tail < room && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1;
  for (;;) {
    const oldText = old.slice(head, old.length - tail).join('\n');
    const newText = fresh.slice(head, fresh.length - tail).join('\n');
    const isUnique = oldText.trim() !== '' && before.split(oldText).length === 2;
    if (isUnique || (head === 0 && tail === 0)) return { oldText, newText };
    head = Math.max(0, head - 1);
    tail = Math.max(0, tail - 1);
  }
}
