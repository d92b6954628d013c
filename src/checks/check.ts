import type { FileChange } from '../core/change.js';
import type { Severity } from '../core/finding.js';
import type { CodeView } from './lexer.js';

export interface Problem {
  readonly rule: string;
  readonly message: string;
  /** If it differs from the rule's own. */
  readonly severity?: Severity;
}

/** A problem on the line just judged. Columns are 1-based UTF-16 units, the end is exclusive. */
export interface Hit extends Problem {
  readonly column: number;
  readonly endColumn: number;
  /** The line as it can be shown: parts that are secret because of another line are masked. */
  readonly evidence?: string;
  /** The line that it is about, if this is an earlier one. */
  readonly at?: NewSideLine;
}

/** A line of the new side. Only hits on added lines count; context lines update a check's state. */
export interface NewSideLine {
  readonly text: string;
  readonly number: number;
  readonly isAdded: boolean;
  /** True for the first line of a hunk: it doesn't follow the line before it. */
  readonly startsHunk: boolean;
}

/** Called for each new-side line of one file in order; may keep state for that file. */
export interface LineJudge {
  (line: NewSideLine): readonly Hit[];
  /** Called after the last line; what it returns names the line it is about. */
  readonly end?: () => readonly Hit[];
}

export interface LineCheck {
  /** Every rule it can report with its default severity; a family ends in `/*`. */
  readonly rules: Readonly<Record<string, Severity>>;
  /**
   * True for checks that also run on skipped files (generated, vendored, lockfiles), so that a change
   * can't turn them off by calling itself generated.
   */
  readonly guards: boolean;
  /**
   * A judge for this file, or undefined if the check doesn't apply to it. Source files have a view,
   * which is always at the line being judged.
   */
  open(file: FileChange, view?: CodeView): LineJudge | undefined;
}

export const NO_HITS: readonly Hit[] = [];

/** The lines above in the same hunk: enough to see whether a statement is conditional. */
export function lineMemory() {
  // A ring buffer: written for every line, read for very few.
  const ring: string[] = [];
  let count = 0;
  const recent = (): string[] => {
    const length = Math.min(count, MEMORY_LINES);
    return Array.from({ length }, (_, at) => ring[(count - length + at) % MEMORY_LINES] ?? '');
  };
  return {
    /** For the start of a hunk. */
    forget(): void {
      count = 0;
    },
    remember(text: string): void {
      ring[count % MEMORY_LINES] = text;
      count += 1;
    },
    previous: (): string => (count === 0 ? '' : (ring[(count - 1) % MEMORY_LINES] ?? '')),
    /** True if one of the lines that enclose this one, up to its function, is a condition. */
    isUnderCondition: (text: string): boolean => isUnderCondition(text, recent()),
    /** True if the function may have returned before this line. */
    followsReturn: (text: string): boolean => followsReturn(text, recent()),
  };
}

export type LineMemory = ReturnType<typeof lineMemory>;

/** A block longer than this isn't a guard clause. */
const MEMORY_LINES = 40;

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
      // The end of a header that spans several lines; it starts at the same indent.
      indent = aboveIndent + 1;
      continue;
    }
    if (FUNCTION.test(above)) return false;
    indent = aboveIndent;
  }
  return false;
}

const RETURN = /^\s*(?:return|raise|throw|yield|break|continue)\b/;

function followsReturn(text: string, lines: readonly string[]): boolean {
  const indent = indentOf(text);
  for (const above of lines.toReversed()) {
    const aboveIndent = indentOf(above);
    if (aboveIndent === above.length) continue;
    // The header of the function that this line is in.
    if (aboveIndent < indent) return false;
    if (aboveIndent > indent && RETURN.test(above)) return true;
  }
  return false;
}

export function indentOf(text: string): number {
  let indent = 0;
  while (text.charCodeAt(indent) === 32 || text.charCodeAt(indent) === 9) indent += 1;
  return indent;
}

/**
 * A copy that doesn't keep the original alive. A slice would keep the text it was cut from, so a
 * few words per file would keep the entire diff in memory.
 */
export const ownText = (text: string): string =>
  text === '' ? text : DECODER.decode(ENCODER.encode(text));

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });
