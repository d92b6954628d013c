import type { KeptHunk } from './bite.js';
import type { Claim } from './finding.js';
import type { ChangeSummary } from './outcome.js';

/** One hunk as the single pass over the diff saw it. */
export interface SurveyedHunk {
  readonly path: string;
  readonly number: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly added: number;
  readonly removed: number;
  /** Estimated size of its text for a model; 0 when nobody asked. */
  readonly tokens: number;
  /** Why nobody but the guards looked at it. */
  readonly skip: string | undefined;
  /** Why it could not be read to its end. */
  readonly broken: string | undefined;
}

/** `apfel-bot-ignore` lines of one file: line number → rules named there. */
export type Ignores = ReadonlyMap<number, readonly string[]>;

/** What checks found and what there is to review. */
export interface Survey {
  readonly change: ChangeSummary;
  readonly hunks: readonly SurveyedHunk[];
  readonly claims: readonly Claim[];
  readonly ignores: ReadonlyMap<string, Ignores>;
  readonly notices: readonly string[];
  /** Hunks with their text, for a model; empty when nobody will ask one. */
  readonly kept: readonly KeptHunk[];
  /** The time was up before the diff had been read to its end. */
  readonly isCut: boolean;
}
