import { findInLine } from './find-in-line.js';
import { manifestReader } from './kubernetes.js';
import { pemBody } from './pem-body.js';
import type { Secret } from './secret.js';

/** Reads the lines of one text in order and remembers what spans several of them. */
export interface SecretReader {
  /**
   * The secrets of this line, in order. A secret that only this line gives away may lie on an
   * earlier one: its offsets then count back from the start of this line.
   */
  read(line: string): readonly Secret[];
  /** The next line does not follow the last one. */
  reset(): void;
}

export function secretReader(): SecretReader {
  const body = pemBody();
  const manifest = manifestReader();
  return {
    read: line => {
      const entries = manifest.read(line);
      const ofKey = body.read(line);
      if (ofKey !== undefined) return ofKey;
      const found = findInLine(line);
      body.note(found, line);
      return entries.length === 0 ? found : joined(entries, found);
    },
    reset: () => {
      body.reset();
      manifest.reset();
    },
  };
}

function joined(entries: readonly Secret[], found: readonly Secret[]): readonly Secret[] {
  const others = entries.filter(
    entry => !found.some(secret => secret.start < entry.end && entry.start < secret.end),
  );
  return [...others, ...found].sort((a, b) => a.start - b.start);
}
