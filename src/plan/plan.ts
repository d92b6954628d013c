import type { ChangeSummary } from '../core/outcome.js';
import type { Survey, SurveyedHunk } from '../core/survey.js';

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
  readonly notices: readonly string[];
  readonly isCut: boolean;
}

/** Survey → WorkPlan. Pure: cuts the change into bites of the model's size and asks nobody. */
export function plan(survey: Survey, biteTokens: number): WorkPlan {
  let bite = 0;
  let left = 0;
  const place = (hunk: SurveyedHunk): PlannedHunk => {
    const item = { path: hunk.path, hunk: hunk.number, tokens: hunk.tokens };
    if (hunk.broken !== undefined) {
      return { ...item, state: 'failed', reason: hunk.broken, bite: null };
    }
    if (hunk.skip !== undefined) {
      return { ...item, state: 'skipped', reason: hunk.skip, bite: null };
    }
    if (bite === 0 || hunk.tokens > left) [bite, left] = [bite + 1, biteTokens];
    left -= hunk.tokens;
    return { ...item, state: 'planned', reason: '', bite };
  };
  const items = survey.hunks.map(place);
  if (!survey.isCut) return { ...survey, items };
  // How much was not read nobody knows; it counts as one, so that it is seen.
  const { change } = survey;
  return {
    ...survey,
    change: { ...change, hunks: change.hunks + 1 },
    items: [...items, unread(survey)],
  };
}

function unread(survey: Survey): PlannedHunk {
  const last = survey.hunks.at(-1);
  return {
    path: last?.path ?? '',
    hunk: (last?.number ?? 0) + 1,
    state: 'outOfTime',
    reason: 'the diff was not read beyond this point',
    bite: null,
    tokens: 0,
  };
}
