import type { FileChange } from '../core/change.js';
import type { Severity } from '../core/finding.js';
import type { CodeView } from './lexer.js';

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

/** What stood above in the same hunk: enough to tell whether a statement stands under a condition. */
export interface LineMemory {
  /** At the start of a hunk: what came before is not adjacent. */
  forget(): void;
  remember(text: string): void;
  previous(): string;
  /** True when a line that encloses a text of this indent, up to the next function, is a condition. */
  isUnderCondition(text: string): boolean;
}

export function lineMemory(): LineMemory {
  // A ring: it is written for every line and read for very few.
  const ring: string[] = [];
  let count = 0;
  const recent = (): string[] => {
    const kept = Math.min(count, KEPT_LINES);
    return Array.from({ length: kept }, (_, at) => ring[(count - kept + at) % KEPT_LINES] ?? '');
  };
  return {
    forget() {
      count = 0;
    },
    remember(text) {
      ring[count % KEPT_LINES] = text;
      count += 1;
    },
    previous: () => (count === 0 ? '' : (ring[(count - 1) % KEPT_LINES] ?? '')),
    isUnderCondition: text => isUnderCondition(text, recent()),
  };
}

/** A block longer than this is no guard clause. */
const KEPT_LINES = 40;

const CONDITION =
  /^[\s})\]]*(?:else\b|elsif\b|elif\b|if\b|unless\b|guard\b|when\b|case\b|catch\b|except\b|rescue\b|switch\b|default:)/;
const CLOSING = /^\s*[)\]]/;
const FUNCTION = /=>|\b(?:function|def|func|fn|do|class)\b/;

function isUnderCondition(text: string, lines: readonly string[]): boolean {
  let indent = indentOf(text);
  for (let at = lines.length - 1; at >= 0 && indent > 0; at -= 1) {
    const above = lines[at] ?? '';
    const aboveIndent = indentOf(above);
    if (aboveIndent >= indent || aboveIndent === above.length) continue;
    if (CONDITION.test(above)) return true;
    if (CLOSING.test(above)) {
      // The end of a head over several lines; its beginning stands as far left.
      indent = aboveIndent + 1;
      continue;
    }
    if (FUNCTION.test(above)) return false;
    indent = aboveIndent;
  }
  return false;
}

export function indentOf(text: string): number {
  let indent = 0;
  while (text.charCodeAt(indent) === 32 || text.charCodeAt(indent) === 9) indent += 1;
  return indent;
}

/**
 * A copy with memory of its own. A slice keeps the whole text alive that it was cut from, so a few
 * kept words per file would keep the entire diff in memory.
 */
export const ownText = (text: string): string =>
  text === '' ? text : DECODER.decode(ENCODER.encode(text));

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });
