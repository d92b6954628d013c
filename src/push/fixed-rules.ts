import type { FixedEdit } from './fixed-outcome.js';

export interface FixedRule {
  readonly rule: string;
  readonly count: number;
  /** `3 by the linter, 1 by the model` */
  readonly hands: string;
}

const BY: Readonly<Record<FixedEdit['by'], string>> = {
  linter: 'the linter',
  suggestion: 'a suggestion of the linter',
  model: 'the model',
};

/** What was kept, by rule, the most frequent first. */
export function fixedRules(edits: readonly FixedEdit[]): FixedRule[] {
  const rules = new Map<string, Map<FixedEdit['by'], number>>();
  for (const { status, diagnostic, by } of edits) {
    if (status !== 'kept') continue;
    const hands = rules.get(diagnostic.rule) ?? new Map<FixedEdit['by'], number>();
    rules.set(diagnostic.rule, hands.set(by, (hands.get(by) ?? 0) + 1));
  }
  return [...rules]
    .map(([rule, hands]) => ({
      rule,
      count: [...hands.values()].reduce((sum, each) => sum + each, 0),
      hands: [...hands].map(([by, amount]) => `${amount} by ${BY[by]}`).join(', '),
    }))
    .sort((one, other) => other.count - one.count);
}
