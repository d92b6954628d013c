import type { Line } from './change.js';

/** A hunk with its text, as the review by the model needs it. */
export interface KeptHunk {
  readonly path: string;
  readonly number: number;
  /** The enclosing function's header, where git names one. */
  readonly section: string;
  readonly lines: readonly Line[];
}

/** A hunk, or a part of one that is too large for one question. */
export interface BitePart {
  readonly path: string;
  readonly hunk: number;
  readonly section: string;
  readonly lines: readonly Line[];
}

/** What the model is shown at once: parts that fill its window well. */
export interface Bite {
  readonly number: number;
  readonly parts: readonly BitePart[];
  readonly tokens: number;
  /** Higher goes first. */
  readonly risk: number;
}

/** A part as the model sees it. The marks are what it must name a line by. */
export interface ShownPart {
  readonly path: string;
  readonly text: string;
  /** Added lines by number, exactly as they stand in the file. */
  readonly added: ReadonlyMap<number, string>;
}
