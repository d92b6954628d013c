import type { OutcomeFile } from '../generated/shapes.js';

/** An outcome of any task according to its schema: parts that don't apply are missing. */
export type SavedOutcome = Omit<OutcomeFile, 'version'>;

/** Why there is no model if the user turned it off: a report needn't explain it. */
export const NO_MODEL_WANTED = '--no-model was given';

export type TaskName = OutcomeFile['task'];

type Parts = Required<OutcomeFile>;

export type ChangeSummary = Parts['change'];
export type ModelUse = Parts['model'];
/** Empty until the model is asked. */
export type UsedProtocol = NonNullable<ModelUse['protocol']> | '';
export type LimitUse = Parts['limits'][number];
export type FixEdit = Parts['edits'][number];
export type FixBranch = Parts['branch'];
/** A linter that applies, and how it ended. */
export type LinterRun = Parts['linters'][number];

/** What every task's outcome has. */
type RunOutcome = Pick<
  Parts,
  'version' | 'run' | 'startedAt' | 'durationMs' | 'model' | 'limits' | 'notices' | 'complete'
>;

/** The outcome of `review` or `fix-lint`, as `--format json` and `--out` write it. */
export interface Outcome
  extends RunOutcome,
    Pick<Parts, 'change' | 'findings' | 'rejected' | 'ledger'>,
    Pick<OutcomeFile, 'shard' | 'elsewhere'> {
  readonly task: 'review' | 'fix-lint';
}

/** The outcome of `fix-lint`: what is left as findings, and the edits. */
export interface FixOutcome
  extends Outcome,
    Pick<Parts, 'linters' | 'edits' | 'diagnostics'>,
    Pick<OutcomeFile, 'branch'> {
  readonly task: 'fix-lint';
}

/** The outcome of `ask`. */
export interface AnswerOutcome extends RunOutcome, Pick<Parts, 'answer'> {
  readonly task: 'ask';
}

/** The outcome of `describe`. */
export interface DescriptionOutcome
  extends RunOutcome,
    Pick<Parts, 'change' | 'description' | 'ledger'> {
  readonly task: 'describe';
}

export type AnyOutcome = Outcome | AnswerOutcome | DescriptionOutcome;
