import { type CachedAnswer, restoreClaims } from '../core/answer-key.js';
import type { Bite, BitePart } from '../core/bite.js';
import type { Claim } from '../core/finding.js';
import { HunkMap } from '../core/hunk-map.js';
import type { ChangeSummary } from '../core/outcome.js';
import type { PartResult } from '../core/review-draft.js';
import type { Survey, SurveyedHunk } from '../core/survey.js';
import type { Clock } from '../world.js';
import { type Piece, packBites } from './pack-bites.js';
import { riskOf } from './risk.js';
import { splitHunk } from './split-hunk.js';

export interface PlannedHunk {
  readonly path: string;
  readonly hunk: number;
  readonly state: 'planned' | 'skipped' | 'failed' | 'outOfTime';
  readonly reason: string;
  /** Which question it is part of, counted from 1; null when it is part of none. */
  readonly bite: number | null;
  readonly tokens: number;
}

/** What would be done, as a value: printed by `plan`, carried out by `review`. */
export interface WorkPlan {
  readonly change: ChangeSummary;
  readonly items: readonly PlannedHunk[];
  /** What to ask, the most urgent first. */
  readonly bites: readonly Bite[];
  /** What was asked before, with its answers. */
  readonly cached: readonly PartResult[];
  readonly notices: readonly string[];
  readonly isCut: boolean;
}

export interface PlanWish {
  /** Tokens of diff that one question can hold. */
  readonly capacity: number;
  readonly lookUp: (part: BitePart) => CachedAnswer | undefined;
  readonly clock: Pick<Clock, 'breathe'>;
}

/** Survey → WorkPlan. Asks nobody: cuts, packs and orders, and leaves out what was answered before. */
export async function plan(
  survey: Survey,
  { capacity, lookUp, clock }: PlanWish,
): Promise<WorkPlan> {
  const claims = byPath(survey.claims);
  const cached: PartResult[] = [];
  const open: Piece[] = [];
  for (const hunk of survey.kept) {
    if (hunk.lines.every(line => line.kind !== 'added')) continue;
    const risk = riskOf(hunk, claims);
    for (const { part, tokens } of splitHunk(hunk, capacity)) {
      await clock.breathe();
      const answer = lookUp(part);
      if (answer === undefined) open.push({ part, tokens, risk });
      else cached.push({ part, state: 'cached', reason: '', claims: restoreClaims(part, answer) });
    }
  }
  const bites = await packBites(open, capacity, clock);
  await clock.breathe();
  const biteOf = firstBites(bites);
  const items = survey.hunks.map(hunk => place(hunk, biteOf));
  if (!survey.isCut) return { ...survey, items, bites, cached };
  // How much was not read nobody knows; it counts as one, so that it is seen.
  const change = { ...survey.change, hunks: survey.change.hunks + 1 };
  return { ...survey, change, items: [...items, unread(survey)], bites, cached };
}

function byPath(claims: readonly Claim[]): Map<string, Claim[]> {
  const found = new Map<string, Claim[]>();
  for (const claim of claims) {
    const known = found.get(claim.path);
    if (known === undefined) found.set(claim.path, [claim]);
    else known.push(claim);
  }
  return found;
}

/** A hunk that was split belongs to several; its first is named. */
function firstBites(bites: readonly Bite[]): HunkMap<Bite> {
  const found = new HunkMap<Bite>();
  for (const bite of bites) {
    for (const { path, hunk } of bite.parts) {
      if (found.get(path, hunk) === undefined) found.set(path, hunk, bite);
    }
  }
  return found;
}

function place(hunk: SurveyedHunk, biteOf: HunkMap<Bite>): PlannedHunk {
  const { path, number, tokens, broken, skip } = hunk;
  const bite = broken === undefined && skip === undefined ? biteOf.get(path, number) : undefined;
  // Written out, not spread: there may be fifty thousand of them.
  return {
    path,
    hunk: number,
    state: broken !== undefined ? 'failed' : skip !== undefined ? 'skipped' : 'planned',
    reason: broken ?? skip ?? '',
    bite: bite?.number ?? null,
    tokens,
  };
}

function unread(survey: Survey): PlannedHunk {
  const last = survey.hunks.at(-1);
  return {
    path: last?.path ?? '-',
    hunk: (last?.number ?? 0) + 1,
    state: 'outOfTime',
    reason: 'the diff was not read beyond this point',
    bite: null,
    tokens: 0,
  };
}
