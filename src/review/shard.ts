import type { Survey, SurveyedHunk } from '../checks/survey.js';
import { BotError } from '../core/bot-error.js';
import type { FindingWithoutId } from '../core/finding.js';
import { groupBy } from '../core/group-by.js';

export interface ShardedHunk extends Pick<SurveyedHunk, 'path' | 'number'> {
  /** Any measure of its work, as a whole number. */
  readonly size: number;
}

/** This runner's part, counted from 1. */
interface Shard {
  readonly index: number;
  readonly count: number;
}

/** Actions takes at most 256 jobs from one matrix. */
const MAX_SHARDS = 256;
/** The heaviest shard may be at most this many times the mean. */
const BALANCE = 1.15;

/**
 * The shard (from 1) of each hunk, in the given order. Depends on the hunks alone, so that runners
 * agree without communicating.
 */
export function shardOf(hunks: readonly ShardedHunk[], count: number): number[] {
  const shards: Load[] = Array.from({ length: count }, () => ({ weight: 0, members: [] }));
  for (const member of groupsOf(hunks, count).toSorted(heaviestFirst)) {
    const lightest = shards.reduce((best, shard) => (shard.weight < best.weight ? shard : best));
    lightest.members.push(member);
    lightest.weight += member.weight;
  }
  balance(shards);
  const places = new Array<number>(hunks.length).fill(1);
  for (const [index, shard] of shards.entries()) {
    for (const { hunks: own } of shard.members) for (const at of own) places[at] = index + 1;
  }
  return places;
}

/**
 * Each shard's share is split into at least this many groups, so that they can be spread evenly.
 */
const GROUPS = 8;

/** Hunks of one file that share questions stay together; a file with too many is split. */
function groupsOf(hunks: readonly ShardedHunk[], count: number): Member[] {
  const total = hunks.reduce((sum, { size }) => sum + Math.max(1, size), 0);
  const max = Math.ceil(total / count / GROUPS);
  const groups: Member[] = [];
  const open = new Map<string, Member>();
  for (const [at, hunk] of hunks.entries()) {
    const weight = Math.max(1, hunk.size);
    const group = open.get(hunk.path);
    if (group !== undefined && group.weight + weight <= max) {
      group.hunks.push(at);
      group.weight += weight;
      continue;
    }
    const fresh = { hunks: [at], hunk, weight };
    groups.push(fresh);
    open.set(hunk.path, fresh);
  }
  return groups;
}

interface Member {
  /** Indexes of its hunks. */
  readonly hunks: number[];
  /** The first of them. */
  readonly hunk: ShardedHunk;
  weight: number;
}

interface Load {
  weight: number;
  members: Member[];
}

const heaviestFirst = (one: Member, other: Member): number => {
  if (one.weight !== other.weight) return other.weight - one.weight;
  if (one.hunk.path !== other.hunk.path) return one.hunk.path < other.hunk.path ? -1 : 1;
  return one.hunk.number - other.hunk.number;
};

/** Exchanges to try; with many hunks none is needed, with few each try is quick. */
const MAX_EXCHANGES = 1000;

/** Assigning the heaviest groups first is seldom far off; where it is, hunks are exchanged. */
function balance(shards: readonly Load[]): void {
  const mean = shards.reduce((sum, shard) => sum + shard.weight, 0) / shards.length;
  for (let round = 0; round < MAX_EXCHANGES; round += 1) {
    const heaviest = shards.reduce((best, shard) => (shard.weight > best.weight ? shard : best));
    if (heaviest.weight <= mean * BALANCE || heaviest.members.length === 1) return;
    const exchange = bestExchange(heaviest, shards);
    if (exchange === undefined) return;
    carryOut(exchange, heaviest);
  }
}

interface Exchange {
  readonly other: Load;
  readonly given: Member;
  /** Undefined if nothing is moved back. */
  readonly taken: Member | undefined;
}

/** The exchange that makes the heavier of the two lightest, if any makes it lighter. */
function bestExchange(heaviest: Load, shards: readonly Load[]): Exchange | undefined {
  let best: Exchange | undefined;
  let least = heaviest.weight;
  for (const other of shards) {
    if (other === heaviest) continue;
    for (const given of heaviest.members) {
      for (const taken of [undefined, ...other.members]) {
        const moved = given.weight - (taken?.weight ?? 0);
        const after = Math.max(heaviest.weight - moved, other.weight + moved);
        if (moved > 0 && after < least) [best, least] = [{ other, given, taken }, after];
      }
    }
  }
  return best;
}

function carryOut({ other, given, taken }: Exchange, heaviest: Load): void {
  heaviest.members = heaviest.members.filter(member => member !== given);
  other.members = other.members.filter(member => member !== taken);
  other.members.push(given);
  if (taken !== undefined) heaviest.members.push(taken);
  const moved = given.weight - (taken?.weight ?? 0);
  heaviest.weight -= moved;
  other.weight += moved;
}

/** `--shard I/N`. */
export function parseShard(text: string): Shard {
  const shard = readShard(text);
  if (shard !== undefined) return shard;
  throw new BotError(
    'usage',
    `--shard must be I/N such as 1/8, with I from 1 to N and N at most ${MAX_SHARDS}, found ${JSON.stringify(text)}`,
    { hint: 'See: apfel-bot --help' },
  );
}

/** The same, but undefined instead of an error. */
export function readShard(text: string): Shard | undefined {
  const [, first, second] = /^(\d{1,3})\/(\d{1,3})$/.exec(text) ?? [];
  const [index, count] = [Number(first), Number(second)];
  return index >= 1 && index <= count && count <= MAX_SHARDS ? { index, count } : undefined;
}

/** `--shards N`. */
export function parseShardCount(text: string): number {
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= MAX_SHARDS) return count;
  throw new BotError(
    'usage',
    `--shards must be a whole number from 1 to ${MAX_SHARDS}, found ${JSON.stringify(text)}`,
    { hint: 'See: apfel-bot --help' },
  );
}

/** What `plan --shards N` prints for a workflow's matrix. */
export const shardMatrix = (count: number): { include: Array<{ shard: string }> } => ({
  include: Array.from({ length: count }, (_, at) => ({ shard: `${at + 1}/${count}` })),
});

/**
 * This runner's part of the change, with the summary of the whole. The hunks of other runners are
 * listed, so that those of a lost runner are known.
 */
export function takeShard(survey: Survey, shard: Shard) {
  const { hunks } = survey;
  const sized = hunks.map(hunk => ({ ...hunk, size: workOf(hunk) }));
  const places = shardOf(sized, shard.count);
  const own = new Set(hunks.filter((_, at) => places[at] === shard.index).map(keyOf));
  const hunksByPath = groupBy(hunks, ({ path }) => path);
  return {
    survey: {
      ...survey,
      hunks: hunks.filter(hunk => own.has(keyOf(hunk))),
      kept: survey.kept.filter(hunk => own.has(keyOf(hunk))),
      candidates: survey.candidates.filter(candidate => own.has(hunkOf(candidate, hunksByPath))),
    },
    elsewhere: hunks.flatMap(({ path, number }, at) =>
      places[at] === shard.index ? [] : [{ path, hunk: number, shard: places[at] ?? 1 }],
    ),
  };
}

/** The file name and the function header are shown with each hunk. */
const HEADER_LINES = 2;

/** The work that a hunk makes: the lines that the model is shown. Nothing else is asked about. */
const workOf = ({ skip, broken, added, removed, newLines }: SurveyedHunk): number =>
  skip !== undefined || broken !== undefined || added === 0 ? 1 : newLines + removed + HEADER_LINES;

const keyOf = ({ path, number }: { path: string; number: number }): string => `${path}\0${number}`;

/** The hunk that contains the line; findings about the whole file belong to its first hunk. */
function hunkOf(
  candidate: FindingWithoutId,
  hunksByPath: ReadonlyMap<string, readonly SurveyedHunk[]>,
): string {
  const hunks = hunksByPath.get(candidate.path) ?? [];
  const holds = ({ newStart, newLines }: SurveyedHunk): boolean =>
    candidate.line >= newStart && candidate.line < newStart + newLines;
  const hunk = hunks.find(holds) ?? hunks[0];
  return hunk === undefined ? '' : keyOf(hunk);
}
