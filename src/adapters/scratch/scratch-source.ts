import type { FileRead, Source } from '../../agent/tools/source.js';
import type { Scratch } from '../../core/scratch.js';

/** A conversation asks for the same few files again and again. */
const MOST_REMEMBERED = 1000;

/**
 * The commit's files as they are in the copy now, edits included. What `committed` says of a path,
 * which takes git a process or two, is asked once: the commit does not change.
 */
export function scratchSource(
  scratch: Pick<Scratch, 'readFile' | 'clashing'>,
  committed: Source,
): Source {
  const others = new Map<string, FileRead | undefined>();
  const notAFile = async (path: string): Promise<FileRead | undefined> => {
    if (others.has(path)) return others.get(path);
    const read = await committed.read(path);
    const other = read.kind === 'file' ? undefined : read;
    if (others.size >= MOST_REMEMBERED) others.clear();
    others.set(path, other);
    return other;
  };
  return {
    ...committed,
    read: async path => {
      if (scratch.clashing.has(path)) return committed.read(path);
      const other = await notAFile(path);
      if (other !== undefined) return other;
      const bytes = await scratch.readFile(path);
      return bytes === undefined ? { kind: 'absent' } : { kind: 'file', bytes };
    },
  };
}
