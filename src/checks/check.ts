import type { FileChange } from '../core/change.js';
import type { Severity } from '../core/finding.js';
import type { CodeView } from './code-view.js';

/** One place on the line just judged. Columns are 1-based UTF-16 units, the end is exclusive. */
export interface Hit {
  readonly rule: string;
  readonly message: string;
  readonly column: number;
  readonly endColumn: number;
}

/** A line of the new side. Only hits on added lines count; context is there to be remembered. */
export interface NewSideLine {
  readonly text: string;
  readonly number: number;
  readonly isAdded: boolean;
  /** True for the first line of a hunk: what came before it is not adjacent. */
  readonly startsHunk: boolean;
}

/** Called for each new-side line of one file in order; may keep state for that file. */
export type LineJudge = (line: NewSideLine) => readonly Hit[];

export interface LineCheck {
  /** Every rule it can report with its default severity; a family ends in `/*`. */
  readonly rules: Readonly<Record<string, Severity>>;
  /**
   * True for what must never slip in: these also judge files that are skipped (generated, vendored,
   * lockfiles), so that a change cannot switch its own check off by calling itself generated.
   */
  readonly guards: boolean;
  /**
   * A judge for this file, or undefined when the file is none of this check's business. The view is
   * there for source files, and has seen the line that is judged.
   */
  open(file: FileChange, view?: CodeView): LineJudge | undefined;
}

export const NO_HITS: readonly Hit[] = [];
