import type { Severity } from './finding.js';

/** What columns and offsets count. Linters disagree, and one emoji makes a difference. */
export type Unit = 'utf16' | 'codepoint' | 'byte';

/**
 * What a linter reports about one place. Columns and offsets are in `unit`s, as in the report, until
 * `lint/anchor.ts` converts them to UTF-16 with the file's text.
 */
export interface Diagnostic {
  readonly tool: string;
  /** Null if the report has none: usually a file that could not be parsed. */
  readonly rule: string | null;
  /** Relative to the repository. */
  readonly path: string;
  /** Lines and columns start at 1. Without a line, it is about the whole file. */
  readonly line?: number;
  readonly column?: number;
  readonly endLine?: number;
  /** Exclusive. */
  readonly endColumn?: number;
  /** If the report gives offsets from the start of the file. */
  readonly span?: OffsetRange;
  readonly unit: Unit;
  readonly severity: Severity;
  readonly message: string;
  /** One line about the rule, or its URL, if the report has it. */
  readonly docs?: string;
  /** Whether the linter's own --fix would fix it; absent if the report doesn't say. */
  readonly isFixable?: boolean;
  /** Considered safe by the linter. */
  readonly fix?: Fix;
  /** Offered by the linter, but for a person to decide. Alternatives to each other. */
  readonly suggestions?: readonly Fix[];
  /** The text of its line with white space collapsed; set by `lint/anchor.ts`. */
  readonly anchor?: string;
}

export interface Fix {
  readonly description: string;
  /** Applied all together or not at all. */
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
 * Equal for the same diagnostic before and after an edit. It has no line, because lines move, and no
 * anchor, because fixing one of two diagnostics on a line changes the other's anchor.
 */
export function countingKey(diagnostic: Diagnostic): string {
  const { tool, rule, path, message } = diagnostic;
  return [tool, rule ?? '', path, normaliseMessage(message)].join('\0');
}

/** Different for equal diagnostics on different lines; for records and to find which one is gone. */
export const diagnosticKey = (diagnostic: Diagnostic): string =>
  `${countingKey(diagnostic)}\0${diagnostic.anchor ?? ''}`;

/**
 * Counts and line numbers in a message change when code moves or improves a little, but it is still
 * the same diagnostic. Digits in names are kept.
 */
function normaliseMessage(message: string): string {
  return message
    .replace(/\s+/g, ' ')
    .replace(/\b\d{1,20}\b/g, '#')
    .trim();
}
