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

/** What bounds a conversation beside its time. */
export type Bound = 'turns' | 'requests' | 'tokens';

/** What the model's part of a review has brought. */
export interface ReviewDraft {
  readonly parts: readonly PartResult[];
  readonly rejected: readonly RejectedClaim[];
  readonly repairs: number;
  readonly refusals: number;
  readonly protocol: string;
  /** The bounds that a conversation ran into, its time apart. */
  readonly limits: readonly Bound[];
  /** For people: what was cut or left out on the way. */
  readonly notices?: readonly string[];
}

/** The model's part of a review, as the flow sees it; loaded only when there is a model to ask. */
export interface ReviewAgent {
  readonly facts: ModelFacts;
  /** How far the server counts tokens above our estimates, where that was measured; else 1. */
  readonly tokenScale: number;
  /** Names the questions put to a part, so that their answers can be found again. */
  questionsFor(part: BitePart): string;
  review(bites: readonly Bite[], ears: ReviewEars): Promise<ReviewDraft>;
  /** Asks for a better text of the file around a finding. */
  mend(wish: MendWish): Promise<Mended>;
  usage(): ModelTotals;
  close(): Promise<void>;
}

/** Who hears of a review while it goes on. */
export interface ReviewEars {
  /** How far it is. */
  tell(text: string): void;
  /** What became of some parts, as soon as it is known: whatever happens later, that stands. */
  settled(parts: readonly PartResult[]): void;
}

export interface MendWish {
  readonly finding: Claim;
  /** The part that the finding is in. */
  readonly part: BitePart;
  /** The file as reviewed. */
  readonly text: string;
  /** Undefined when nothing speaks against the text; else why not, in words a model can act on. */
  judge(after: string): Promise<string | undefined>;
}

export interface Mended {
  /** The whole file; undefined when nothing was proposed that the judge let pass. */
  readonly after: string | undefined;
  /** Proposals that the judge turned down. */
  readonly rejected: number;
  /** Whether the model was asked to the end, so that asking again would bring nothing new. */
  readonly isAnswered: boolean;
}

/** Where a proposed text is tried: the files as reviewed, and linters that may be run on them. */
export interface ProofRoom {
  /** The file as reviewed; undefined when no linter could judge another text of it. */
  text(path: string): Promise<string | undefined>;
  /** Undefined when the linters say no more than before; else what they say. */
  judge(path: string, after: string): Promise<string | undefined>;
  close(): Promise<void>;
}

export interface ProofWish {
  readonly base: string | null;
  readonly head: string;
  readonly paths: readonly string[];
  /** So long it may be used. */
  readonly forMs: number;
}

/** No room where no linter is configured for the files, or none may be run; the notices say why. */
export interface FoundProofRoom {
  readonly room: ProofRoom | undefined;
  readonly notices: readonly string[];
}

export type OpenProofRoom = (wish: ProofWish) => Promise<FoundProofRoom>;

export type FoundAgent =
  | { readonly available: true; readonly agent: ReviewAgent }
  | { readonly available: false; readonly reason: string };
