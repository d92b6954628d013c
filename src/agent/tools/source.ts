/**
 * What the reading tools see: the tracked files of one commit or of the index, never the work tree.
 * Paths have passed the guard. Git implements it; an overlay can be laid over it.
 */
export interface Source {
  /** What is directly in a folder, folders with a slash at their end; `''` is the top. */
  list(path: string): Promise<readonly Entry[]>;
  read(path: string): Promise<FileRead>;
  search(query: string, path: string | undefined): Promise<SearchResult>;
  /** The file's change as a unified diff without its header; undefined when it did not change. */
  diff(path: string): Promise<string | undefined>;
  history(path: string): Promise<readonly HistoryEntry[]>;
}

export interface Entry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'symlink' | 'submodule';
}

export type FileRead =
  | { readonly kind: 'file'; readonly bytes: Uint8Array }
  | {
      readonly kind: 'absent' | 'folder' | 'symlink' | 'submodule' | 'untracked' | 'too-big';
    };

export interface SearchResult {
  readonly matches: readonly Match[];
  /** There are more than the search was willing to collect. */
  readonly isTruncated: boolean;
}

export interface Match {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

export interface HistoryEntry {
  readonly commit: string;
  /** ISO 8601, the day is enough. */
  readonly date: string;
  readonly subject: string;
}
