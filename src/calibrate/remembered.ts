import type { ModelFacts } from '../core/model.js';
import type { PickedProtocol } from './pick-protocol.js';
import { type TrialResult, VERDICTS } from './trial.js';

/** What earlier calibrations of one model left behind. */
export interface Remembered {
  readonly trials: readonly TrialResult[];
  readonly picked: PickedProtocol | undefined;
  /** Our estimates beside the server's own counts of the same texts. */
  readonly tokens: readonly TokenSample[];
}

export interface TokenSample {
  readonly estimated: number;
  readonly actual: number;
}

export const NOTHING_REMEMBERED: Remembered = { trials: [], picked: undefined, tokens: [] };

/** To be raised when questions or judgement change: results of another experiment do not mix. */
const EXPERIMENT = 1;

/**
 * What a calibration is good for. The model comes with the operating system, so its version counts
 * as the server's does; a server that tells no version is known by its address.
 */
export function machineKey(facts: ModelFacts, system: string): string {
  const server = facts.isApfel ? `apfel ${facts.version ?? 'unknown'}` : facts.baseUrl;
  return [`experiment ${EXPERIMENT}`, system, server, facts.name].map(cut).join(' | ');
}

const cut = (text: string): string => text.slice(0, 200);

/** Reads an entry of the file as far as it makes sense: a damaged one costs time, nothing else. */
export function readRemembered(entry: unknown): Remembered {
  if (!isRecord(entry)) return NOTHING_REMEMBERED;
  return {
    trials: listOf(entry['trials'], isTrialResult),
    picked: isPicked(entry['picked']) ? entry['picked'] : undefined,
    tokens: listOf(entry['tokens'], isTokenSample),
  };
}

/** The pick to keep: a fuller measurement is not replaced by a sketchier one. */
export function betterFounded(
  known: PickedProtocol | undefined,
  found: PickedProtocol | undefined,
  isComplete: boolean,
): PickedProtocol | undefined {
  if (isComplete || known === undefined) return found;
  return found !== undefined && found.runs >= known.runs ? found : known;
}

function listOf<Item>(value: unknown, isItem: (item: unknown) => item is Item): Item[] {
  return Array.isArray(value) ? value.filter(isItem) : [];
}

const isTrialResult = (value: unknown): value is TrialResult =>
  isRecord(value) &&
  isVariant(value) &&
  isCount(value['seed']) &&
  isOneOf(value['verdict'], VERDICTS) &&
  isCount(value['ms']);

const isPicked = (value: unknown): value is PickedProtocol =>
  isRecord(value) &&
  isVariant({ ...value, prompt: 'directive' }) &&
  ['faithful', 'runs', 'ms'].every(name => isCount(value[name]));

const isTokenSample = (value: unknown): value is TokenSample =>
  isRecord(value) && isCount(value['estimated']) && isCount(value['actual']);

const isVariant = (value: Readonly<Record<string, unknown>>): boolean =>
  isOneOf(value['protocol'], ['guided', 'native', 'text']) &&
  isOneOf(value['prompt'], ['directive', 'neutral']) &&
  isOneOf(value['toolChoice'], [null, 'auto', 'required', 'named']);

const isOneOf = (value: unknown, choices: readonly unknown[]): boolean => choices.includes(value);

const isCount = (value: unknown): boolean =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
