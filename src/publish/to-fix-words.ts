import type { Outcome } from '../core/outcome.js';
import { count } from './count.js';
import type { FixEdit, FixOutcome } from './to-fix-outcome.js';

/** What every form of the report says of the fixes. Notes of such a run have no edits in them. */
export const isFix = (outcome: Outcome): outcome is FixOutcome =>
  outcome.task === 'fix-lint' && 'edits' in outcome && 'diagnostics' in outcome;

export function fixVerdict({ diagnostics, complete }: FixOutcome): string {
  const { before, after, fixed } = diagnostics;
  const state = complete ? '' : 'incomplete · ';
  if (before === 0) return `${state}nothing to fix`;
  return `${state}${fixed} of ${count(before, 'diagnostic')} fixed, ${after} left`;
}

const BY: Readonly<Record<FixEdit['by'], string>> = {
  linter: 'the linter',
  suggestion: 'a suggestion',
  model: 'the model',
};

/** `semi: 3 by the linter, 1 by the model`, the most frequent rule first. */
export function fixedRows({ edits }: FixOutcome): string[] {
  const rules = new Map<string, Map<FixEdit['by'], number>>();
  for (const { status, diagnostic, by } of edits) {
    if (status !== 'kept') continue;
    const hands = rules.get(diagnostic.rule) ?? new Map<FixEdit['by'], number>();
    rules.set(diagnostic.rule, hands.set(by, (hands.get(by) ?? 0) + 1));
  }
  const total = (hands: Map<FixEdit['by'], number>): number =>
    [...hands.values()].reduce((sum, each) => sum + each, 0);
  return [...rules]
    .sort(([, one], [, other]) => total(other) - total(one))
    .map(([rule, hands]) => {
      const parts = [...hands].map(([by, amount]) => `${amount} by ${BY[by]}`);
      return `${rule}: ${parts.join(', ')}`;
    });
}

/** The command that shows the fixes. */
export const whereFixed = ({ branch }: FixOutcome): string[] =>
  branch === undefined ? [] : [`git diff ${branch.base.slice(0, 12)} ${branch.name}`];
