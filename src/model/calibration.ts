import { platform, release } from 'node:os';
import { isObject } from '../core/json-fields.js';
import type { UserCache } from '../platform/user-cache.js';
import { field } from './address.js';
import type { ModelFacts } from './model.js';
import { correctScale, type TokenScale, UNSCALED } from './tokens.js';

export type ProtocolName = 'guided' | 'native' | 'text';
/** How a tool is asked for, or which closed question of reviews and fixes is used. */
type PromptName = 'directive' | 'neutral' | ClosedName;
export const CLOSED = ['review', 'second look', 'fix'] as const;
export type ClosedName = (typeof CLOSED)[number];

export const isClosed = (prompt: PromptName): prompt is ClosedName =>
  CLOSED.some(name => name === prompt);

type ToolChoiceName = 'auto' | 'required' | 'named';

/** One line of the table. */
export interface Variant {
  readonly protocol: ProtocolName;
  /** Null: the field is not sent. */
  readonly toolChoice: ToolChoiceName | null;
  readonly prompt: PromptName;
}

/** One question to the model. The seed also decides which of the questions it is. */
export interface Trial extends Variant {
  readonly seed: number;
}

const VERDICTS = [
  /** The right answer; or one call, of the right tool, with exactly the arguments asked for. */
  'faithful',
  'other-arguments',
  'wrong-name',
  'refused',
  'no-call',
  /** An error of the server in place of an answer. */
  'failed',
] as const;

export type TrialVerdict = (typeof VERDICTS)[number];

export interface TrialResult extends Trial {
  readonly verdict: TrialVerdict;
  readonly ms: number;
}

const variantKey = ({ protocol, toolChoice, prompt }: Variant): string =>
  `${protocol} ${toolChoice ?? '-'} ${prompt}`;

export const trialKey = (trial: Trial): string => `${variantKey(trial)} ${trial.seed}`;

/** The results of earlier calibrations of one model. */
export interface Remembered {
  readonly trials: readonly TrialResult[];
  readonly picked: PickedProtocol | undefined;
  /** Our estimates next to the server's own counts of the same texts. */
  readonly tokens: readonly TokenSample[];
}

export interface TokenSample {
  readonly estimated: number;
  readonly actual: number;
}

export const NOTHING_REMEMBERED: Remembered = { trials: [], picked: undefined, tokens: [] };

/**
 * Increase it when the questions or the judgement change: results of different experiments don't
 * mix.
 */
const EXPERIMENT = 1;

/**
 * What a calibration is valid for. The model comes with the operating system, so the system's version
 * counts as well as the server's; a server that reports no version is identified by its address.
 */
export function machineKey(facts: ModelFacts, system: string): string {
  const server = facts.isApfel ? `apfel ${facts.version ?? 'unknown'}` : facts.baseUrl;
  return [`experiment ${EXPERIMENT}`, system, server, facts.name].map(cut).join(' | ');
}

const cut = (text: string): string => text.slice(0, 200);

/** Reads what is usable of an entry: a damaged one only costs time. */
export function readRemembered(entry: unknown): Remembered {
  if (!isObject(entry)) return NOTHING_REMEMBERED;
  return {
    trials: listOf(entry['trials'], isTrialResult),
    picked: isPicked(entry['picked']) ? entry['picked'] : undefined,
    tokens: listOf(entry['tokens'], isTokenSample),
  };
}

/** The pick to store: one with fewer runs doesn't replace one with more. */
export function betterFounded(
  known: PickedProtocol | undefined,
  found: PickedProtocol | undefined,
): PickedProtocol | undefined {
  return found !== undefined && found.runs >= (known?.runs ?? 0) ? found : known;
}

function listOf<Item>(value: unknown, isItem: (item: unknown) => item is Item): Item[] {
  return Array.isArray(value) ? value.filter(isItem) : [];
}

const isTrialResult = (value: unknown): value is TrialResult =>
  isObject(value) &&
  isVariant(value) &&
  isCount(value['seed']) &&
  isOneOf(value['verdict'], VERDICTS) &&
  isCount(value['ms']);

const isPicked = (value: unknown): value is PickedProtocol =>
  isObject(value) &&
  isVariant({ ...value, prompt: 'directive' }) &&
  ['faithful', 'runs', 'ms'].every(name => isCount(value[name]));

const isTokenSample = (value: unknown): value is TokenSample =>
  isObject(value) && isCount(value['estimated']) && isCount(value['actual']);

const isVariant = (value: Readonly<Record<string, unknown>>): boolean =>
  isOneOf(value['protocol'], ['guided', 'native', 'text']) &&
  isOneOf(value['prompt'], ['directive', 'neutral', ...CLOSED]) &&
  isOneOf(value['toolChoice'], [null, 'auto', 'required', 'named']);

const isOneOf = (value: unknown, choices: readonly unknown[]): boolean => choices.includes(value);

const isCount = (value: unknown): boolean =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;

export interface PickedProtocol {
  readonly protocol: ProtocolName;
  readonly toolChoice: ToolChoiceName | null;
  readonly faithful: number;
  readonly runs: number;
  readonly ms: number;
}

/** Best guarantee first, last resort last. */
const PREFERENCE: readonly ProtocolName[] = ['guided', 'native', 'text'];

/**
 * The best way to get a call out of this model, as measured with the prompt that names the tool, as
 * the agent's own prompts do. If the rates are too close to tell, the preferred protocol wins, then
 * the faster variant. Undefined if no way gave a single faithful call.
 */
export function pickProtocol(rows: readonly CalibrationRow[]): PickedProtocol | undefined {
  const candidates = usable(rows);
  const [best] = candidates;
  if (best === undefined) return undefined;
  const [picked = best] = candidates.filter(row => isAsGood(row, best)).sort(byPreference);
  const { protocol, toolChoice, faithful, runs, ms } = picked;
  return { protocol, toolChoice, faithful, runs, ms };
}

/** The rows that a pick can be made from, the best first. */
export const usable = (rows: readonly CalibrationRow[]): CalibrationRow[] =>
  rows
    .filter(
      ({ prompt, toolChoice, faithful }) =>
        // The agent can't name the next tool; the model has to choose it.
        prompt === 'directive' && toolChoice !== 'named' && faithful > 0,
    )
    .sort((one, other) => rate(other) - rate(one));

const rate = ({ faithful, runs }: CalibrationRow): number => faithful / runs;

/** Within one standard error of the difference: 13 of 15 against 14 of 15 says nothing. */
const isAsGood = (row: CalibrationRow, best: CalibrationRow): boolean =>
  rate(best) - rate(row) <= Math.sqrt(variance(row) + variance(best));

/** With one more run of each kind, so that 15 of 15 doesn't count as certainty. */
function variance({ faithful, runs }: CalibrationRow): number {
  const likely = (faithful + 1) / (runs + 2);
  return (likely * (1 - likely)) / runs;
}

const byPreference = (one: CalibrationRow, other: CalibrationRow): number =>
  PREFERENCE.indexOf(one.protocol) - PREFERENCE.indexOf(other.protocol) ||
  rate(other) - rate(one) ||
  one.ms - other.ms;

/** In the user's cache: what is known about each model that was measured here. */
const FILE = 'calibration.json';
/** Older ones are dropped. */
const MAX_MACHINES = 20;

export async function recall(facts: ModelFacts, cache: UserCache): Promise<Remembered> {
  return readRemembered((await readMachines(cache)).get(machineKey(facts, systemName())));
}

/** Changes the given fields and keeps the rest; false if it couldn't be written. */
export async function remember(
  facts: ModelFacts,
  changes: Partial<Remembered>,
  cache: UserCache,
): Promise<boolean> {
  const key = machineKey(facts, systemName());
  // Read again each time: another process may have written about another machine.
  const machines = await readMachines(cache);
  const entry = { ...readRemembered(machines.get(key)), ...changes };
  machines.delete(key);
  machines.set(key, entry);
  const newest = [...machines].slice(-MAX_MACHINES);
  return cache.write(FILE, { version: 1, machines: Object.fromEntries(newest) });
}

/** The ratio of this server's counts to our estimates, as measured. */
export const tokenScale = ({ tokens }: Remembered): TokenScale =>
  tokens.reduce(correctScale, UNSCALED);

async function readMachines(cache: UserCache): Promise<Map<string, unknown>> {
  const stored = await cache.read(FILE);
  const machines = field(stored, 'version') === 1 ? field(stored, 'machines') : undefined;
  return new Map(Object.entries(Object(machines ?? {})));
}

/** Without the patch version: security updates don't change the model. */
export const systemName = (): string =>
  `${platform()} ${release().split('.').slice(0, 2).join('.')}`;

/** One row of `calibrate --format json`. */
export interface CalibrationRow extends Variant {
  readonly runs: number;
  /** Replies with a call or an answer in them, right or wrong. */
  readonly calls: number;
  readonly faithful: number;
  readonly wrongName: number;
  readonly refused: number;
  /** On average; 0 when nothing was measured. */
  readonly ms: number;
}

export function tabulate(
  variants: readonly Variant[],
  results: readonly TrialResult[],
): CalibrationRow[] {
  const byVariant = new Map<string, TrialResult[]>(variants.map(each => [variantKey(each), []]));
  for (const result of results) byVariant.get(variantKey(result))?.push(result);
  return variants.map(variant => rowOf(variant, byVariant.get(variantKey(variant)) ?? []));
}

function rowOf(variant: Variant, results: readonly TrialResult[]): CalibrationRow {
  const count = (verdict: TrialResult['verdict']): number =>
    results.filter(result => result.verdict === verdict).length;
  const runs = results.length;
  const refused = count('refused');
  const totalMs = results.reduce((sum, { ms }) => sum + ms, 0);
  return {
    ...variant,
    runs,
    calls: runs - refused - count('no-call') - count('failed'),
    faithful: count('faithful'),
    wrongName: count('wrong-name'),
    refused,
    ms: runs === 0 ? 0 : Math.round(totalMs / runs),
  };
}
