import { reveal } from '../core/neutralise.js';

/** What one character of a line takes on a terminal. */
export interface Cell {
  readonly shown: string;
  /** Terminal columns. */
  readonly width: number;
  /** Where in the line it comes from, in UTF-16 units from 0. */
  readonly start: number;
}

const TAB_WIDTH = 4;

// East Asian wide and fullwidth blocks of Unicode, without the unassigned gaps between them.
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const JOINS_PREVIOUS = /[\p{Mn}\p{Me}\p{Emoji_Modifier}\ufe0e\ufe0f]/u;
const IS_SKIN_TONE = /\p{Emoji_Modifier}/u;
const TAKES_SKIN_TONE = /\p{Emoji_Modifier_Base}$/u;
const FLAG_HALF = /^\p{Regional_Indicator}$/u;
const IS_PLAIN = /^[\x20-\x7e]$/;

/** A line of code as cells: tabs expanded, hidden characters visible, wide ones counted as two. */
export function measureCells(line: string): Cell[] {
  const cells: Cell[] = [];
  let start = 0;
  let position = 0;
  for (const char of line) {
    const previous = cells.at(-1);
    const joined = previous && joinTo(previous, char);
    const cell = joined ?? {
      ...cellOf(char, position, line.slice(Math.max(0, start - 5), start)),
      start,
    };
    if (joined) cells.pop();
    cells.push(cell);
    position += cell.width - (joined ? (previous?.width ?? 0) : 0);
    start += char.length;
  }
  return cells;
}

/** Nearly every word: each character is one column, and none can be part of a command. */
const IS_SIMPLE = /^[\x20-\x5a\x5c-\x7e]*$/;

export const widthOf = (text: string): number =>
  IS_SIMPLE.test(text)
    ? text.length
    : measureCells(text).reduce((sum, cell) => sum + cell.width, 0);

function joinTo(previous: Cell, char: string): Cell | undefined {
  const shown = previous.shown + char;
  if (FLAG_HALF.test(char) && FLAG_HALF.test(previous.shown)) return { ...previous, shown };
  if (!JOINS_PREVIOUS.test(char)) return undefined;
  if (IS_SKIN_TONE.test(char) && !TAKES_SKIN_TONE.test(previous.shown)) return undefined;
  const end = shown.slice(-4);
  if (reveal(char) !== char && reveal(end) !== end) return undefined;
  // The selector makes an emoji of what was a text sign, and emoji are wide.
  return { ...previous, shown, width: char === '\ufe0f' ? 2 : previous.width };
}

function cellOf(char: string, position: number, before: string): Omit<Cell, 'start'> {
  if (char === '\t') {
    const width = TAB_WIDTH - (position % TAB_WIDTH);
    return { shown: ' '.repeat(width), width };
  }
  // Actions takes `##[command]` for its own wherever it stands in a line.
  if (char === '[' && /##(?:vso)?$/i.test(before)) return { shown: '\\[', width: 2 };
  if (IS_PLAIN.test(char)) return { shown: char, width: 1 };
  const shown = reveal(char);
  if (shown !== char) return { shown, width: shown.length };
  return { shown, width: WIDE.test(char) ? 2 : 1 };
}
