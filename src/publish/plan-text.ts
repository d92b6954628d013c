import { joinPieces } from '../core/json-pieces.js';
import { forTerminal, guardLineStart } from '../core/neutralise.js';
import type { ChangeSummary } from '../core/outcome.js';
import type { Clock } from '../world.js';
import { count } from './count.js';
import { jsonTextPieces } from './json-text.js';

export interface PrintedPlan {
  readonly change: ChangeSummary;
  readonly items: ReadonlyArray<{
    readonly path: string;
    readonly hunk: number;
    readonly state: string;
    readonly reason: string;
    readonly bite: number | null;
    readonly tokens: number;
  }>;
  readonly notices: readonly string[];
}

/** `plan` for people: a line for each hunk, then the sums. */
export function planText({ items, notices, change }: PrintedPlan): string {
  const rows = items.map(item => {
    const where = item.bite === null ? `${item.state}: ${item.reason}` : `question ${item.bite}`;
    return `${forTerminal(item.path)} hunk ${item.hunk}: ${forTerminal(where)}, about ${item.tokens} tokens`;
  });
  const questions = new Set(items.map(item => item.bite).filter(bite => bite !== null)).size;
  const skipped = items.filter(item => item.bite === null).length;
  const last = `${count(change.hunks, 'hunk')} in ${count(change.files, 'file')}: ${count(questions, 'question')} for the model, ${count(skipped, 'hunk')} left out`;
  return guardLineStart(
    [...rows, ...notices.map(notice => forTerminal(notice)), last, ''].join('\n'),
  );
}

/** `plan --format json`, as the contract has it. */
export const planJson = (
  { change, items }: PrintedPlan,
  { breathe }: Pick<Clock, 'breathe'>,
): Promise<string> => joinPieces(jsonTextPieces({ change, items }), breathe);
