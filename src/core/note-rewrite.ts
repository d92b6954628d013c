import type { Finding } from './finding.js';
import { HUNK_STATES, type Ledger } from './ledger.js';
import type { NoteRecord } from './note.js';

/** How the new commit relates to the one that the record speaks of. */
export interface Rewriting {
  readonly commit: string;
  readonly tree: string;
  /** The lines it changes are the same, wherever they stand now. */
  readonly isSameChange: boolean;
  /** The text of a file in the new commit; undefined when it is not there. */
  readonly textOf: (path: string) => string | undefined;
  /** What was recorded of the new commit itself, the difference of an amend for example. */
  readonly own: NoteRecord | undefined;
  readonly run: string;
  readonly startedAt: string;
}

/** What of a record is still true after an amend or a rebase; undefined when nothing is. */
export function rewriteRecord(old: NoteRecord, to: Rewriting): NoteRecord | undefined {
  const isSameTree = old.tree === to.tree;
  const kept = isSameTree
    ? old.findings
    : old.findings.flatMap(finding => anchored(finding, to.textOf(finding.path)) ?? []);
  const isWhole = isSameTree || to.isSameChange;
  // An amend is reviewed as the difference to the old commit, so both together are the whole.
  const isJoined = to.own !== undefined;
  if (!isWhole && !isJoined && kept.length === 0) return undefined;
  const { own } = to;
  const known = new Set(own?.findings.map(({ id }) => id));
  return {
    v: 1,
    run: to.run,
    commit: to.commit,
    tree: to.tree,
    task: old.task,
    startedAt: to.startedAt,
    complete: (isWhole || isJoined) && old.complete && (own?.complete ?? true),
    ledger: isWhole || isJoined ? sum(old.ledger, own?.ledger) : NOTHING_SAID,
    findings: [...(own?.findings ?? []), ...kept.filter(({ id }) => !known.has(id))],
  };
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

function sum(one: Ledger, other: Ledger | undefined): Ledger {
  if (other === undefined) return one;
  const counts = HUNK_STATES.map(state => [state, one[state] + other[state]]);
  const total = one.total + other.total;
  return { ...one, ...Object.fromEntries(counts), total, items: [...one.items, ...other.items] };
}
