/**
 * A change as git tells it. Paths are strings in which a byte that is not UTF-8 stands as a lone
 * surrogate (0xDC00 + byte), so that no two names fall together; `core/path-bytes.ts` converts.
 */

/** Where a change begins and ends. `base` is null when there is nothing before it. */
export interface ChangeEnds {
  readonly base: string | null;
  /** A full sha, or where the new side lives when it is no commit yet. */
  readonly head: string | 'index' | 'stdin';
}

export type FileStatus = 'added' | 'deleted' | 'modified' | 'renamed' | 'copied';

export interface FileChange {
  /** The new path; the old one when the file is deleted. */
  readonly path: string;
  /** The path at the base, or undefined when the file was not there. */
  readonly oldPath: string | undefined;
  readonly status: FileStatus;
  /** As git prints them, e.g. `100644`; undefined where the header does not say. */
  readonly oldMode: string | undefined;
  readonly newMode: string | undefined;
  /** Full blob ids where the header gives them. */
  readonly oldBlob: string | undefined;
  readonly newBlob: string | undefined;
  /** Git showed no text for it. */
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

/**
 * What the diff parser says, in the order of the diff. `lines` may come several times for one hunk,
 * so that a hunk of any size passes through a bounded amount of memory.
 */
export type DiffEvent =
  | { readonly type: 'file'; readonly file: FileChange }
  | { readonly type: 'hunk'; readonly hunk: Hunk }
  | { readonly type: 'lines'; readonly lines: readonly Line[] }
  /** The last line given has no newline at the end of its file. */
  | { readonly type: 'no-newline'; readonly side: 'old' | 'new' | 'both' }
  /** A line was longer than the parser keeps; its text is the beginning. */
  | { readonly type: 'cut-line'; readonly newLine: number | undefined; readonly bytes: number }
  /** The diff stops or breaks in the middle; what came before it stands. */
  | { readonly type: 'broken'; readonly reason: string };

export const isSubmodule = (file: FileChange): boolean =>
  file.newMode === '160000' || (file.newMode === undefined && file.oldMode === '160000');

export const isSymlink = (file: FileChange): boolean => file.newMode === '120000';
