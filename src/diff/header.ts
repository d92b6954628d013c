import type { FileChange, FileStatus } from '../core/change.js';
import type { HunkHeader } from './hunk.js';
import {
  existing,
  type NamePair,
  pathOfName,
  readGitNames,
  readName,
  withoutPrefixes,
} from './name.js';

/** The lines that introduce a file, in git's format or another. Lines are byte strings. */
export interface FileHeader {
  readonly opening: string;
  /** Adds the line if it belongs to this header. */
  accepts?(line: string): boolean;
  /** The result, once a line that isn't part of the header has ended it. */
  read(endedBy: HeaderEnd): HeaderReading;
}

export type HeaderEnd = HunkHeader | 'unreadable hunk' | 'other line' | 'end of diff';

/** If both are missing, the lines only looked like a header. */
interface HeaderReading {
  readonly file?: FileChange;
  readonly problem?: string;
}

/** What a header may say besides the names. */
interface HeaderFacts {
  readonly status?: FileStatus | undefined;
  readonly oldMode?: string | undefined;
  readonly newMode?: string | undefined;
  readonly oldBlob?: string | undefined;
  readonly newBlob?: string | undefined;
  readonly isBinary?: boolean;
}

const MAX_QUOTED_CHARACTERS = 80;

/** The change of a file with these names. A side on which the file doesn't exist has no name. */
function readFile(opening: string, names: NamePair, facts: HeaderFacts): HeaderReading {
  const status = facts.status ?? statusByNames(names);
  const name = status === 'deleted' ? names.old : names.new;
  if (!name) return { problem: `no file name in the header ${quote(pathOfName(opening))}` };
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

/** The message for a header that is cut off. */
const cutOff = (opening: string): string =>
  `the diff stops in the file header ${quote(pathOfName(opening))}`;

/** The start of a line, for a message. */
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

/** The start of every line that git writes before the first hunk, most frequent first. */
const STARTS = [
  'index ',
  '--- ',
  '+++ ',
  'new file mode ',
  'deleted file mode ',
  'similarity index ',
  'rename from ',
  'rename to ',
  'copy from ',
  'copy to ',
  'old mode ',
  'new mode ',
  'mode ',
  'dissimilarity index ',
  'Binary file',
  'GIT binary patch',
] as const;

const INDEX = /^([0-9a-f]+)(?:,[0-9a-f,]+)?\.\.([0-9a-f]+)(?: (\d{6}))?$/;
const COMBINED_MODES = /^(\d{6})(?:,\d{6})*\.\.(\d{6})$/;

// The ids of an empty blob in SHA-1 and SHA-256; zeros mean no file.
const NO_CONTENT = /^(?:0+|e69de29[0-9a-f]*|473a0f4[0-9a-f]*)$/;

/** A header that starts with `diff --git`, `diff --cc` or `diff --combined`. */
export class GitHeader implements FileHeader {
  readonly #fields = new Map<(typeof STARTS)[number], string>();

  constructor(readonly opening: string) {}

  accepts(line: string): boolean {
    // A file has only one `+++` line: further `---` and `+++` lines start the next file.
    const isNext = this.#fields.has('+++ ') && (line.startsWith('--- ') || line.startsWith('+++ '));
    const start = isNext ? undefined : STARTS.find(known => line.startsWith(known));
    if (start === undefined) return false;
    // With --combined-all-paths each parent has a `---` line; the first counts.
    if (!this.#fields.has(start)) this.#fields.set(start, line.slice(start.length));
    return true;
  }

  read(endedBy: HeaderEnd): HeaderReading {
    const isBare = this.#fields.size === 0;
    // As in git, a lone `diff --git` line is only a quotation.
    if (isBare && endedBy === 'other line') return {};
    const isCutOff = endedBy === 'end of diff' && (isBare || this.#expectsHunks());
    const reading = isBare && isCutOff ? {} : this.#readFile();
    return isCutOff ? { problem: cutOff(this.opening), ...reading } : reading;
  }

  #readFile(): HeaderReading {
    const fields = this.#fields;
    const [, oldBlob, newBlob, mode] = this.#index();
    const [, firstMode, resultMode] = COMBINED_MODES.exec(fields.get('mode ') ?? '') ?? [];
    const deletedMode = fields.get('deleted file mode ')?.slice(0, '100644'.length);
    return readFile(this.opening, this.#names(), {
      status: firstMode === '000000' ? 'added' : this.#status(),
      oldMode: fields.get('old mode ') ?? deletedMode ?? firstMode ?? mode,
      newMode: fields.get('new mode ') ?? fields.get('new file mode ') ?? resultMode ?? mode,
      oldBlob,
      newBlob,
      isBinary: this.#isBinary(),
    });
  }

  #status(): FileStatus | undefined {
    const fields = this.#fields;
    if (fields.has('rename from ')) return 'renamed';
    if (fields.has('copy from ')) return 'copied';
    if (fields.has('new file mode ') || fields.get('--- ') === '/dev/null') return 'added';
    if (fields.has('deleted file mode ') || fields.get('+++ ') === '/dev/null') return 'deleted';
    return undefined;
  }

  #names(): NamePair {
    const fields = this.#fields;
    const movedFrom = fields.get('rename from ') ?? fields.get('copy from ');
    const movedTo = fields.get('rename to ') ?? fields.get('copy to ');
    if (movedFrom !== undefined && movedTo !== undefined) {
      return { old: readName(movedFrom), new: readName(movedTo) };
    }
    const names = openingNames(this.opening);
    if (names !== undefined) return names;
    const minusName = existing(readName(fields.get('--- ') ?? ''));
    return withoutPrefixes({ old: minusName, new: existing(readName(fields.get('+++ ') ?? '')) });
  }

  #expectsHunks(): boolean {
    if (this.#isBinary()) return false;
    const [, oldBlob = '0', newBlob = '0'] = this.#index();
    const hasContent = !NO_CONTENT.test(oldBlob) || !NO_CONTENT.test(newBlob);
    return hasContent || this.#fields.has('--- ');
  }

  #index(): readonly (string | undefined)[] {
    return INDEX.exec(this.#fields.get('index ') ?? '') ?? [];
  }

  #isBinary(): boolean {
    return this.#fields.has('Binary file') || this.#fields.has('GIT binary patch');
  }
}

function openingNames(opening: string): NamePair | undefined {
  const text = opening.slice(opening.indexOf(' ', 'diff '.length) + 1);
  if (opening.startsWith('diff --git ')) return readGitNames(text);
  // A merge's header gives one name, without a prefix.
  const name = readName(text);
  return { old: name, new: name };
}

// Most tools write a tab before the time, which ends the name; some write a blank.
const TIME = / \d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?(?: [-+]\d{4})?$/;

/** `---` and `+++` without `diff --git` before them, as diff, hg, svn and bzr write them. */
export class PlainHeader implements FileHeader {
  #plusLine: string | undefined;

  constructor(readonly opening: string) {}

  accepts(line: string): boolean {
    if (this.#plusLine !== undefined || !line.startsWith('+++ ')) return false;
    this.#plusLine = line;
    return true;
  }

  read(endedBy: HeaderEnd): HeaderReading {
    // Any text can have two such lines; like git, expect a hunk after them.
    if (this.#plusLine === undefined || endedBy === 'other line') return {};
    if (endedBy === 'end of diff') return { problem: cutOff(this.opening) };
    const names = { old: plainName(this.opening), new: plainName(this.#plusLine) };
    return readPlainFile(this.opening, names, { status: statusByHunk(endedBy) });
  }
}

/** One name for both sides, as in git: plain diffs have no renames, and `x.orig` is still `x`. */
function readPlainFile(opening: string, names: NamePair, facts: HeaderFacts): HeaderReading {
  const given = { old: existing(names.old), new: existing(names.new) };
  const { old: oldName, new: newName } = withoutPrefixes(given);
  if (oldName === undefined || newName === undefined) {
    const status = oldName === undefined ? 'added' : 'deleted';
    return readFile(opening, { old: oldName, new: newName }, { ...facts, status });
  }
  const name = newName.startsWith(oldName) ? oldName : newName;
  return readFile(opening, { old: name, new: name }, facts);
}

function plainName(line: string): string {
  const text = line.slice('+++ '.length);
  const name = readName(text);
  return name === text ? text.replace(TIME, '') : name;
}

/** Only the first hunk shows whether the file is new or deleted: one of its sides is empty. */
function statusByHunk(hunk: HeaderEnd): 'added' | 'deleted' | undefined {
  if (typeof hunk === 'string') return undefined;
  if (hunk.oldStart === 0 && hunk.oldLines === 0) return 'added';
  return hunk.newStart === 0 && hunk.newLines === 0 ? 'deleted' : undefined;
}

/** `Binary files a and b differ` from `diff -r`, `Binary file a has changed` from hg. */
export class BinaryNotice implements FileHeader {
  constructor(readonly opening: string) {}

  read(): HeaderReading {
    const only = /^Binary file (.+) has changed$/.exec(this.opening)?.[1];
    const pair = /^Binary files (.+) differ$/.exec(this.opening)?.[1];
    const names = only === undefined ? splitAtAnd(pair ?? '') : { old: only, new: only };
    return names === undefined ? {} : readPlainFile(this.opening, names, { isBinary: true });
  }
}

/** Subversion names a binary file only in its `Index:` line. */
export class IndexNotice implements FileHeader {
  #isBinary = false;

  constructor(readonly opening: string) {}

  accepts(line: string): boolean {
    const isBinary = line.startsWith('Cannot display: file marked as a binary type');
    if (isBinary) this.#isBinary = true;
    return isBinary || line.startsWith('=====');
  }

  read(): HeaderReading {
    const name = this.opening.slice('Index: '.length);
    if (!this.#isBinary) return {};
    return readPlainFile(this.opening, { old: name, new: name }, { isBinary: true });
  }
}

/** What git shows for a file in conflict when comparing with the index. */
export class UnmergedNotice implements FileHeader {
  constructor(readonly opening: string) {}

  read(): HeaderReading {
    const name = this.opening.slice('* Unmerged path '.length);
    const problem = `${pathOfName(name)} is unmerged, so the diff doesn't show how it changed`;
    return { ...readPlainFile(this.opening, { old: name, new: name }, {}), problem };
  }
}

/** Splits at the ` and ` closest to the middle: the two names are similar. */
function splitAtAnd(text: string): { old: string; new: string } | undefined {
  const word = ' and ';
  if (text.startsWith(`/dev/null${word}`)) return { old: '/dev/null', new: text.slice(14) };
  if (text.endsWith(`${word}/dev/null`)) return { old: text.slice(0, -14), new: '/dev/null' };
  const middle = (text.length - word.length) / 2;
  const before = text.lastIndexOf(word, middle);
  const after = text.indexOf(word, middle);
  const at = before === -1 || (after !== -1 && after - middle < middle - before) ? after : before;
  return at === -1 ? undefined : { old: text.slice(0, at), new: text.slice(at + word.length) };
}
