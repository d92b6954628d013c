import { editDistance } from '../core/nearest.js';

/** The one name that a misspelt one was meant to be; undefined when none or several are as near. */
export function nearestName(said: string, names: readonly string[]): string | undefined {
  const wanted = bare(said);
  const same = names.filter(name => bare(name) === wanted);
  if (same.length > 0) return same.length === 1 ? same[0] : undefined;
  if (wanted.length < SHORTEST || wanted.length > LONGEST) return undefined;
  const ranked = names
    .map(name => ({ name, distance: editDistance(wanted, bare(name)) }))
    .sort((one, other) => one.distance - other.distance);
  const [first, second] = ranked;
  if (first === undefined || first.distance > MOST_TYPOS) return undefined;
  return second?.distance === first.distance ? undefined : first.name;
}

/** `readFile`, `read-file`, `functions.read_file` and `READ_FILE` are one name. */
export const bare = (name: string): string =>
  name
    .slice(0, 200)
    .replace(/^(?:functions?|tools?|default_api)[.:/]/i, '')
    .replace(/\(.*/s, '')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();

const SHORTEST = 5;
const LONGEST = 64;
const MOST_TYPOS = 1;
