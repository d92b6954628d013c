import type { ModelUse } from './outcome.js';

const COUNTED = [
  'requests',
  'promptTokens',
  'completionTokens',
  'repairs',
  'retries',
  'refusals',
] as const;

/** What several runners used, summed; the facts are those of the first that had a model. */
export function mergeModelUse(uses: readonly ModelUse[]): ModelUse {
  const [first] = uses;
  const facts = uses.find(use => use.available) ?? first;
  if (facts === undefined) throw new Error('there is no model use to merge');
  return COUNTED.reduce(
    (merged, name) => ({ ...merged, [name]: uses.reduce((sum, use) => sum + use[name], 0) }),
    facts,
  );
}
