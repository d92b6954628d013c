import type { MeasuredProtocol } from './measured-protocol.js';
import type { PromptName, Trial, Variant } from './trial.js';

const PROMPTS: readonly PromptName[] = ['directive', 'neutral'];

/** The lines of the table, in the order in which they are printed. */
export const variantsOf = (protocols: readonly MeasuredProtocol[]): Variant[] =>
  protocols.flatMap(({ name, toolChoices }) =>
    PROMPTS.flatMap(prompt =>
      [null, ...toolChoices].map(toolChoice => ({ protocol: name, toolChoice, prompt })),
    ),
  );

/**
 * All trials: one of each variant, then the next of each. Whenever the time is up, every variant has
 * been asked about as often and with the same seeds, and a machine that grows hot slows all alike.
 */
export function schedule(protocols: readonly MeasuredProtocol[], runs: number): Trial[] {
  const variants = variantsOf(protocols);
  const seeds = Array.from({ length: runs }, (_, at) => at + 1);
  return seeds.flatMap(seed => variants.map(variant => ({ ...variant, seed })));
}
