import type { ModelUse } from './outcome.js';

/** What several runners used, summed; the facts are those of the first that had a model. */
export function mergeModelUse(uses: readonly ModelUse[]): ModelUse {
  const facts = uses.find(use => use.available) ?? uses[0];
  if (facts === undefined) throw new Error('there is no model use to merge');
  const sum = (value: (use: ModelUse) => number): number =>
    uses.reduce((total, use) => total + value(use), 0);
  return {
    ...facts,
    requests: sum(use => use.requests),
    promptTokens: sum(use => use.promptTokens),
    completionTokens: sum(use => use.completionTokens),
    repairs: sum(use => use.repairs),
    retries: sum(use => use.retries),
    refusals: sum(use => use.refusals),
  };
}
