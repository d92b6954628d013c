import { sampleTokens } from '../calibrate/measure.js';
import { isBotError } from '../core/bot-error.js';
import { parseJson } from '../core/json-fields.js';
import { checkAddress, defaultBaseUrl, field, isLoopback } from '../model/address.js';
import { type ProtocolName, recall, remember } from '../model/calibration.js';
import { openTiming, type Timing } from '../model/client.js';
import { findModel } from '../model/find.js';
import { type Model, mayRunTools } from '../model/model.js';
import { askHealth, probe } from '../model/probe.js';
import type { Environment } from '../platform/processes.js';
import { type Bound, bounded } from '../platform/run-program.js';
import { oneLine } from '../platform/safe-text.js';
import { openUserCache } from '../platform/user-cache.js';
import type { DoctorFacts, ModelFact, ServerFact } from './facts.js';

interface ModelContext extends ServerContext {
  readonly modelName: string | undefined;
  readonly contextWindow: number | undefined;
  readonly protocol: ProtocolName | 'auto';
}

type ModelFindings = Pick<DoctorFacts, 'model' | 'tokenShare'>;

/** The most time the other steps take on top of the model's. */
const MARGIN_MS = 500;

/**
 * Does what a review does first: finds the model, starting apfel if necessary, and asks it
 * something small. Saves apfel's token counts of our samples, to adjust the estimates.
 */
export function modelFindings(place: ModelContext, bound: Bound): Promise<ModelFindings> {
  const pace = openTiming(Date.now() + bound.ms);
  const late = { model: { kind: 'late', afterMs: bound.ms }, tokenShare: undefined } as const;
  return bounded<ModelFindings>(
    { ...bound, ms: bound.ms + MARGIN_MS },
    signal => findAndAsk(place, pace, signal),
    late,
  );
}

async function findAndAsk(
  place: ModelContext,
  pace: Timing,
  signal: AbortSignal,
): Promise<ModelFindings> {
  const requestTimeoutMs = Math.max(1, pace.remainingMs());
  const found = await findModel({ ...place, requestTimeoutMs, pace, signal });
  if (!found.available) {
    return { model: { kind: 'none', reason: found.reason }, tokenShare: undefined };
  }
  try {
    return await describe(found.model, { place, pace, signal });
  } finally {
    await found.model.close();
  }
}

interface AskContext {
  readonly place: ModelContext;
  readonly pace: Timing;
  readonly signal: AbortSignal;
}

async function describe(model: Model, given: AskContext): Promise<ModelFindings> {
  const cache = openUserCache(given.place.environment);
  const [languages, { schema, reply }] = await Promise.all([
    readLanguages(model.facts.baseUrl, given),
    askSmall(model, given.signal),
  ]);
  // Read after the question: a cold model doesn't report its window.
  const { facts } = model;
  const { picked } = await recall(facts, cache);
  const tokens = facts.isApfel
    ? await sampleTokens(given.place.environment, given.pace.remainingMs())
    : [];
  if (tokens.length > 0) await remember(facts, { tokens }, cache);
  const sum = (name: 'actual' | 'estimated'): number =>
    tokens.reduce((total, sample) => total + sample[name], 0);
  return {
    model: {
      kind: 'found',
      name: oneLine(facts.name),
      isApfel: facts.isApfel,
      contextWindow: facts.contextWindow,
      isWindowAssumed: facts.isWindowAssumed === true,
      mayRunTools: mayRunTools(facts),
      languages,
      schema,
      reply,
      calibrated: picked?.protocol,
    },
    tokenShare:
      tokens.length === 0 ? undefined : Math.round((100 * sum('actual')) / sum('estimated')),
  };
}

const MAX_LANGUAGES = 60;

async function readLanguages(
  baseUrl: string,
  { place, pace, signal }: AskContext,
): Promise<string[]> {
  const timeoutMs = pace.remainingMs();
  const { allowRemote, apiKey } = place;
  const root = baseUrl.replace(/\/v1$/, '');
  const answer = await askHealth(root, { timeoutMs, signal, allowRemote, apiKey });
  const body = answer.kind === 'answered' ? parseJson(answer.text) : undefined;
  const languages = field(body, 'supported_languages');
  return (Array.isArray(languages) ? languages : [])
    .filter(language => typeof language === 'string')
    .slice(0, MAX_LANGUAGES)
    .map(oneLine);
}

type FoundFact = Extract<ModelFact, { kind: 'found' }>;

/**
 * One tiny question answers two: does it reply, and under a schema? Plain text, as from an apfel
 * before 1.4.0, doesn't start with a brace.
 */
export async function askSmall(
  model: Model,
  signal: AbortSignal,
): Promise<Pick<FoundFact, 'schema' | 'reply'>> {
  const startedAt = performance.now();
  const guided = await model.ask({ ...QUESTION, schema: SCHEMA }, signal);
  // A server that doesn't support the field may answer without it.
  const reply = guided.kind === 'rejected' ? await model.ask(QUESTION, signal) : guided;
  const hasText = guided.kind === 'answer' && guided.text !== '';
  const isObject = hasText && guided.text.trimStart().startsWith('{');
  const ms = Math.round(performance.now() - startedAt);
  return {
    schema: hasText ? (isObject ? 'honoured' : 'ignored') : 'unknown',
    reply: 'usage' in reply ? { kind: 'answered', ms } : reply,
  };
}

const QUESTION = {
  system: 'Answer with one word.',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Is water wet?' }] }],
  maxTokens: 16,
  temperature: 0,
} as const;
const SCHEMA = {
  name: 'Probe',
  schema: { type: 'object', properties: { yes: { type: 'boolean' } }, required: ['yes'] },
};

interface ServerContext {
  /** By flag, environment or configuration. */
  readonly baseUrl: string | undefined;
  readonly environment: Environment;
  readonly apiKey: string | undefined;
  readonly allowRemote: boolean;
  readonly start: boolean;
  readonly isKept: boolean;
}

/** What answers at the address a review would use. Starts nothing and asks no model. */
export async function serverFact(place: ServerContext, bound: Bound): Promise<ServerFact> {
  const wanted = place.baseUrl ?? defaultBaseUrl(place.environment);
  try {
    const baseUrl = await checkAddress(wanted, place.allowRemote);
    const { allowRemote, apiKey } = place;
    const options = { timeoutMs: bound.ms, allowRemote, apiKey };
    const answer = await bounded(bound, signal => probe(baseUrl, { ...options, signal }), SILENT);
    const version = answer.kind === 'apfel' ? answer.health.version : undefined;
    return {
      kind: answer.kind,
      baseUrl,
      isNamed: place.baseUrl !== undefined,
      isLocal: isLocal(baseUrl),
      version: version === undefined ? undefined : oneLine(version),
      mayStart: place.start,
      isKept: place.isKept,
    };
  } catch (thrown) {
    if (!isBotError(thrown)) throw thrown;
    return { kind: 'refused', message: thrown.message, hint: thrown.hint };
  }
}

const SILENT = { kind: 'silent' } as const;

function isLocal(baseUrl: string): boolean {
  const name = new URL(baseUrl).hostname.replace(/^\[|\]$/g, '');
  return name === 'localhost' || isLoopback(name);
}
