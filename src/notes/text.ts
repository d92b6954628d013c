import { count } from '../core/count.js';
import { HUNK_STATES } from '../core/ledger.js';
import type { Outcome } from '../core/outcome.js';
import type { NoteRecord } from '../generated/shapes.js';
import { asRun } from '../platform/own-command.js';
import { forTerminal, guardLineStart } from '../platform/safe-text.js';
import { jsonText } from '../report/json.js';
import { moment, paint } from '../report/style.js';
import { isChecksOnly, STATE_WORDS, summarise } from '../report/summary-line.js';
import { type TextOptions, toText } from '../report/text.js';
import { redact } from '../secrets/redact.js';

/** What is known about one commit. */
export interface NotedCommit {
  readonly commit: string;
  readonly subject: string;
  readonly record: NoteRecord | undefined;
  readonly isOwn: boolean;
  /** Lines of the note that apfel-bot can't have written. */
  readonly unusable: number;
  /** Records of another tree, from before a rewrite or from another clone. */
  readonly outdated: number;
  /** If there is no record: a saved run of this clone that reviewed it, as data and as text. */
  readonly kept?: { readonly data: object; readonly text: string };
  /** A background review of it is running, or waiting for another one. */
  readonly background?: 'running' | 'waiting' | undefined;
}

/** The recorded outcome of each commit, as text. */
export function toNoteText(noted: readonly NotedCommit[], options: TextOptions): string {
  if (noted.length === 0) return 'no commits\n';
  return noted.map(each => commitText(each, options)).join('\n');
}

/** The same as JSON. */
export const toNoteJson = (noted: readonly NotedCommit[]): string =>
  jsonText({
    commits: noted.map(({ subject, record, isOwn, kept, background, ...page }) => ({
      commit: page.commit,
      subject: redact(subject),
      record: record ?? null,
      ...(record !== undefined && { recordedHere: isOwn }),
      unusable: page.unusable,
      outdated: page.outdated,
      ...(kept !== undefined && { run: kept.data }),
      ...(background !== undefined && { background }),
    })),
  });

function commitText(noted: NotedCommit, options: TextOptions): string {
  const { commit, subject, record } = noted;
  const { bold, dim } = paint(options.color);
  const head = `${bold(`commit ${commit.slice(0, 12)}`)} ${forTerminal(redact(subject))}`;
  if (record === undefined) {
    const source = noted.kept === undefined ? [noRecord(noted)] : savedRunLines(noted);
    const lines = [head, ...backgroundLines(noted), ...source.map(line => `  ${line}`)].join('\n');
    return `${guardLineStart(lines)}\n${noted.kept?.text ?? ''}`;
  }
  const outcome = outcomeOf(record);
  const { verdict } = summarise(outcome);
  const summary = [verdict, ...hunkCounts(record)].join(' · ');
  const when = dim(`  recorded ${moment(record.startedAt)}, run ${record.run}`);
  const remarks = [...(noted.isOwn ? [] : [ELSEWHERE]), ...unusableLines(noted)];
  const lines = [head, when, ...backgroundLines(noted), ...remarks, `  ${summary}`];
  return `${guardLineStart(lines.join('\n'))}\n${withoutSummary(outcome, options)}`;
}

const ELSEWHERE = '  from elsewhere: anybody who can push notes can write such a record';

const backgroundLines = ({ background }: NotedCommit): string[] =>
  background === undefined ? [] : [`  ${BACKGROUND[background]}`];

const BACKGROUND = {
  running: 'running: it is being reviewed in the background',
  waiting: 'waiting: the next commit starts its background review',
};

/** The record doesn't have the number of files and the time. */
function hunkCounts(record: NoteRecord): string[] {
  const { ledger } = record;
  if (ledger.total === 0) return [];
  const states = HUNK_STATES.filter(state => ledger[state] > 0).map(
    state => `${ledger[state]} ${STATE_WORDS[state]}`,
  );
  const counts = `${count(ledger.total, 'hunk')}: ${states.join(', ')}`;
  return isChecksOnly(record) ? [counts, 'checks only'] : [counts];
}

const savedRunLines = (noted: NotedCommit): string[] => [
  ...(noted.unusable + noted.outdated > 0 ? [noRecord(noted)] : []),
  'from the runs kept on this machine, not from a note',
];

function noRecord(noted: NotedCommit): string {
  const { unusable, outdated } = noted;
  if (unusable + outdated === 0) {
    const commit = noted.commit.slice(0, 12);
    return asRun(`no record; review it with: apfel-bot review --commit ${commit}`);
  }
  return `its note has no usable record of this commit: ${[
    ...(outdated > 0 ? [`${outdated} of another tree`] : []),
    ...(unusable > 0 ? [`${unusable} unreadable`] : []),
  ].join(', ')}`;
}

const unusableLines = ({ unusable }: NotedCommit): string[] =>
  unusable === 0 ? [] : [`  left out: ${count(unusable, 'unreadable line')} of its note`];

/** The findings, and why hunks were left out. The commit's own line sums them up. */
function withoutSummary(outcome: Outcome, options: TextOptions): string {
  const text = toText(outcome, { ...options, isSummedUp: true });
  return text === '' ? '' : `\n${text}`;
}

/** The outcome a record came from, as far as the record has it. */
export function outcomeOf(record: NoteRecord): Outcome {
  const { run, task, startedAt, commit, findings, ledger, complete } = record;
  const files = new Set([...findings, ...ledger.items].map(({ path }) => path)).size;
  return {
    version: 1,
    run,
    task: task === 'fix-lint' ? task : 'review',
    startedAt,
    durationMs: 0,
    change: {
      base: null,
      head: commit,
      repository: null,
      pull: null,
      files,
      hunks: ledger.total,
      added: 0,
      removed: 0,
    },
    findings,
    rejected: [],
    ledger,
    model: {
      available:
        ledger.reviewed + ledger.cached + ledger.outOfTime + ledger.refused + ledger.failed > 0 ||
        findings.some(finding => finding.source === 'model'),
      reason: 'none was used when this was recorded',
      requests: 0,
      promptTokens: 0,
      completionTokens: 0,
      repairs: 0,
      retries: 0,
      refusals: 0,
    },
    limits: [],
    notices: [],
    complete,
  };
}
