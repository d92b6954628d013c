import { workOptions } from '../config/options.js';
import { BotError, isBotError } from '../core/bot-error.js';
import { type Finding, nameFindings, type Rejection } from '../core/finding.js';
import { parseBounded } from '../core/json-fields.js';
import { addLedgers, type Ledger, type LedgerItem, ledgerOf, totalOf } from '../core/ledger.js';
import type { LimitUse, ModelUse, Outcome } from '../core/outcome.js';
import { schemaProblems } from '../core/schema-problem.js';
import { type ParsedArguments, usage } from '../core/task.js';
import { validateOutcome } from '../generated/validate-outcome.js';
import { nodeClock } from '../platform/clock.js';
import { readText } from '../platform/files.js';
import { writeReport } from '../report/report.js';
import type { CommandEnd, Session } from '../session.js';
import { readShard } from './shard.js';

interface Part {
  readonly index: number;
  readonly count: number;
  readonly outcome: Outcome;
}

/** Outcomes of several shards → the outcome of the whole. Missing shards count as failed. */
export function mergeOutcomes(
  outcomes: readonly Outcome[],
  { run, notices }: { readonly run: string; readonly notices: readonly string[] },
): Outcome {
  const [first, ...others] = outcomes;
  if (first === undefined) throw mismatch('there is no outcome to merge');
  for (const other of others) mustBeOfOneChange(first, other);
  const parts = onePerShard(outcomes.map(toPart));
  const count = parts[0]?.count ?? 1;
  const lost = lostHunks(parts, count);
  const all = parts.map(part => part.outcome);
  const missing = missingShards(parts, count);
  const { shard: _shard, elsewhere: _elsewhere, ...whole } = first;
  return {
    ...whole,
    run,
    startedAt: all.map(each => each.startedAt).toSorted()[0] ?? first.startedAt,
    // The shards ran in parallel.
    durationMs: Math.max(...all.map(each => each.durationMs)),
    change: widest(all),
    findings: mergeFindings(all.flatMap(each => each.findings)),
    rejected: mergeRejected(all.flatMap(each => each.rejected)),
    ledger: mergeLedgers([...all.map(each => each.ledger), ledgerOf(lost)]),
    model: mergeModelUse(all.map(each => each.model)),
    limits: mergeLimits(all.flatMap(each => each.limits)),
    notices: [
      ...new Set([
        ...notices,
        ...missing.map(index => `the outcome of shard ${index}/${count} is missing`),
        ...noModelNotices(parts),
        ...all.flatMap(each => each.notices),
      ]),
    ],
    complete: missing.length === 0 && lost.length === 0 && all.every(each => each.complete),
  };
}

const mismatch = (message: string): BotError =>
  new BotError('usage', message, {
    hint: 'merge takes the outcomes of one `plan --shards N`: apfel-bot merge shard-*.json',
  });

function mustBeOfOneChange(one: Outcome, other: Outcome): void {
  const pairs = [
    ['task', one.task, other.task],
    ['base', one.change.base, other.change.base],
    ['head', one.change.head, other.change.head],
    ['repository', one.change.repository, other.change.repository],
    ['pull', one.change.pull, other.change.pull],
  ] as const;
  for (const [name, first, second] of pairs) {
    if (first !== second) {
      throw mismatch(`the outcomes are of different changes: ${name} is ${first} and ${second}`);
    }
  }
}

function toPart(outcome: Outcome): Part {
  return { ...(readShard(outcome.shard ?? '') ?? { index: 1, count: 1 }), outcome };
}

/** A restarted runner leaves two outcomes; the later one counts. */
function onePerShard(parts: readonly Part[]): Part[] {
  const byIndex = new Map<number, Part>();
  for (const part of parts) {
    const [known] = byIndex.values();
    if (known !== undefined && known.count !== part.count) {
      throw mismatch(`some outcomes are of ${known.count} shards, others of ${part.count}`);
    }
    const earlier = byIndex.get(part.index);
    if (earlier !== undefined && part.outcome.shard === undefined) {
      throw mismatch('two outcomes have no shard; only shards of one review can be merged');
    }
    if (earlier === undefined || earlier.outcome.startedAt <= part.outcome.startedAt) {
      byIndex.set(part.index, part);
    }
  }
  return [...byIndex.values()].toSorted((one, other) => one.index - other.index);
}

const missingShards = (parts: readonly Part[], count: number): number[] =>
  Array.from({ length: count }, (_, at) => at + 1).filter(
    index => !parts.some(part => part.index === index),
  );

/**
 * The hunks of a lost shard, as listed by another shard; otherwise as many as are unaccounted for.
 */
function lostHunks(parts: readonly Part[], count: number): LedgerItem[] {
  const missing = missingShards(parts, count);
  if (missing.length === 0) return [];
  const failed = (path: string, hunk: number, shard: string): LedgerItem => ({
    path,
    hunk,
    state: 'failed',
    reason: `shard ${shard} is missing`,
  });
  const known = parts.find(part => part.outcome.elsewhere !== undefined)?.outcome.elsewhere;
  if (known !== undefined) {
    return known
      .filter(({ shard }) => missing.includes(shard))
      .map(({ path, hunk, shard }) => failed(path, hunk, `${shard}/${count}`));
  }
  const accounted = parts.reduce((sum, { outcome }) => sum + totalOf(outcome.ledger), 0);
  const hunks = Math.max(...parts.map(({ outcome }) => outcome.change.hunks));
  const name = missing.map(index => `${index}/${count}`).join(', ');
  // At least one: a missing shard must show. At most a limit: the file may claim anything.
  const amount = Math.min(MAX_UNNAMED, Math.max(1, hunks - accounted));
  return Array.from({ length: amount }, (_, at) => failed('-', at + 1, name));
}

const MAX_UNNAMED = 10_000;

/** The same in all, unless a runner was stopped early. */
const widest = (outcomes: readonly Outcome[]): Outcome['change'] =>
  outcomes
    .map(each => each.change)
    .reduce((widest, change) => (change.hunks > widest.hunks ? change : widest));

/** The totals of files may be wrong. */
const mergeLedgers = (ledgers: readonly Ledger[]): Ledger =>
  ledgers.map(ledger => ({ ...ledger, total: totalOf(ledger) })).reduce(addLedgers);

function mergeLimits(limits: readonly LimitUse[]): LimitUse[] {
  const byName = new Map<string, LimitUse>();
  for (const each of limits) {
    const known = byName.get(each.limit);
    if (known === undefined || (each.hit && !known.hit)) byName.set(each.limit, each);
  }
  return [...byName.values()];
}

const noModelNotices = (parts: readonly Part[]): string[] =>
  parts.some(({ outcome }) => outcome.model.available)
    ? parts
        .filter(({ outcome }) => !outcome.model.available)
        .map(
          ({ index, count, outcome }) =>
            `shard ${index}/${count} had no model: ${outcome.model.reason ?? 'no reason given'}`,
        )
    : [];

/**
 * Checks cover the whole change in every shard, so most findings come several times. Ids are
 * computed again, because each shard counted equal anchors from the first.
 */
function mergeFindings(findings: readonly Finding[]): Finding[] {
  const distinct = new Map(findings.map(finding => [placeOf(finding), finding]));
  return nameFindings(
    [...distinct.values()].toSorted(byPlace).map(({ id: _id, ...candidate }) => candidate),
  );
}

const placeOf = ({ path, side, line, column, rule, evidence }: Finding): string =>
  JSON.stringify([path, side, line, column, rule, evidence]);

const byPlace = (one: Finding, other: Finding): number => {
  if (one.path !== other.path) return one.path < other.path ? -1 : 1;
  return one.line - other.line || (one.column ?? 0) - (other.column ?? 0);
};

function mergeRejected(rejected: readonly Rejection[]): Rejection[] {
  const distinct = new Map(
    rejected.map(each => [JSON.stringify([each.reason, placeOf(each.finding)]), each]),
  );
  return [...distinct.values()];
}

/** The sum of what several runners used; the facts are from the first that had a model. */
function mergeModelUse(uses: readonly ModelUse[]): ModelUse {
  const facts = uses.find(use => use.available) ?? uses[0];
  if (facts === undefined) throw new Error('no model use to merge');
  const sum = (value: (use: ModelUse) => number): number =>
    uses.reduce((total, use) => total + value(use), 0);
  return {
    ...facts,
    requests: sum(use => use.requests),
    promptTokens: sum(use => use.promptTokens),
    completionTokens: sum(use => use.completionTokens),
    repairs: sum(use => use.repairs),
    retries: sum(use => use.retries),
    refusals: sum(use => use.refusals),
  };
}

/** `merge F…`: several outcomes in, one out. Needs neither a repository nor a model. */
export async function merge(parsed: ParsedArguments, session: Session): Promise<CommandEnd> {
  const options = workOptions({ ...parsed, paths: [] });
  const names = [...parsed.positionals, ...parsed.paths];
  if (names.length === 0) throw usage('merge needs files: apfel-bot merge shard-*.json');
  const outcomes: Outcome[] = [];
  const problems: string[] = [];
  for (const name of names) {
    const read = await readOutcome(name);
    if (typeof read === 'string') problems.push(read);
    else outcomes.push(read);
  }
  // A file that a runner couldn't finish is a lost shard; without any other there is no review.
  if (outcomes.length === 0) {
    throw new BotError('usage', `there is no outcome to merge: ${problems.join('; ')}`, {
      hint: 'Name the files that review --shard I/N --out FILE wrote',
    });
  }
  const outcome = mergeOutcomes(outcomes, { run: nodeClock.runId(), notices: problems });
  const { color, columns, version } = session;
  const request = { ...options, failOn: options.failOn ?? 'error', color, columns, version };
  return writeReport(outcome, request, nodeClock);
}

/** The outcome, or why there is none. */
async function readOutcome(name: string): Promise<Outcome | string> {
  let value: unknown;
  try {
    const text = await readText(name);
    if (text === undefined) return `${name} doesn't exist`;
    value = parseBounded(text);
  } catch (thrown) {
    // A folder or an unreadable file is a lost shard like any other.
    return isBotError(thrown) ? thrown.message : `${name} isn't valid JSON`;
  }
  const [problem] = schemaProblems(validateOutcome(value));
  if (problem !== undefined) return `${name} isn't an outcome: ${problem}`;
  // The schema has just validated the shape.
  const outcome = value as Outcome;
  if (outcome.task !== 'review')
    throw usage(`${name} is an outcome of ${outcome.task}; merge takes reviews`);
  if (outcome.shard !== undefined && readShard(outcome.shard) === undefined) {
    return `${name} isn't an outcome: shard: must be I/N, found ${JSON.stringify(outcome.shard)}`;
  }
  return outcome;
}
