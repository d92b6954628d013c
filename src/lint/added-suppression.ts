import { SUPPRESSION, SUPPRESSION_END } from './suppression-marks.js';

/** A mark and the names behind it; without names it overlooks everything. */
interface Suppression {
  readonly mark: string;
  readonly names: ReadonlySet<string>;
}

/** Longer lists of rules are cut: nobody reads them, and no line may cost more than this. */
const MOST_BEHIND = 500;

/**
 * The mark by which `after` overlooks more than `before`, or undefined. Marks that were there may
 * move, go, or name fewer rules.
 */
export function addedSuppression(before: string, after: string): string | undefined {
  const [old, fresh] = [suppressionsIn(before), suppressionsIn(after)];
  const known = new Map<string, number>();
  for (const each of old) count(known, each, 1);
  const added = fresh.filter(each => count(known, each, -1) < 0);
  const gone = old.filter(each => count(known, each, -1) >= 0);
  for (const each of added) {
    const at = gone.findIndex(other => isNarrower(each, other));
    if (at === -1) return each.mark;
    gone.splice(at, 1);
  }
  return lostEnd(before, after) && fresh.length >= old.length ? 'its end is taken away' : undefined;
}

function suppressionsIn(text: string): Suppression[] {
  return [...text.matchAll(SUPPRESSION)].map(match => {
    const start = match.index + match[0].length;
    const [behind = ''] = text.slice(start, start + MOST_BEHIND).split('\n', 1);
    return { mark: match[0].toLowerCase().replace(/\s+/g, ' '), names: namesIn(behind) };
  });
}

/** Up to the end of the comment or to the reason that people give behind two dashes. */
function namesIn(behind: string): Set<string> {
  const [list = ''] = behind.split(/\*\/|-->|\s--\s|\s#|\)\]/, 1);
  return new Set(list.split(/[^\w@/.:-]+/).filter(name => /\w/.test(name)));
}

/** Adds to the number of times it was seen; gives the sum. */
function count(known: Map<string, number>, { mark, names }: Suppression, step: number): number {
  const key = [mark, ...names].join('\0');
  const sum = (known.get(key) ?? 0) + step;
  known.set(key, sum);
  return sum;
}

function isNarrower(fresh: Suppression, old: Suppression): boolean {
  if (fresh.mark !== old.mark) return false;
  if (old.names.size === 0) return true;
  return fresh.names.size > 0 && [...fresh.names].every(name => old.names.has(name));
}

const lostEnd = (before: string, after: string): boolean =>
  [...after.matchAll(SUPPRESSION_END)].length < [...before.matchAll(SUPPRESSION_END)].length;
