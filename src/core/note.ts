import type { Finding } from './finding.js';
import type { Ledger } from './ledger.js';
import type { Outcome, TaskName } from './outcome.js';
import { redact } from './secrets/redact.js';

/** One line of a note: what a run found out about one commit. */
export interface NoteRecord {
  readonly v: 1;
  readonly run: string;
  readonly commit: string;
  readonly tree: string;
  readonly task: TaskName;
  readonly startedAt: string;
  readonly complete: boolean;
  readonly ledger: Ledger;
  readonly findings: readonly Finding[];
}

/** The same before there is a commit to speak of. */
export type Finished = Omit<NoteRecord, 'commit' | 'tree'>;

/** A line of minified code says no more after this, and notes are fetched by everybody. */
const MOST_EVIDENCE = 2000;
/** Beyond this a list of what was left out is only counted. */
const MOST_ITEMS = 500;

/** What is worth remembering of an outcome. Holds no secret. */
export function finishedOf(outcome: Outcome): Finished {
  const { run, task, startedAt, complete, ledger, findings } = outcome;
  return {
    v: 1,
    run,
    task,
    startedAt,
    complete,
    ledger: { ...ledger, items: ledger.items.slice(0, MOST_ITEMS) },
    findings: findings.map(remembered),
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
 * The record that counts: the newest that speaks of the commit's tree. Merged notes are sorted by
 * their text, so the order of lines says nothing.
 */
export function newestRecord(records: readonly NoteRecord[], tree: string): NoteRecord | undefined {
  return records
    .filter(record => record.tree === tree)
    .reduce<NoteRecord | undefined>(
      (newest, record) => (newest === undefined || isNewer(record, newest) ? record : newest),
      undefined,
    );
}

/** Whether it speaks of the whole commit, and nothing of it is still to be done. */
export const isSettled = (record: NoteRecord): boolean =>
  record.ledger.outOfTime === 0 && !saysNothing(record);

/** What is left of a record when its commit was changed: findings, and no claim to have seen it. */
export const saysNothing = ({ ledger, complete }: NoteRecord): boolean =>
  ledger.total === 0 && !complete;

/** Run ids sort by time, which settles what happened within a millisecond. */
const isNewer = (one: NoteRecord, other: NoteRecord): boolean =>
  one.startedAt === other.startedAt ? one.run > other.run : one.startedAt > other.startedAt;

function remembered(finding: Finding): Finding {
  const { evidence, suggestion, column, endColumn, ...rest } = finding;
  const quote = evidence === undefined ? undefined : redact(evidence).slice(0, MOST_EVIDENCE);
  const isInQuote = (endColumn ?? column ?? 0) <= MOST_EVIDENCE;
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
