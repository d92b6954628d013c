import type { AuditRun, ShownOutcome } from '../audit/audit-run.js';
import { runFacts, runHead } from '../audit/run-text.js';
import type { DescriptionOutcome } from '../core/description.js';
import { guardLineStart } from '../core/neutralise.js';
import type { AnswerOutcome, Outcome } from '../core/outcome.js';
import { jsonText } from '../publish/json-text.js';
import { paint } from '../publish/paint.js';
import { answerText } from '../publish/to-answer.js';
import { descriptionText } from '../publish/to-description.js';
import { fixText } from '../publish/to-fix.js';
import type { FixOutcome } from '../publish/to-fix-outcome.js';
import { toText } from '../publish/to-text.js';
import type { WorkOptions } from '../trigger/work-options.js';
import type { Desk } from './desk.js';

/** A run in short: how it was called, what it came to, how it went, and where there is more. */
export function runText(
  run: AuditRun,
  { desk, options }: { readonly desk: Desk; readonly options: WorkOptions },
): string {
  const { bold, dim } = paint(desk.color);
  const [first = '', ...rest] = runHead(run);
  const head = [bold(first), ...rest.map(line => dim(`  ${line}`))];
  const facts = options.isQuiet ? [] : ['', ...runFacts(run).map(dim)];
  const { color, columns } = desk;
  const body = outcomeText(run.outcome, { color, columns, isQuiet: options.isQuiet }).trimEnd();
  return `${guardLineStart([...head, '', body, ...facts].join('\n'))}\n`;
}

/** The same for programs. */
export const runJson = (run: AuditRun): string => jsonText(runData(run));

export const runData = ({ outcome, origin, facts, talks, isCut }: AuditRun): object => ({
  origin,
  outcome,
  facts,
  conversations: talks.map(({ number, title, turns, end }) => ({
    number,
    title,
    turns: turns.length,
    end: end ?? null,
  })),
  isCut,
});

/** As the task itself told it. The schema has vouched for the fields that each of them needs. */
function outcomeText(outcome: ShownOutcome, options: Parameters<typeof toText>[1]): string {
  const notices = outcome.notices ?? [];
  const { answer, description, edits, diagnostics } = outcome;
  if (answer !== undefined) return answerText({ ...outcome, notices } as AnswerOutcome);
  if (description !== undefined) {
    return descriptionText({ ...outcome, notices } as DescriptionOutcome);
  }
  if (edits !== undefined && diagnostics !== undefined) {
    return fixText({ ...EMPTY, ...outcome, notices } as FixOutcome, options);
  }
  return toText({ ...EMPTY, ...outcome, notices } as Outcome, options);
}

/** What does not apply is absent from an outcome; a review tells it as nothing. */
const EMPTY = {
  findings: [],
  rejected: [],
  change: {
    base: null,
    head: 'index',
    repository: null,
    pull: null,
    files: 0,
    hunks: 0,
    added: 0,
    removed: 0,
  },
  ledger: {
    total: 0,
    reviewed: 0,
    cached: 0,
    checked: 0,
    skipped: 0,
    outOfTime: 0,
    refused: 0,
    failed: 0,
    items: [],
  },
};
