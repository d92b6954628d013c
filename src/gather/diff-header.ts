import type { FileChange, FileStatus } from '../core/change.js';
import type { HunkHeader } from './diff-hunk.js';
import { type NamePair, pathOfName } from './diff-name.js';

/** The lines that introduce a file, in git's dialect or a plainer one. Lines are byte strings. */
export interface FileHeader {
  readonly opening: string;
  /** Takes the line in if it belongs to this header. */
  accepts(line: string): boolean;
  /** What it told, once something that it does not accept has ended it. */
  read(endedBy: HeaderEnd): HeaderReading;
}

export type HeaderEnd = HunkHeader | 'unreadable hunk' | 'other line' | 'end of diff';

/** With neither, the lines only looked like a header. */
export interface HeaderReading {
  readonly file?: FileChange;
  readonly problem?: string;
}

/** What a header may say besides the names. */
export interface HeaderFacts {
  readonly status?: FileStatus | undefined;
  readonly oldMode?: string | undefined;
  readonly newMode?: string | undefined;
  readonly oldBlob?: string | undefined;
  readonly newBlob?: string | undefined;
  readonly isBinary?: boolean;
}

const MAX_QUOTED_CHARACTERS = 80;

/** The change of a file with these names; one that is not there on a side has no name on it. */
export function readFile(opening: string, names: NamePair, facts: HeaderFacts): HeaderReading {
  const status = facts.status ?? statusByNames(names);
  const name = status === 'deleted' ? names.old : names.new;
  if (!name) return { problem: `no file is named by the header ${quote(pathOfName(opening))}` };
  const path = pathOfName(name);
  const oldPath = names.old === undefined || names.old === name ? path : pathOfName(names.old);
  const file = {
    path,
    oldPath: status === 'added' ? undefined : oldPath,
    status,
    oldMode: status === 'added' ? undefined : validMode(facts.oldMode),
    newMode: status === 'deleted' ? undefined : validMode(facts.newMode),
    oldBlob: fullBlob(facts.oldBlob),
    newBlob: fullBlob(facts.newBlob),
    isBinary: facts.isBinary ?? false,
  };
  return { file };
}

/** For a header after which more would have to follow. */
export const cutOff = (opening: string): string =>
  `the diff stops in the file header ${quote(pathOfName(opening))}`;

/** The beginning of a line, for a message. */
export const quote = (line: string): string =>
  `"${line.slice(0, MAX_QUOTED_CHARACTERS).trimEnd()}"`;

function statusByNames(names: NamePair): FileStatus {
  if (names.old === undefined) return 'added';
  if (names.new === undefined) return 'deleted';
  return 'modified';
}

const validMode = (mode: string | undefined): string | undefined =>
  mode !== undefined && /^[0-7]{6}$/.test(mode) ? mode : undefined;

// An abbreviated id may name two blobs, and zeros name none.
const fullBlob = (blob: string | undefined): string | undefined =>
  blob !== undefined && blob.length >= 40 && !/^0+$/.test(blob) ? blob : undefined;
