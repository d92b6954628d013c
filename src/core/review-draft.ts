import type { Bite, BitePart } from './bite.js';
import type { Claim } from './finding.js';
import type { HunkState } from './ledger.js';
import type { ModelFacts, ModelTotals } from './model.js';

/** What became of one part of a hunk, and what is claimed about it. */
export interface PartResult {
  readonly part: BitePart;
  readonly state: HunkState;
  readonly reason: string;
  readonly claims: readonly Claim[];
}

export interface RejectedClaim {
  readonly reason: string;
  readonly claim: Claim;
}

/** What the model's part of a review has brought. */
export interface ReviewDraft {
  readonly parts: readonly PartResult[];
  readonly rejected: readonly RejectedClaim[];
  readonly repairs: number;
  readonly refusals: number;
  readonly protocol: string;
}

/** The model's part of a review, as the flow sees it; loaded only when there is a model to ask. */
export interface ReviewAgent {
  readonly facts: ModelFacts;
  /** Names the questions put to a part, so that their answers can be found again. */
  questionsFor(part: BitePart): string;
  /** `tell` hears how far it is. */
  review(bites: readonly Bite[], tell: (text: string) => void): Promise<ReviewDraft>;
  usage(): ModelTotals;
  close(): Promise<void>;
}

export type FoundAgent =
  | { readonly available: true; readonly agent: ReviewAgent }
  | { readonly available: false; readonly reason: string };
