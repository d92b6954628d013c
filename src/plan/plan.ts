import { type CachedAnswer, restoreClaims } from '../core/answer-key.js';
import type { Bite, BitePart } from '../core/bite.js';
import type { Claim } from '../core/finding.js';
import type { ChangeSummary } from '../core/outcome.js';
import type { PartResult } from '../core/review-draft.js';
import type { Survey, SurveyedHunk } from '../core/survey.js';
import { packBites } from './pack-bites.js';
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
}

/** Survey → WorkPlan. Asks nobody: cuts, packs and orders, and leaves out what was answered before. */
export function plan(survey: Survey, { capacity, lookUp }: PlanWish): WorkPlan {
  const claims = byPath(survey.claims);
  const cached: PartResult[] = [];
  const open: Array<{ part: BitePart; risk: number }> = [];
  for (const hunk of survey.kept) {
    if (hunk.lines.every(line => line.kind !== 'added')) continue;
    const risk = riskOf(hunk, claims);
    for (const part of splitHunk(hunk, capacity)) {
      const answer = lookUp(part);
      if (answer === undefined) open.push({ part, risk });
      else cached.push({ part, state: 'cached', reason: '', claims: restoreClaims(part, answer) });
    }
  }
  const bites = packBites(open, capacity);
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

const hunkKey = (path: string, hunk: number): string => `${path}\0${hunk}`;

/** A hunk that was split belongs to several; its first is named. */
function firstBites(bites: readonly Bite[]): Map<string, Bite> {
  const found = new Map<string, Bite>();
  for (const bite of bites) {
    for (const { path, hunk } of bite.parts) {
      const key = hunkKey(path, hunk);
      if (!found.has(key)) found.set(key, bite);
    }
  }
  return found;
}

function place(hunk: SurveyedHunk, biteOf: ReadonlyMap<string, Bite>): PlannedHunk {
  const item = { path: hunk.path, hunk: hunk.number, tokens: hunk.tokens };
  if (hunk.broken !== undefined) {
    return { ...item, state: 'failed', reason: hunk.broken, bite: null };
  }
  if (hunk.skip !== undefined) {
    return { ...item, state: 'skipped', reason: hunk.skip, bite: null };
  }
  const bite = biteOf.get(hunkKey(hunk.path, hunk.number));
  return { ...item, state: 'planned', reason: '', bite: bite?.number ?? null };
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
