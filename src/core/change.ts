/**
 * A change as git reports it. In a path, a byte that isn't UTF-8 is a lone surrogate (0xDC00 +
 * byte), so that different names stay different; `core/path-bytes.ts` converts.
 */

/** Where a change begins and ends. `base` is null when there is nothing before it. */
export interface ChangeEnds {
  readonly base: string | null;
  /** A full sha, or where the new side is if it isn't a commit yet. */
  readonly head: string | 'index' | 'stdin';
}

export type FileStatus = 'added' | 'deleted' | 'modified' | 'renamed' | 'copied';

export interface FileChange {
  /** The new path; the old one when the file is deleted. */
  readonly path: string;
  /** The path at the base; undefined if the file didn't exist there. */
  readonly oldPath: string | undefined;
  readonly status: FileStatus;
  /** As git prints them, e.g. `100644`; undefined if the header doesn't have them. */
  readonly oldMode: string | undefined;
  readonly newMode: string | undefined;
  /** Full blob ids, if the header has them. */
  readonly oldBlob: string | undefined;
  readonly newBlob: string | undefined;
  /** Git printed no text for it. */
  readonly isBinary: boolean;
}

export interface Hunk {
  /** 1 for the first hunk of its file. A binary file counts as one hunk with number 1. */
  readonly number: number;
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  /** What git prints after the second `@@`: usually the enclosing function's header. */
  readonly section: string;
}

export type Line =
  | { readonly kind: 'added'; readonly text: string; readonly newLine: number }
  | { readonly kind: 'removed'; readonly text: string; readonly oldLine: number }
  | {
      readonly kind: 'context';
      readonly text: string;
      readonly oldLine: number;
      readonly newLine: number;
    };

/** The position of a line as in findings: a removed one is on the old side. */
export const placeOfLine = (line: Line): { side: 'new' | 'old'; line: number } =>
  line.kind === 'removed'
    ? { side: 'old', line: line.oldLine }
    : { side: 'new', line: line.newLine };

/** Whether a side and a line number refer to this line. */
export const isAt = (line: Line, position: { side: 'new' | 'old'; line: number }): boolean => {
  const place = placeOfLine(line);
  return place.side === position.side && place.line === position.line;
};

/**
 * What the diff parser reads, in the order of the diff. One hunk may give several `lines` events, so
 * that a hunk of any size needs only bounded memory.
 */
export type DiffEvent =
  | { readonly type: 'file'; readonly file: FileChange }
  | { readonly type: 'hunk'; readonly hunk: Hunk }
  | { readonly type: 'lines'; readonly lines: readonly Line[] }
  /** The last line has no newline at the end of its file. */
  | { readonly type: 'no-newline'; readonly side: 'old' | 'new' | 'both' }
  /** A line was longer than the parser's limit; its text is cut there. */
  | { readonly type: 'cut-line'; readonly newLine: number | undefined; readonly bytes: number }
  /** The diff ends early or is malformed; everything before it is valid. */
  | { readonly type: 'broken'; readonly reason: string };

export const isSubmodule = (file: FileChange): boolean =>
  file.newMode === '160000' || (file.newMode === undefined && file.oldMode === '160000');

export const isSymlink = (file: FileChange): boolean => file.newMode === '120000';
