import {
  cutOff,
  type FileHeader,
  type HeaderEnd,
  type HeaderFacts,
  type HeaderReading,
  readFile,
} from './diff-header.js';
import { existing, type NamePair, readName, withoutPrefixes } from './diff-name.js';

// After a tab it ends a name by itself; some tools set it off with a blank only.
const TIME = / \d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?(?: [-+]\d{4})?$/;

/** `---` and `+++` with no `diff --git` before them, as diff, hg, svn and bzr print them. */
export class PlainHeader implements FileHeader {
  readonly opening: string;
  #plusLine: string | undefined;

  constructor(line: string) {
    this.opening = line;
  }

  accepts(line: string): boolean {
    if (this.#plusLine !== undefined || !line.startsWith('+++ ')) return false;
    this.#plusLine = line;
    return true;
  }

  read(endedBy: HeaderEnd): HeaderReading {
    // Two such lines can stand in any text; git too wants a hunk behind them.
    if (this.#plusLine === undefined || endedBy === 'other line') return {};
    if (endedBy === 'end of diff') return { problem: cutOff(this.opening) };
    const names = { old: plainName(this.opening), new: plainName(this.#plusLine) };
    return readPlainFile(this.opening, names, { status: statusByHunk(endedBy) });
  }
}

/** One name for both sides, as in git: plain diffs know no renames, and `x.orig` is still `x`. */
export function readPlainFile(opening: string, names: NamePair, facts: HeaderFacts): HeaderReading {
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

/** A first hunk with nothing on one side is all there is to tell a new file from a changed one. */
function statusByHunk(hunk: HeaderEnd): 'added' | 'deleted' | undefined {
  if (typeof hunk === 'string') return undefined;
  if (hunk.oldStart === 0 && hunk.oldLines === 0) return 'added';
  return hunk.newStart === 0 && hunk.newLines === 0 ? 'deleted' : undefined;
}
