/** A copy of one commit outside the repository, where linters may run and files may change. */
export interface Scratch {
  /** Absolute; the top of the copy. */
  readonly dir: string;
  /** The commit it is a copy of. */
  readonly commit: string;
  /** What could not be copied, and why. */
  readonly remarks: readonly string[];
  /** Paths that share their file on this disk with another, and why each is left alone. */
  readonly clashing: ReadonlyMap<string, string>;
  /** A tracked file as it is on disk, line ends as checked out; undefined when it is gone. */
  readFile(path: string): Promise<Uint8Array | undefined>;
  /** For tracked regular files only; nothing is ever written through a link. */
  writeFile(path: string, bytes: Uint8Array): Promise<void>;
  /** Makes the file what the commit has. */
  reset(path: string): Promise<void>;
  /** Deletes the copy; may be called twice. */
  remove(): Promise<void>;
}
