import type { Finding } from '../core/finding.js';
import { withoutSpace } from '../core/finding.js';
import { addLedgers, ledgerOf, totalOf } from '../core/ledger.js';
import type { Outcome } from '../core/outcome.js';
import type { NoteRecord } from '../generated/shapes.js';
import { validateNote } from '../generated/validate-note.js';
import { redact } from '../secrets/redact.js';

/** The same, before there is a commit. */
export type Finished = Omit<NoteRecord, 'commit' | 'tree'>;

/** More of a minified line adds nothing, and everybody fetches the notes. */
const MAX_EVIDENCE = 2000;
/** Beyond this, items that were left out are only counted. */
const MAX_ITEMS = 500;

/** The part of an outcome that goes into a note, without secrets. */
export function finishedOf(outcome: Outcome): Finished {
  const { run, task, startedAt, complete, ledger, findings } = outcome;
  return {
    v: 1,
    run,
    task,
    startedAt,
    complete,
    ledger: { ...ledger, items: ledger.items.slice(0, MAX_ITEMS) },
    findings: findings.map(forNote),
  };
}

export const noteOf = (
  finished: Finished,
  { commit, tree }: Pick<NoteRecord, 'commit' | 'tree'>,
): NoteRecord => {
  const { v, run, task, startedAt, complete, ledger, findings } = finished;
  return { v, run, commit, tree, task, startedAt, complete, ledger, findings };
};

/**
 * The record that counts: the newest one for the commit's tree. Merged notes are sorted by text, so
 * the order of lines means nothing.
 */
export function newestRecord(records: readonly NoteRecord[], tree: string): NoteRecord | undefined {
  return records
    .filter(record => record.tree === tree)
    .reduce<NoteRecord | undefined>(
      (newest, record) =>
        newest === undefined || orderOf(record) > orderOf(newest) ? record : newest,
      undefined,
    );
}

/** Whether it covers the whole commit, and nothing is left to do. */
export const isSettled = (record: NoteRecord): boolean =>
  record.ledger.outOfTime === 0 && !saysNothing(record);

/**
 * A record whose commit was changed: it has findings, but doesn't claim that the commit was
 * reviewed.
 */
export const saysNothing = ({ ledger, complete }: NoteRecord): boolean =>
  ledger.total === 0 && !complete;

/** Run ids sort by time, even within a millisecond. */
const orderOf = ({ startedAt, run }: NoteRecord): string => `${startedAt} ${run}`;

function forNote(finding: Finding): Finding {
  const { evidence, suggestion, column, endColumn, ...rest } = finding;
  const quote = evidence === undefined ? undefined : redact(evidence).slice(0, MAX_EVIDENCE);
  const isInQuote = (endColumn ?? column ?? 0) <= MAX_EVIDENCE;
  return {
    ...rest,
    message: redact(finding.message),
    ...(column !== undefined && isInQuote && { column }),
    ...(endColumn !== undefined && isInQuote && { endColumn }),
    ...(quote !== undefined && { evidence: quote }),
    ...(suggestion !== undefined && {
      suggestion: { ...suggestion, text: redact(suggestion.text) },
    }),
  };
}

/** A commit's position and content. */
export interface Lineage {
  readonly commit: string;
  readonly tree: string;
  readonly parents: readonly string[];
}

/** The commits that a commit was made from, oldest first; undefined for one that is gone. */
type Sources = ReadonlyArray<Lineage | undefined>;

/**
 * Whether a commit is exactly the sum of its sources. Only what can be proved counts: a fixup that
 * moved over other commits may have been merged by hand.
 */
export function isSumOf(
  sources: Sources,
  to: Lineage,
  patches: ReadonlyMap<string, string>,
): boolean {
  const known = sources.flatMap(source => source ?? []);
  const [first] = known;
  const last = known.at(-1);
  if (first === undefined || last === undefined || known.length < sources.length) return false;
  // The same lines, wherever they are now.
  const patch = patches.get(first.commit);
  if (known.length === 1 && patch !== undefined && patch === patches.get(to.commit)) return true;
  const isChain = known.every(
    (each, at) => at === 0 || areSame(each.parents, [known[at - 1]?.commit]),
  );
  return isChain && last.tree === to.tree && isInPlaceOf(first, to);
}

/** Whether a commit takes the other one's place. */
export const isInPlaceOf = (
  one: Pick<Lineage, 'parents'>,
  other: Pick<Lineage, 'parents'>,
): boolean => areSame(one.parents, other.parents);

const areSame = (some: readonly string[], others: ReadonlyArray<string | undefined>): boolean =>
  some.length === others.length && some.every((each, at) => each === others[at]);

/** How the new commit relates to those that the records are about. */
export interface Rewriting {
  readonly commit: string;
  readonly tree: string;
  /** It changes exactly what they change together. */
  readonly isSum: boolean;
  /** The text of a file in the new commit; undefined if it doesn't exist. */
  readonly textOf: (path: string) => string | undefined;
  /** What was recorded about the new commit itself, but only part of it. */
  readonly own: NoteRecord | undefined;
  readonly run: string;
  readonly startedAt: string;
}

/**
 * What in the records of some commits still holds for the one that was made from them; undefined if
 * nothing does. If one of them has no record, only the findings carry over, and the ledger claims
 * nothing.
 */
export function rewriteRecord(
  sources: ReadonlyArray<NoteRecord | undefined>,
  to: Rewriting,
): NoteRecord | undefined {
  const known = sources.flatMap(source => source ?? []);
  const carried = known.toReversed().flatMap(source => stillTrue(source, to));
  const findings = once([...(to.own?.findings ?? []), ...carried]);
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
    ledger: isWhole ? known.map(({ ledger }) => ledger).reduce(addLedgers) : EMPTY_LEDGER,
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

/** For a commit that was changed when rewritten: only its findings are known. */
const EMPTY_LEDGER = ledgerOf([]);

/** The finding, moved to the line that has its text now; undefined if that text is gone. */
export function anchored(finding: Finding, text: string | undefined): Finding | undefined {
  if (text === undefined || finding.side === 'old') return undefined;
  if (finding.evidence === undefined) return finding;
  const line = nearestLine(text.split('\n'), finding.evidence, finding.line);
  return line === undefined ? undefined : shifted(finding, line - finding.line);
}

function nearestLine(lines: readonly string[], evidence: string, from: number): number | undefined {
  const anchor = evidence.split('\n').map(withoutSpace);
  const fits = (at: number): boolean =>
    anchor.every((part, offset) => isMasked(part, withoutSpace(lines[at - 1 + offset] ?? '')));
  // A note may come from anybody, and name a line far past the end of the file.
  const start = Math.min(from, lines.length);
  for (let distance = 0; distance <= lines.length; distance += 1) {
    const near = [start + distance, start - distance];
    const found = near.find(at => at >= 1 && at <= lines.length && fits(at));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Secrets are masked with the same number of asterisks; a very long line is cut. */
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

/**
 * A line of a note may come from anybody. Undefined unless every field is valid; unknown fields are
 * removed from `value`.
 */
export function readRecord(value: unknown): NoteRecord | undefined {
  return isRecord(value) && isSound(value) ? value : undefined;
}

const isRecord = (value: unknown): value is NoteRecord => validateNote(value);

/** What a schema can't express. */
const isSound = ({ ledger, findings }: NoteRecord): boolean =>
  ledger.total === totalOf(ledger) && findings.every(({ line, endLine }) => line <= endLine);
