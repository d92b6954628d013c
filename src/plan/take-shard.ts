import type { Claim } from '../core/finding.js';
import type { Survey, SurveyedHunk } from '../core/survey.js';
import { type Shard, shardOf } from './shard.js';

/** A hunk that another runner looks at; named so that a lost runner's hunks can be told. */
export interface ElsewhereHunk {
  readonly path: string;
  readonly hunk: number;
  readonly shard: number;
}

export interface ShardedSurvey {
  readonly survey: Survey;
  readonly elsewhere: readonly ElsewhereHunk[];
}

/** This runner's part of the change. The summary stays that of the whole. */
export function takeShard(survey: Survey, shard: Shard | undefined): ShardedSurvey {
  if (shard === undefined) return { survey, elsewhere: [] };
  const { hunks } = survey;
  const sized = hunks.map(hunk => ({ ...hunk, size: workOf(hunk) }));
  const places = shardOf(sized, shard.count);
  const own = new Set(hunks.filter((_, at) => places[at] === shard.index).map(keyOf));
  const homes = homesOf(hunks);
  return {
    survey: {
      ...survey,
      hunks: hunks.filter(hunk => own.has(keyOf(hunk))),
      kept: survey.kept.filter(hunk => own.has(keyOf(hunk))),
      claims: survey.claims.filter(claim => own.has(homeOf(claim, homes))),
    },
    elsewhere: hunks.flatMap(({ path, number }, at) =>
      places[at] === shard.index ? [] : [{ path, hunk: number, shard: places[at] ?? 1 }],
    ),
  };
}

/** The file's name and the function's header are shown with each hunk. */
const HEADER_LINES = 2;

/** What a hunk costs a runner: the lines that its model is shown. Nobody asks about the rest. */
const workOf = ({ skip, broken, added, removed, newLines }: SurveyedHunk): number =>
  skip !== undefined || broken !== undefined || added === 0 ? 1 : newLines + removed + HEADER_LINES;

const keyOf = ({ path, number }: { path: string; number: number }): string => `${path}\0${number}`;

function homesOf(hunks: readonly SurveyedHunk[]): Map<string, SurveyedHunk[]> {
  const homes = new Map<string, SurveyedHunk[]>();
  for (const hunk of hunks) homes.set(hunk.path, [...(homes.get(hunk.path) ?? []), hunk]);
  return homes;
}

/** The hunk that holds the line; what is said of the file as a whole goes with its first hunk. */
function homeOf(claim: Claim, homes: ReadonlyMap<string, readonly SurveyedHunk[]>): string {
  const hunks = homes.get(claim.path) ?? [];
  const holds = ({ newStart, newLines }: SurveyedHunk): boolean =>
    claim.line >= newStart && claim.line < newStart + newLines;
  const home = hunks.find(holds) ?? hunks[0];
  return home === undefined ? '' : keyOf(home);
}
