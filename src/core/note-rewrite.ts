import type { Finding } from './finding.js';
import { HUNK_STATES, type Ledger } from './ledger.js';
import { type NoteRecord, saysNothing } from './note.js';

/** How the new commit relates to those that the records speak of. */
export interface Rewriting {
  readonly commit: string;
  readonly tree: string;
  /** It changes what they change together, and not a line more. */
  readonly isSum: boolean;
  /** The text of a file in the new commit; undefined when it is not there. */
  readonly textOf: (path: string) => string | undefined;
  /** What was recorded of the new commit itself, though not of all of it. */
  readonly own: NoteRecord | undefined;
  readonly run: string;
  readonly startedAt: string;
}

/**
 * What of the records of some commits is still true of the one that was made of them; undefined
 * when nothing is. One of them that nobody has looked at leaves the whole unknown: then it is
 * findings that are kept, and the ledger claims nothing.
 */
export function rewriteRecord(
  sources: ReadonlyArray<NoteRecord | undefined>,
  to: Rewriting,
): NoteRecord | undefined {
  const known = sources.flatMap(source => source ?? []);
  const told = known.toReversed().flatMap(source => stillTrue(source, to));
  const findings = once([...(to.own?.findings ?? []), ...told]);
  const isWhole = to.isSum && known.length === sources.length && !known.some(saysNothing);
  if (known.length === 0 || (!isWhole && findings.length === 0)) return undefined;
  return {
    v: 1,
    run: to.run,
    commit: to.commit,
    tree: to.tree,
    task: known[0]?.task ?? 'review',
    startedAt: to.startedAt,
    complete: isWhole && known.every(({ complete }) => complete),
    ledger: isWhole ? known.map(({ ledger }) => ledger).reduce(sum) : NOTHING_SAID,
    findings,
  };
}

const stillTrue = ({ findings, tree }: NoteRecord, to: Rewriting): readonly Finding[] =>
  tree === to.tree
    ? findings
    : findings.flatMap(finding => anchored(finding, to.textOf(finding.path)) ?? []);

function once(findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>();
  return findings.filter(({ id }) => !seen.has(id) && seen.add(id));
}

/** Of a commit that was changed on the way, only its findings are known. */
const NOTHING_SAID: Ledger = {
  total: 0,
  reviewed: 0,
  cached: 0,
  checked: 0,
  skipped: 0,
  outOfTime: 0,
  refused: 0,
  failed: 0,
  items: [],
};

/** The finding where its text stands now; undefined when that text is gone. */
export function anchored(finding: Finding, text: string | undefined): Finding | undefined {
  if (text === undefined || finding.side === 'old') return undefined;
  if (finding.evidence === undefined) return finding;
  const line = nearestLine(text.split('\n'), finding.evidence, finding.line);
  return line === undefined ? undefined : shifted(finding, line - finding.line);
}

function nearestLine(lines: readonly string[], evidence: string, from: number): number | undefined {
  const anchor = evidence.split('\n').map(squeeze);
  const fits = (at: number): boolean =>
    anchor.every((part, offset) => isMasked(part, squeeze(lines[at - 1 + offset] ?? '')));
  for (let distance = 0; distance <= Math.max(from, lines.length); distance += 1) {
    const near = [from + distance, from - distance];
    const found = near.find(at => at >= 1 && at <= lines.length && fits(at));
    if (found !== undefined) return found;
  }
  return undefined;
}

const squeeze = (text: string): string => text.replace(/\s+/g, '');

/** Secrets are masked by as many stars; a very long line is kept only up to a point. */
function isMasked(quote: string, line: string): boolean {
  if (quote === line) return true;
  const isCut = quote.length > CUT_FROM && line.length > quote.length;
  if (quote.length !== line.length && !isCut) return false;
  if (!isCut && !quote.includes('*')) return false;
  for (let at = 0; at < quote.length; at += 1) {
    if (quote[at] !== line[at] && quote[at] !== '*') return false;
  }
  return true;
}

/** Shorter quotes are whole lines. */
const CUT_FROM = 1000;

function shifted(finding: Finding, by: number): Finding {
  if (by === 0) return finding;
  const { suggestion } = finding;
  return {
    ...finding,
    line: finding.line + by,
    endLine: finding.endLine + by,
    ...(suggestion !== undefined && {
      suggestion: {
        ...suggestion,
        startLine: Math.max(1, suggestion.startLine + by),
        endLine: Math.max(1, suggestion.endLine + by),
      },
    }),
  };
}

function sum(one: Ledger, other: Ledger): Ledger {
  const counts = HUNK_STATES.map(state => [state, one[state] + other[state]]);
  const total = one.total + other.total;
  return { ...one, ...Object.fromEntries(counts), total, items: [...one.items, ...other.items] };
}
