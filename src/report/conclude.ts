import type { Bound } from '../agent/question.js';
import { formatDuration } from '../core/deadline.js';
import type { LimitUse, ModelUse, TaskName, UsedProtocol } from '../core/outcome.js';
import type { ModelFacts, ModelTotals } from '../model/model.js';
import type { Clock } from '../platform/clock.js';
import { redactValue } from '../secrets/redact.js';

/** What every run reports, whatever its task. */
interface RunEnd<Task extends TaskName> {
  readonly task: Task;
  readonly run: string;
  readonly startedAt: number;
  /** The model that was available, or why there was none. */
  readonly model:
    | { readonly facts: ModelFacts; usage(): ModelTotals }
    | { readonly reason: string };
  readonly conversations: {
    readonly repairs: number;
    readonly refusals: number;
    /** Retries of the conversations, on top of those of the client. */
    readonly retries?: number;
    /** Empty if nothing was asked. */
    readonly protocol: UsedProtocol;
  };
  readonly deadline: { readonly ms: number; readonly isHit: boolean };
  /** Other limits that were hit. */
  readonly limits?: readonly LimitUse[];
  readonly notices: readonly string[];
  readonly complete: boolean;
}

/**
 * Builds an outcome: `body` has the fields of the task. Secrets are masked in all of it, including
 * file names, because everything that is printed, noted or posted is made from an outcome.
 */
export const concludeRun = <Task extends TaskName, Body extends object>(
  end: RunEnd<Task>,
  body: Body,
  clock: Clock,
) => ({
  version: 1 as const,
  run: end.run,
  task: end.task,
  startedAt: clock.stamp(end.startedAt),
  durationMs: clock.now() - end.startedAt,
  ...redactValue(body),
  model: modelUse(end),
  limits: [
    { limit: 'deadline', value: formatDuration(end.deadline.ms), hit: end.deadline.isHit },
    ...(end.limits ?? []),
  ],
  notices: redactValue(end.notices),
  complete: end.complete,
});

/** The limits that conversations hit, with their values. */
export const hitLimits = (
  hit: Iterable<Bound>,
  values: Readonly<Record<Bound, number>>,
): LimitUse[] => [...hit].map(limit => ({ limit, value: String(values[limit]), hit: true }));

function modelUse({ model, conversations }: RunEnd<TaskName>): ModelUse {
  const { repairs, refusals, retries = 0, protocol } = conversations;
  if ('reason' in model) {
    const nothing = { requests: 0, promptTokens: 0, completionTokens: 0, retries };
    return { available: false, reason: model.reason, ...nothing, repairs, refusals };
  }
  const { name, baseUrl, contextWindow } = model.facts;
  const totals = model.usage();
  return {
    available: true,
    name,
    baseUrl,
    contextWindow,
    ...(protocol !== '' && { protocol }),
    ...totals,
    repairs,
    retries: totals.retries + retries,
    refusals,
  };
}
