/** Edits on top of a commit: whole files in memory, nothing written anywhere. */
export class Overlay {
  readonly #files = new Map<string, { before: Uint8Array; after: Uint8Array }>();

  /** The edited file; undefined where the commit's own holds. */
  read(path: string): Uint8Array | undefined {
    return this.#files.get(path)?.after;
  }

  /** `before` is the commit's file; the first one given is the one that is remembered. */
  write(path: string, file: { before: Uint8Array; after: Uint8Array }): void {
    const before = this.#files.get(path)?.before ?? file.before;
    this.#files.set(path, { before, after: file.after });
  }

  /** Takes every edit of the file back. */
  revert(path: string): void {
    this.#files.delete(path);
  }

  /** Files that are not as they were, in the order of their first edit. */
  changes(): OverlayChange[] {
    return [...this.#files]
      .filter(([, { before, after }]) => !sameBytes(before, after))
      .map(([path, file]) => ({ path, ...file }));
  }
}

export interface OverlayChange {
  readonly path: string;
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

const sameBytes = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, at) => byte === other[at]);
