import type { Ledger } from './ledger.js';
import type { ChangeSummary, LimitUse, ModelUse } from './outcome.js';

/** What `describe` found out: a review's outcome without findings. */
export interface DescriptionOutcome {
  readonly version: 1;
  readonly run: string;
  readonly task: 'describe';
  readonly startedAt: string;
  readonly durationMs: number;
  readonly change: ChangeSummary;
  readonly description: { readonly title: string; readonly body: string };
  readonly ledger: Ledger;
  readonly model: ModelUse;
  readonly limits: readonly LimitUse[];
  readonly notices: readonly string[];
  readonly complete: boolean;
}
