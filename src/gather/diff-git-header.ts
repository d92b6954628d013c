import type { FileStatus } from '../core/change.js';
import {
  cutOff,
  type FileHeader,
  type HeaderEnd,
  type HeaderReading,
  readFile,
} from './diff-header.js';
import { existing, type NamePair, readGitNames, readName, withoutPrefixes } from './diff-name.js';

/** How every line begins that git puts before the first hunk; the most frequent first. */
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

// The blob of an empty file begins so, in SHA-1 and in SHA-256; zeros stand for no file.
const NO_CONTENT = /^(?:0+|e69de29[0-9a-f]*|473a0f4[0-9a-f]*)$/;

/** A header that begins with `diff --git`, `diff --cc` or `diff --combined`. */
export class GitHeader implements FileHeader {
  readonly opening: string;
  readonly #said = new Map<(typeof STARTS)[number], string>();

  constructor(line: string) {
    this.opening = line;
  }

  accepts(line: string): boolean {
    // One plus name is all that a file has: signed names after it begin the next, in plain dialect.
    const isNext = this.#said.has('+++ ') && (line.startsWith('--- ') || line.startsWith('+++ '));
    const start = isNext ? undefined : STARTS.find(known => line.startsWith(known));
    if (start === undefined) return false;
    // With --combined-all-paths each parent has a minus name; the first parent's counts.
    if (!this.#said.has(start)) this.#said.set(start, line.slice(start.length));
    return true;
  }

  read(endedBy: HeaderEnd): HeaderReading {
    const isBare = this.#said.size === 0;
    // Like git: a lone `diff --git` line is somebody quoting one.
    if (isBare && endedBy === 'other line') return {};
    const isCutOff = endedBy === 'end of diff' && (isBare || this.#expectsHunks());
    const reading = isBare && isCutOff ? {} : this.#readFile();
    return isCutOff ? { problem: cutOff(this.opening), ...reading } : reading;
  }

  #readFile(): HeaderReading {
    const said = this.#said;
    const [, oldBlob, newBlob, mode] = this.#index();
    const [, firstMode, resultMode] = COMBINED_MODES.exec(said.get('mode ') ?? '') ?? [];
    const deletedMode = said.get('deleted file mode ')?.slice(0, '100644'.length);
    return readFile(this.opening, this.#names(), {
      status: firstMode === '000000' ? 'added' : this.#status(),
      oldMode: said.get('old mode ') ?? deletedMode ?? firstMode ?? mode,
      newMode: said.get('new mode ') ?? said.get('new file mode ') ?? resultMode ?? mode,
      oldBlob,
      newBlob,
      isBinary: this.#isBinary(),
    });
  }

  #status(): FileStatus | undefined {
    const said = this.#said;
    if (said.has('rename from ')) return 'renamed';
    if (said.has('copy from ')) return 'copied';
    if (said.has('new file mode ') || said.get('--- ') === '/dev/null') return 'added';
    if (said.has('deleted file mode ') || said.get('+++ ') === '/dev/null') return 'deleted';
    return undefined;
  }

  #names(): NamePair {
    const said = this.#said;
    const movedFrom = said.get('rename from ') ?? said.get('copy from ');
    const movedTo = said.get('rename to ') ?? said.get('copy to ');
    if (movedFrom !== undefined && movedTo !== undefined) {
      return { old: readName(movedFrom), new: readName(movedTo) };
    }
    const names = openingNames(this.opening);
    if (names !== undefined) return names;
    const minusName = existing(readName(said.get('--- ') ?? ''));
    return withoutPrefixes({ old: minusName, new: existing(readName(said.get('+++ ') ?? '')) });
  }

  #expectsHunks(): boolean {
    if (this.#isBinary()) return false;
    const [, oldBlob = '0', newBlob = '0'] = this.#index();
    const hasContent = !NO_CONTENT.test(oldBlob) || !NO_CONTENT.test(newBlob);
    return hasContent || this.#said.has('--- ');
  }

  #index(): readonly (string | undefined)[] {
    return INDEX.exec(this.#said.get('index ') ?? '') ?? [];
  }

  #isBinary(): boolean {
    return this.#said.has('Binary file') || this.#said.has('GIT binary patch');
  }
}

function openingNames(opening: string): NamePair | undefined {
  const text = opening.slice(opening.indexOf(' ', 'diff '.length) + 1);
  if (opening.startsWith('diff --git ')) return readGitNames(text);
  // A merge's header gives one name, without a prefix.
  const name = readName(text);
  return { old: name, new: name };
}
