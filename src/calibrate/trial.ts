export type ProtocolName = 'guided' | 'native' | 'text';
export type PromptName = 'directive' | 'neutral';
export type ToolChoiceName = 'auto' | 'required' | 'named';

/** One line of the table. */
export interface Variant {
  readonly protocol: ProtocolName;
  /** Null: the field is not sent. */
  readonly toolChoice: ToolChoiceName | null;
  readonly prompt: PromptName;
}

/** One question to the model. The seed also decides which of the questions it is. */
export interface Trial extends Variant {
  readonly seed: number;
}

export const VERDICTS = [
  /** One call, of the right tool, with exactly the arguments asked for; nothing was mended. */
  'faithful',
  'other-arguments',
  'wrong-name',
  'refused',
  'no-call',
] as const;

export type Verdict = (typeof VERDICTS)[number];

export interface TrialResult extends Trial {
  readonly verdict: Verdict;
  readonly ms: number;
}

export const variantKey = ({ protocol, toolChoice, prompt }: Variant): string =>
  `${protocol} ${toolChoice ?? '-'} ${prompt}`;

export const trialKey = (trial: Trial): string => `${variantKey(trial)} ${trial.seed}`;
