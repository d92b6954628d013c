import { type FileChange, type Hunk, isSubmodule, type Line } from '../core/change.js';
import type { FindingWithoutId } from '../core/finding.js';
import { redact } from '../secrets/redact.js';
import {
  type Hit,
  type LineCheck,
  type LineJudge,
  type NewSideLine,
  ownText,
  type Problem,
} from './check.js';
import { maxParsedBytes, syntaxOf } from './invalid-syntax.js';
import { type CodeView, viewCode } from './lexer.js';
import { ignoredRules, ignoreProblems, severityOf } from './rules.js';

/** A "generated" marker is within the first lines, if there is one. */
const OPENING_LINES = 12;
const OPENING_CHARACTERS = 2000;

interface OpenJudge {
  readonly judge: LineJudge;
  readonly guards: boolean;
}

interface HunkNotes {
  readonly number: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly section: string;
  /** Only for a model; undefined if none is used or the change is too large. */
  readonly lines: Line[] | undefined;
  added: number;
  removed: number;
  tokens: number;
  broken: string | undefined;
}

export interface SurveyOptions {
  readonly checks: readonly LineCheck[];
  /** The size of a line in tokens; undefined if no model is used. */
  readonly measure: ((text: string) => number) | undefined;
  /** How much more text may be collected for a model. */
  readonly budget: { characters: number };
}

/** The results of one pass over a file's diff. The lines themselves are only kept for a model. */
export class FileSurvey {
  readonly file: FileChange;
  readonly hunks: HunkNotes[] = [];
  readonly candidates: Raised[] = [];
  readonly ignores = new Map<number, readonly string[]>();
  /** What is wrong with the ignores that the change adds. */
  readonly ignoreNotes: string[] = [];
  readonly addedLines: number[] = [];
  opening = '';
  longestLine = 0;
  changedBytes = 0;
  addedBytes = 0;
  /** The lines of an added file that will be parsed, unless it is too large. */
  whole: string[] | undefined;
  #judges: readonly OpenJudge[];
  #view: CodeView | undefined;
  readonly #keepsAddedLines: boolean;
  readonly #measure: SurveyOptions['measure'];
  readonly #budget: SurveyOptions['budget'];
  #startsHunk = false;
  #lastLine: Line | undefined;

  constructor(file: FileChange, options: SurveyOptions) {
    this.file = file;
    const isText = !file.isBinary && !isSubmodule(file) && !PRINTED.test(file.path);
    const isJudged = isText && file.status !== 'deleted';
    this.#view = isJudged ? viewCode(file.path) : undefined;
    this.#judges = (isJudged ? options.checks : []).flatMap(({ open, guards }) => {
      const judge = open(file, this.#view);
      return judge === undefined ? [] : [{ judge, guards }];
    });
    this.#measure = options.measure;
    this.#budget = options.budget;
    this.#keepsAddedLines = isJudged && syntaxOf(file.path) !== undefined;
    this.whole = this.#keepsAddedLines && file.status === 'added' ? [] : undefined;
    // A binary file counts as one hunk without text.
    if (file.isBinary) this.startHunk({ ...NO_TEXT, number: 1 });
  }

  startHunk(hunk: Hunk): void {
    const { number, newStart, newLines } = hunk;
    const lines = this.#budget.characters > 0 ? [] : undefined;
    const section = lines === undefined ? '' : hunk.section;
    const counts = { added: 0, removed: 0, tokens: 0, broken: undefined };
    this.hunks.push({ number, newStart, newLines, section, lines, ...counts });
    this.#startsHunk = true;
  }

  /** Called after the last line. Releases what was only needed for reading. */
  finish(): void {
    for (const { judge, guards } of this.#judges) {
      for (const hit of judge.end?.() ?? []) this.#take(hit, hit.at, guards);
    }
    this.#judges = [];
    this.#view = undefined;
    this.#lastLine = undefined;
    this.opening = ownText(this.opening);
  }

  read(lines: readonly Line[]): void {
    const notes = this.hunks.at(-1);
    if (notes === undefined) return;
    for (const line of lines) {
      if (notes.lines !== undefined) {
        notes.lines.push(line);
        this.#budget.characters -= line.text.length + 1;
      }
      if (this.#measure !== undefined) notes.tokens += this.#measure(line.text);
      if (line.kind !== 'context') this.changedBytes += line.text.length + 1;
      if (line.kind === 'removed') notes.removed += 1;
      else this.#readNewSide(line, notes);
    }
    this.#lastLine = lines.at(-1);
  }

  /** The last line read is only the start of one this long, so the file can't be parsed. */
  readCutLine(bytes: number): void {
    const line = this.#lastLine;
    if (line === undefined || line.kind === 'context') return;
    const missing = bytes - line.text.length;
    this.changedBytes += missing;
    if (line.kind === 'removed') return;
    this.addedBytes += missing;
    this.whole = undefined;
  }

  #readNewSide(line: Exclude<Line, { kind: 'removed' }>, notes: HunkNotes): void {
    const { text, newLine: number } = line;
    const isAdded = line.kind === 'added';
    if (number <= OPENING_LINES) this.opening += `${text.slice(0, OPENING_CHARACTERS)}\n`;
    const named = ignoredRules(text);
    if (named.length > 0) {
      this.ignores.set(number, named.map(ownText));
      if (isAdded) this.ignoreNotes.push(...ignoreProblems(text, `${this.file.path}:${number}`));
    }
    if (isAdded) this.#noteAdded(text, number, notes);
    const seen = { text, number, isAdded, startsHunk: this.#startsHunk };
    this.#startsHunk = false;
    this.#view?.advance(seen);
    let shown = text;
    for (const { judge, guards } of this.#judges) {
      for (const hit of judge(seen)) {
        const { at = seen } = hit;
        if (at.isAdded) shown = hit.evidence ?? shown;
        this.#take(at === seen ? { ...hit, evidence: shown } : hit, at, guards);
      }
    }
  }

  #take(hit: Hit, at: NewSideLine | undefined, guards: boolean): void {
    if (!at?.isAdded) return;
    const { column, endColumn, evidence = at.text } = hit;
    const place = { path: this.file.path, line: at.number, column, endColumn };
    this.candidates.push(raise({ ...place, text: evidence }, hit, guards));
  }

  #noteAdded(text: string, number: number, notes: HunkNotes): void {
    notes.added += 1;
    this.addedBytes += text.length + 1;
    if (text.length > this.longestLine) this.longestLine = text.length;
    if (this.#keepsAddedLines) this.addedLines.push(number);
    this.whole?.push(text);
    if (this.whole !== undefined && this.addedBytes > maxParsedBytes(this.file.path)) {
      this.whole = undefined;
    }
  }
}

/** Git treats such a file as text if none of its parts is compressed. */
const PRINTED = /\.(?:pdf|eps|ps|ai)$/i;

const NO_TEXT = { oldStart: 0, oldLines: 0, newStart: 0, newLines: 0, section: '' };

/** A candidate, and whether it counts even in skipped files. */
export interface Raised {
  readonly candidate: FindingWithoutId;
  readonly guards: boolean;
}

/** Of longer lines only an excerpt around the problem is quoted. */
const WHOLE_EVIDENCE = 1000;

export function raise(
  {
    path,
    line,
    column,
    endColumn,
    text,
  }: {
    readonly path: string;
    readonly line: number;
    readonly column?: number | undefined;
    readonly endColumn?: number | undefined;
    /** The line's text, if known. */
    readonly text?: string | undefined;
  },
  hit: Problem,
  guards: boolean,
): Raised {
  return {
    guards,
    candidate: {
      path,
      line,
      endLine: line,
      ...(column !== undefined && { column }),
      ...(endColumn !== undefined && { endColumn }),
      side: 'new',
      severity: hit.severity ?? severityOf(hit.rule),
      rule: hit.rule,
      message: hit.message,
      source: 'check',
      confidence: 1,
      ...(text !== undefined && { evidence: ownText(redact(excerpt(text, column ?? 1))) }),
    },
  };
}

/** The whole line, or the part of a very long one around the hit. The columns don't apply to a part. */
function excerpt(text: string, column: number): string {
  if (text.length <= WHOLE_EVIDENCE) return text;
  const from = column <= WHOLE_EVIDENCE / 2 ? 0 : column - 1 - WHOLE_EVIDENCE / 4;
  return text.slice(from, from + WHOLE_EVIDENCE / 2);
}
