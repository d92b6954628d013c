import type { Severity } from './finding.js';

/** What columns and offsets count. Linters disagree, and an emoji is enough to make it matter. */
export type Unit = 'utf16' | 'codepoint' | 'byte';

/**
 * What a linter says about one place. As a report gives it, columns and offsets are in `unit`s;
 * `lint/anchor-diagnostics.ts` turns them into UTF-16 once the file's text is at hand.
 */
export interface Diagnostic {
  readonly tool: string;
  /** Null when the report names none: mostly a file that could not be parsed. */
  readonly rule: string | null;
  /** Relative to the repository. */
  readonly path: string;
  /** Lines and columns start at 1. Without a line, the whole file is meant. */
  readonly line?: number;
  readonly column?: number;
  readonly endLine?: number;
  /** Just behind the last character. */
  readonly endColumn?: number;
  /** Where the report gives offsets from the start of the file. */
  readonly span?: OffsetRange;
  readonly unit: Unit;
  readonly severity: Severity;
  readonly message: string;
  /** One line about the rule, or its address, when the report has it. */
  readonly docs?: string;
  /** Whether the linter's own fix would mend it; absent when the report does not say. */
  readonly isFixable?: boolean;
  /** What the linter itself considers safe. */
  readonly fix?: Fix;
  /** What it offers, but leaves to somebody's judgement. Alternatives to each other. */
  readonly suggestions?: readonly Fix[];
  /** The line it stands on without surplus white space; present once anchored. */
  readonly anchor?: string;
}

export interface Fix {
  readonly description: string;
  /** Belong together: all or none. */
  readonly edits: readonly TextEdit[];
}

export interface TextEdit {
  readonly range: OffsetRange | PlaceRange;
  readonly text: string;
}

export interface OffsetRange {
  readonly start: number;
  readonly end: number;
}

export interface PlaceRange {
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
}

export const isOffsetRange = (range: OffsetRange | PlaceRange): range is OffsetRange =>
  'start' in range;

/**
 * Equal for what counts as the same complaint before and after an edit. It has no line, because
 * lines move, and no anchor, because mending one of two complaints about a line changes the text
 * that the other is anchored to.
 */
export function countingKey(diagnostic: Diagnostic): string {
  const { tool, rule, path, message } = diagnostic;
  return [tool, rule ?? '', path, normaliseMessage(message)].join('\0');
}

/** Tells equal complaints about different lines apart; for records and for choosing which is gone. */
export const diagnosticKey = (diagnostic: Diagnostic): string =>
  `${countingKey(diagnostic)}\0${diagnostic.anchor ?? ''}`;

/**
 * Counts and line numbers inside a message change when code moves or gets a little better, and that
 * does not make it another complaint. Digits that belong to a name stay.
 */
function normaliseMessage(message: string): string {
  return message
    .replace(/\s+/g, ' ')
    .replace(/\b\d{1,20}\b/g, '#')
    .trim();
}
