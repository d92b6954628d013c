import type { HunkText, Survey, SurveyedHunk } from '../checks/survey.js';
import type { FindingWithoutId } from '../core/finding.js';
import { groupBy } from '../core/group-by.js';
import { HunkMap } from '../core/ledger.js';
import type { ChangeSummary } from '../core/outcome.js';
import type { Clock } from '../platform/clock.js';
import { type CachedAnswer, restoreFindings } from './cache.js';
import { anchorLines, type Chunk, type ChunkPart, type PartResult } from './chunk.js';
import { type Piece, packChunks, splitHunk } from './split.js';

interface PlannedHunk {
  readonly path: string;
  readonly hunk: number;
  readonly state: 'planned' | 'skipped' | 'failed' | 'outOfTime';
  readonly reason: string;
  /** Which question it is part of, counted from 1; null when it is part of none. */
  readonly chunk: number | null;
  readonly tokens: number;
}

/** The work to do, as data: printed by `plan`, carried out by `review`. */
export interface WorkPlan {
  readonly change: ChangeSummary;
  readonly items: readonly PlannedHunk[];
  /** What to ask, most urgent first. */
  readonly chunks: readonly Chunk[];
  /** What is cached, with the answers. */
  readonly cached: readonly PartResult[];
  readonly notices: readonly string[];
  readonly isCut: boolean;
}

export interface PlanOptions {
  /** Tokens of diff that one question can hold. */
  readonly capacity: number;
  readonly lookUp: (part: ChunkPart) => CachedAnswer | undefined;
  /** The new files by blob, as lines; the lines around a hunk come from them. */
  readonly files?: ReadonlyMap<string, readonly string[]> | undefined;
  /** For a description: several files may share a question, and deleted files are shown too. */
  readonly mixesFiles?: boolean;
  readonly clock: Pick<Clock, 'yieldToEventLoop'>;
}

/** Survey → WorkPlan. Asks nothing: splits, packs and orders, and leaves out what is cached. */
export async function plan(
  survey: Survey,
  { capacity, lookUp, files, mixesFiles = false, clock }: PlanOptions,
): Promise<WorkPlan> {
  const candidates = groupBy(survey.candidates, ({ path }) => path);
  const cached: PartResult[] = [];
  const open: Piece[] = [];
  for (const hunk of survey.kept) {
    const risk = riskOf(hunk, candidates);
    for (const { part, tokens } of splitHunk(hunk, capacity, files?.get(hunk.blob ?? ''))) {
      await clock.yieldToEventLoop();
      if (!mixesFiles && !isAskedAbout(part)) continue;
      const answer = lookUp(part);
      if (answer === undefined) open.push({ part, tokens, risk });
      else
        cached.push({
          part,
          state: 'cached',
          reason: '',
          candidates: restoreFindings(part, answer),
          leftOut: answer.leftOut ?? [],
        });
    }
  }
  const chunks = await packChunks(open, capacity, clock, mixesFiles);
  await clock.yieldToEventLoop();
  const chunkOf = firstChunks(chunks);
  const items = survey.hunks.map(hunk => place(hunk, chunkOf));
  if (!survey.isCut) return { ...survey, items, chunks, cached };
  // How much wasn't read is unknown; it counts as one hunk, so that it shows.
  const change = { ...survey.change, hunks: survey.change.hunks + 1 };
  return { ...survey, change, items: [...items, unreadHunk(survey)], chunks, cached };
}

/**
 * Otherwise there is no line to put a finding on: the file was deleted, or nothing changed in it.
 */
const isAskedAbout = (part: ChunkPart): boolean =>
  anchorLines(part).size > 0 && part.lines.some(line => line.kind !== 'context');

/** Whether there is anything to ask, regardless of the model's window. */
export const hasQuestion = (kept: readonly HunkText[]): boolean =>
  kept.some(hunk =>
    [...splitHunk(hunk, Number.POSITIVE_INFINITY)].some(({ part }) => isAskedAbout(part)),
  );

/** Whether everything that would be asked is cached. */
export async function isAnswered(
  kept: readonly HunkText[],
  { capacity, lookUp, files, clock }: PlanOptions,
): Promise<boolean> {
  for (const hunk of kept) {
    for (const { part } of splitHunk(hunk, capacity, files?.get(hunk.blob ?? ''))) {
      await clock.yieldToEventLoop();
      if (isAskedAbout(part) && lookUp(part) === undefined) return false;
    }
  }
  return true;
}

/** A hunk that was split belongs to several chunks; the first one is named. */
function firstChunks(chunks: readonly Chunk[]): HunkMap<Chunk> {
  const found = new HunkMap<Chunk>();
  for (const chunk of chunks) {
    for (const { path, hunk } of chunk.parts) {
      if (found.get(path, hunk) === undefined) found.set(path, hunk, chunk);
    }
  }
  return found;
}

function place(hunk: SurveyedHunk, chunkOf: HunkMap<Chunk>): PlannedHunk {
  const { path, number, tokens, broken, skip } = hunk;
  const chunk = broken === undefined && skip === undefined ? chunkOf.get(path, number) : undefined;
  // No spread: there may be fifty thousand items.
  return {
    path,
    hunk: number,
    state: broken !== undefined ? 'failed' : skip !== undefined ? 'skipped' : 'planned',
    reason: broken ?? skip ?? '',
    chunk: chunk?.number ?? null,
    tokens,
  };
}

function unreadHunk(survey: Survey): PlannedHunk {
  const last = survey.hunks.at(-1);
  return {
    path: last?.path ?? '-',
    hunk: (last?.number ?? 0) + 1,
    state: 'outOfTime',
    reason: 'the diff was not read beyond this point',
    chunk: null,
    tokens: 0,
  };
}

/** Where a mistake is most expensive. */
const SENSITIVE =
  /auth|login|passw|secret|token|crypt|session|permission|access|sql|query|exec|spawn|eval|payment|billing|upload|sanitiz|escape|migrat|\.github\//i;
/** Where it is less expensive: tests, and least of all documents. */
const TESTS =
  /(^|\/)(tests?|__tests__|specs?|examples?|fixtures?)\/|[._-](test|spec)\.\w+$|Tests?\.\w+$/i;
/** Data and settings, but not workflows, which run. */
const SETTINGS =
  /^(?!.*\.github\/).*\.(jsonc?|json5|ya?ml|toml|ini|cfg|properties|xml|plist)$|(^|\/)\.husky\//i;
const DOCUMENTS = /(^|\/)docs?\/|\.(md|txt|rst|adoc|css|scss|svg|html)$/i;

/** How urgent a hunk is: what checks found in it, where it is, how much is new. */
export function riskOf(
  hunk: HunkText,
  candidates: ReadonlyMap<string, readonly FindingWithoutId[]>,
): number {
  const added = hunk.lines.filter(line => line.kind === 'added');
  const lines = new Set(added.map(line => line.newLine));
  const touched = (candidates.get(hunk.path) ?? []).filter(candidate =>
    lines.has(candidate.line),
  ).length;
  const place = SENSITIVE.test(hunk.path) ? 20 : 0;
  // Code comes before settings, then tests, then documents, whatever is in them.
  const calm = [SETTINGS, TESTS, DOCUMENTS].findLastIndex(kind => kind.test(hunk.path)) + 1;
  // Ten times as much new text raises the risk by one step.
  return 10 * Math.min(3, touched) + place - 100 * calm + 5 * Math.log10(1 + added.length);
}

/** The smallest window of any supported system (macOS 26), until a server reports its own. */
const MIN_WINDOW = 4096;
/** What apfel reserves for the answer. */
const OUTPUT_RESERVE = 512;
/**
 * Estimated size of the question, its schema and the file name; `npm run bench -- time` prints it.
 */
const QUESTION = 420;
/** A window smaller than this holds no question at all; chunks aren't cut smaller. */
const MIN_CAPACITY = 150;

/**
 * How many tokens of diff fit in one question; `scale` is the ratio of the server's counts to our
 * estimates.
 */
export const chunkCapacity = (contextWindow = MIN_WINDOW, scale = 1): number =>
  Math.max(
    MIN_CAPACITY,
    Math.floor((contextWindow - OUTPUT_RESERVE) / Math.max(1, scale)) - QUESTION,
  );
