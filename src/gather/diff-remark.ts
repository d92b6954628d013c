import type { FileHeader, HeaderReading } from './diff-header.js';
import { pathOfName } from './diff-name.js';
import { readPlainFile } from './diff-plain-header.js';

/** `Binary files a and b differ` of `diff -r`, `Binary file a has changed` of hg. */
export class BinaryRemark implements FileHeader {
  readonly opening: string;

  constructor(line: string) {
    this.opening = line;
  }

  accepts(): boolean {
    return false;
  }

  read(): HeaderReading {
    const only = /^Binary file (.+) has changed$/.exec(this.opening)?.[1];
    const pair = /^Binary files (.+) differ$/.exec(this.opening)?.[1];
    const names = only === undefined ? splitAtAnd(pair ?? '') : { old: only, new: only };
    return names === undefined ? {} : readPlainFile(this.opening, names, { isBinary: true });
  }
}

/** Subversion names a binary file in its `Index:` line only. */
export class IndexRemark implements FileHeader {
  readonly opening: string;
  #isBinary = false;

  constructor(line: string) {
    this.opening = line;
  }

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

/** What git shows of a file in conflict when it compares with the index. */
export class UnmergedRemark implements FileHeader {
  readonly opening: string;

  constructor(line: string) {
    this.opening = line;
  }

  accepts(): boolean {
    return false;
  }

  read(): HeaderReading {
    const name = this.opening.slice('* Unmerged path '.length);
    const problem = `${pathOfName(name)} is unmerged, so the diff does not show how it changed`;
    return { ...readPlainFile(this.opening, { old: name, new: name }, {}), problem };
  }
}

/** Of several ` and ` the one nearest to the middle: the two names differ by little. */
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
