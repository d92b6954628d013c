import {
  type FileHeader,
  type HeaderEnd,
  type HeaderFacts,
  type HeaderReading,
  readFile,
} from './diff-header.js';
import { existing, type NamePair, readName, withoutPrefixes } from './diff-name.js';

const TIME = /[ \t](\d{4}-\d\d-\d\d) (\d\d):(\d\d):\d\d(?:\.\d+)?(?: ([-+])(\d\d)(\d\d))?$/;

const MINUTES_A_DAY = 24 * 60;

/** `---` and `+++` with no `diff --git` before them, as diff, hg, svn and bzr print them. */
export class PlainHeader implements FileHeader {
  readonly opening: string;
  #plusLine: string | undefined;

  constructor(line: string) {
    this.opening = line;
  }

  get isUnfinished(): boolean {
    return this.#plusLine !== undefined;
  }

  accepts(line: string): boolean {
    if (this.#plusLine !== undefined || !line.startsWith('+++ ')) return false;
    this.#plusLine = line;
    return true;
  }

  read(endedBy: HeaderEnd): HeaderReading {
    // Two such lines can stand in any text; git too wants a hunk behind them.
    if (this.#plusLine === undefined || endedBy === 'no hunk') return {};
    const names = { old: plainName(this.opening), new: plainName(this.#plusLine) };
    const status = isEpoch(this.opening)
      ? 'added'
      : isEpoch(this.#plusLine)
        ? 'deleted'
        : statusByHunk(endedBy);
    return readPlainFile(this.opening, names, { status });
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

/** The time that `diff -N` gives to the side on which there is no file. */
function isEpoch(line: string): boolean {
  const [, day, hours, minutes, sign, zoneHours = 0, zoneMinutes = 0] = TIME.exec(line) ?? [];
  if (day !== '1970-01-01' && day !== '1969-12-31') return false;
  const zone = (Number(zoneHours) * 60 + Number(zoneMinutes)) * (sign === '-' ? -1 : 1);
  const local = Number(hours) * 60 + Number(minutes) - (day === '1970-01-01' ? 0 : MINUTES_A_DAY);
  return local === zone;
}

/** A first hunk with nothing on one side is all there is to tell a new file from a changed one. */
function statusByHunk(hunk: HeaderEnd): 'added' | 'deleted' | undefined {
  if (typeof hunk === 'string') return undefined;
  if (hunk.oldStart === 0 && hunk.oldLines === 0) return 'added';
  return hunk.newStart === 0 && hunk.newLines === 0 ? 'deleted' : undefined;
}
