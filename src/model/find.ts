import { parseJson } from '../core/json-fields.js';
import type { Environment } from '../platform/processes.js';
import { oneLine } from '../platform/safe-text.js';
import { checkAddress, countIn, defaultBaseUrl, field, textIn } from './address.js';
import { askModelInfo, explainState, findApfel, withoutApfel } from './apfel-program.js';
import type { Endpoint } from './attempt.js';
import type { ProtocolName } from './calibration.js';
import { openModel, type ServerKeeper, type Timing } from './client.js';
import type { KeptServer } from './kept-server.js';
import { type FoundModel, type Model, type ModelFacts, mayRunTools } from './model.js';
import {
  type Answer,
  get,
  type Health,
  isPortClosed,
  type ProbeOptions,
  probe,
  readHealth,
} from './probe.js';
import { keepServer, type StartOptions, startApfel } from './start.js';

export interface FindModelOptions {
  /** Set by the user: then no other server is tried. */
  readonly baseUrl: string | undefined;
  readonly modelName: string | undefined;
  readonly apiKey: string | undefined;
  readonly allowRemote: boolean;
  /** Whether apfel may be started when nothing answers. */
  readonly start: boolean;
  /** For servers that don't report theirs; it can only lower what apfel reports. */
  readonly contextWindow: number | undefined;
  /** Set by the user; without one, whichever works. */
  readonly protocol?: ProtocolName | 'auto' | undefined;
  /**
   * How long a server that we start stays for the next run; if undefined, it ends with this one.
   */
  readonly keepAliveMs?: number | undefined;
  readonly requestTimeoutMs: number;
  readonly environment: Environment;
  readonly pace: Timing;
  readonly signal: AbortSignal;
  /**
   * Whether nothing would be asked of this model: then apfel isn't started before the first
   * question. If given, what a started apfel reports about its model is remembered for the next
   * run.
   */
  readonly isAnswered?: ((model: Model) => Promise<boolean>) | undefined;
  /** Called with the host of every request. */
  readonly onContact?: ((host: string) => void) | undefined;
}

/** `/health` takes milliseconds; a machine under load gets a second, longer try. */
const PROBE_MS = 500;
const SECOND_PROBE_MS = 1500;
const MODEL_INFO_MS = 10_000;
/** The window on the first systems with this model; used when a server doesn't report one. */
const DEFAULT_WINDOW = 4096;

/** Finds the model to use, or returns a one-line reason why there is none. */
export async function findModel(options: FindModelOptions): Promise<FoundModel> {
  const wanted = options.baseUrl ?? defaultBaseUrl(options.environment);
  const baseUrl = await checkAddress(wanted, options.allowRemote);
  const endpoint = { baseUrl, apiKey: options.apiKey };
  const answer = await probeTwice(baseUrl, options);
  switch (answer.kind) {
    case 'apfel':
      return useApfel({ endpoint, health: answer.health }, options);
    case 'ollama':
    case 'other':
      if (options.baseUrl !== undefined) return useOther(endpoint, options);
      return useOwn(baseUrl, options, notApfel(baseUrl, answer.kind));
    case 'nothing':
    case 'silent':
      if (options.baseUrl === undefined) return useOwn(baseUrl, options);
      return none(
        answer.kind === 'nothing'
          ? `nothing answers at ${baseUrl}: start that server, or leave out --base-url (or APFEL_BOT_BASE_URL, or model.baseUrl)`
          : `the server at ${baseUrl} doesn't answer: check what is running there`,
      );
  }
}

const none = (reason: string): FoundModel => ({ available: false, reason });

async function probeTwice(baseUrl: string, options: FindModelOptions): Promise<Answer> {
  if (await isPortClosed(baseUrl, options.signal)) return { kind: 'nothing' };
  const first = await probe(baseUrl, probeOptions(options, PROBE_MS));
  return first.kind === 'silent' ? probe(baseUrl, probeOptions(options, SECOND_PROBE_MS)) : first;
}

const probeOptions = (options: FindModelOptions, longestMs: number, signal = options.signal) => ({
  timeoutMs: Math.min(longestMs, options.pace.remainingMs()),
  signal,
  apiKey: options.apiKey,
  allowRemote: options.allowRemote,
  onContact: options.onContact,
});

function notApfel(baseUrl: string, kind: 'ollama' | 'other'): string {
  const port = new URL(baseUrl).port || '80';
  return kind === 'ollama'
    ? `port ${port} answers as Ollama, not apfel`
    : `port ${port} answers, but not as apfel`;
}

async function useApfel(
  apfel: { readonly endpoint: Endpoint; readonly health: Health; readonly keeper?: ServerKeeper },
  options: FindModelOptions,
): Promise<FoundModel> {
  const { endpoint, health } = apfel;
  if (!health.isAvailable) return none(await whyUnavailable(options));
  if (options.modelName !== undefined && options.modelName !== health.model) {
    const has = `the server at ${endpoint.baseUrl} has ${oneLine(health.model)}`;
    return none(
      `${has}, not ${oneLine(options.modelName)}: leave out --model (or APFEL_BOT_MODEL, or model.name)`,
    );
  }
  const withKey = { ...probeOptions(options, PROBE_MS), apiKey: endpoint.apiKey };
  const models = await listModels(endpoint.baseUrl, withKey);
  if (models.kind === 'refused') return none(models.reason);
  const isOwn = apfel.keeper !== undefined;
  const facts = { ...apfelFacts(endpoint, health, options), isOwn };
  if (options.protocol === 'text' && mayRunTools(facts))
    return none(noTextAt(endpoint.baseUrl, options));
  const model = openModel({
    ...options,
    facts,
    apiKey: endpoint.apiKey,
    readFacts: async (at, signal) => {
      const again = { ...probeOptions(options, PROBE_MS, signal), apiKey: at.apiKey };
      const answer = await probe(at.baseUrl, again);
      return answer.kind === 'apfel'
        ? { ...apfelFacts(at, answer.health, options), isOwn }
        : undefined;
    },
    ...(apfel.keeper && { keeper: apfel.keeper }),
  });
  return { available: true, model };
}

/**
 * The setting that keeps MCP tools out of a request also makes apfel ask for plain text instead of
 * our JSON.
 */
const noTextAt = (url: string, { baseUrl }: FindModelOptions): string =>
  `the protocol text isn't used with the apfel at ${url}, which may have MCP tools: use --protocol auto${baseUrl === undefined ? ', or stop that server so that apfel-bot starts its own' : ''}`;

const apfelFacts = (at: Endpoint, health: Health, options: FindModelOptions): ModelFacts => ({
  name: health.model,
  baseUrl: at.baseUrl,
  isApfel: true,
  version: health.version,
  contextWindow: Math.min(
    health.contextWindow || DEFAULT_WINDOW,
    options.contextWindow ?? Number.POSITIVE_INFINITY,
  ),
  isWindowAssumed: !health.contextWindow && options.contextWindow === undefined,
});

async function whyUnavailable(options: FindModelOptions): Promise<string> {
  const executable = await findApfel(options.environment);
  const timeoutMs = Math.min(MODEL_INFO_MS, options.pace.remainingMs());
  const label =
    executable && (await askModelInfo({ executable, timeoutMs, environment: options.environment }));
  const state = explainState(label ?? '');
  if (state !== undefined) return `${state.what}: ${state.fix}`;
  const what = `apfel runs, but its model is not available${label ? ` (${label})` : ''}`;
  return `${what}: see apfel --model-info and System Settings > Apple Intelligence & Siri`;
}

/** An OpenAI-compatible server, set by the user, that isn't apfel. */
async function useOther(endpoint: Endpoint, options: FindModelOptions): Promise<FoundModel> {
  const { baseUrl } = endpoint;
  const models = await listModels(baseUrl, probeOptions(options, SECOND_PROBE_MS));
  if (models.kind === 'refused') return none(models.reason);
  const listed = models.kind === 'listed' ? models.models : undefined;
  const named = options.modelName ?? '';
  if (listed === undefined && named === '') {
    return none(`the server at ${baseUrl} does not list its models: name one with --model`);
  }
  const choice = listed && chooseModel(listed, options.modelName);
  if (choice?.chosen === false) return none(`the server at ${baseUrl} ${choice.reason}`);
  const { id, contextWindow } = choice?.model ?? { id: named, contextWindow: 0 };
  const known = options.contextWindow ?? contextWindow;
  const readFacts = async (_: Endpoint, signal: AbortSignal): Promise<ModelFacts> => {
    const window =
      known || (await loadedWindow(id, baseUrl, probeOptions(options, PROBE_MS, signal)));
    return {
      name: id,
      baseUrl,
      isApfel: false,
      version: undefined,
      contextWindow: window || DEFAULT_WINDOW,
      isWindowAssumed: window === 0,
    };
  };
  const facts = await readFacts(endpoint, options.signal);
  return { available: true, model: openModel({ ...options, facts, readFacts }) };
}

/**
 * Where Ollama, LM Studio and llama.cpp report the window that the model was loaded with; 0 if it
 * isn't loaded yet, or elsewhere.
 */
async function loadedWindow(id: string, baseUrl: string, options: ProbeOptions): Promise<number> {
  const root = baseUrl.replace(/\/v1$/, '');
  const [running, models, props] = await Promise.all(
    ['/api/ps', '/api/v0/models', '/props'].map(async path => {
      const answer = await get(root + path, options);
      return answer.kind === 'answered' ? parseJson(answer.text) : undefined;
    }),
  );
  const entryIn = (list: unknown, key: string): unknown =>
    Array.isArray(list) ? list.find(entry => textIn(entry, key) === id) : undefined;
  return (
    countIn(entryIn(field(running, 'models'), 'model'), 'context_length') ||
    countIn(entryIn(field(models, 'data'), 'id'), 'loaded_context_length') ||
    countIn(field(props, 'default_generation_settings'), 'n_ctx')
  );
}

/** apfel started for this run, on its own port, and stopped with it. */
async function useOwn(
  baseUrl: string,
  options: FindModelOptions,
  other?: string,
): Promise<FoundModel> {
  if (!options.start) {
    const why = other ?? `nothing answers at ${baseUrl}`;
    return none(`${why}, and model.start is off: run apfel --serve`);
  }
  const executable = await findApfel(options.environment);
  if (executable === undefined) {
    const why = other === undefined ? '' : `${other}, and `;
    const used = other === undefined ? undefined : baseUrl;
    return none(`${why}apfel is not installed: ${withoutApfel(process.platform, used)}`);
  }
  const how = { executable, environment: options.environment, pace: options.pace };
  const { KeptServer } = await import('./kept-server.js');
  const kept = new KeptServer(options.environment);
  const found = await useKept(kept, how, options);
  if (found !== undefined) return found;
  const start = () => startOwn(kept, how, options);
  const later = options.isAnswered && (await startedLater(start, options));
  const isAnswered = later !== undefined && (await options.isAnswered?.(later)) === true;
  return isAnswered ? { available: true, model: later } : start();
}

/** The model of a server that is started with the first question, if an earlier one is known. */
async function startedLater(
  start: () => Promise<FoundModel>,
  options: FindModelOptions,
): Promise<Model | undefined> {
  const { openStartedLater, rememberedHealth } = await import('./kept-server.js');
  const health = readHealth(await rememberedHealth(options.environment));
  const isWanted = options.modelName === undefined || options.modelName === health?.model;
  if (!health?.isAvailable || !isWanted) return undefined;
  const endpoint = { baseUrl: defaultBaseUrl(options.environment), apiKey: undefined };
  return openStartedLater({ ...apfelFacts(endpoint, health, options), isOwn: true }, start);
}

/** A server for this run; also for later ones, if the user wants that. */
async function startOwn(
  kept: KeptServer,
  how: StartOptions,
  options: FindModelOptions,
): Promise<FoundModel> {
  const { keepAliveMs, pace, signal } = options;
  const isKept = keepAliveMs !== undefined && (await kept.lock(pace, signal));
  let settings = how;
  try {
    if (isKept) {
      // Another run may have started it in the meantime.
      const found = await useKept(kept, how, options);
      if (found !== undefined) return found;
      settings = { ...how, ...(await kept.begin(keepAliveMs, pace, signal)) };
      await kept.hold();
    }
    const start = await startApfel(settings, signal);
    if (!start.started) return none(start.reason);
    const { endpoint, health } = start.server;
    await remember(health, options);
    if (isKept) await kept.record(endpoint);
    const own = keepServer(start.server, settings);
    const keeper: ServerKeeper = isKept
      ? {
          restart: async until => {
            const again = await own.restart(until);
            if (again !== undefined) await kept.record(again);
            return again;
          },
          stop: () => kept.release(keepAliveMs),
        }
      : own;
    const found = await useApfel({ endpoint, health, keeper }, options).catch(async thrown => {
      await own.stop();
      throw thrown;
    });
    if (!found.available) await own.stop();
    return found;
  } finally {
    if (isKept) await kept.unlock();
  }
}

async function remember(health: Health, options: FindModelOptions): Promise<void> {
  if (options.isAnswered === undefined) return;
  const { rememberHealth } = await import('./kept-server.js');
  await rememberHealth(health, options.environment);
}

/** The server that an earlier run left for this one, if it still answers. */
async function useKept(
  kept: KeptServer,
  how: StartOptions,
  options: FindModelOptions,
): Promise<FoundModel | undefined> {
  const endpoint = await kept.find();
  if (endpoint === undefined) return undefined;
  const withKey = { ...options, apiKey: endpoint.apiKey };
  const answer = await probeTwice(endpoint.baseUrl, withKey);
  if (answer.kind !== 'apfel') return undefined;
  // Another apfel may have got its port.
  const models = await listModels(endpoint.baseUrl, probeOptions(withKey, PROBE_MS));
  if (models.kind === 'refused') return undefined;
  await kept.hold();
  let own: ServerKeeper | undefined;
  const keeper: ServerKeeper = {
    restart: async signal => {
      if (own !== undefined) return own.restart(signal);
      const start = await startApfel(how, signal);
      if (!start.started) return undefined;
      own = keepServer(start.server, how);
      return start.server.endpoint;
    },
    stop: async () => {
      await own?.stop();
      await kept.release(options.keepAliveMs);
    },
  };
  return useApfel({ endpoint, health: answer.health, keeper }, options);
}

/** What `/v1/models` shows: whether the server accepts us, and which models it has. */
type Models =
  | { readonly kind: 'listed'; readonly models: readonly ListedModel[] }
  /** The server answers without a list; it may still be usable. */
  | { readonly kind: 'unlisted' }
  | { readonly kind: 'refused'; readonly reason: string };

interface ListedModel {
  readonly id: string;
  /** 0 when not reported. */
  readonly contextWindow: number;
}

/** Cheap for the server, and reveals a missing token before the first question. */
async function listModels(baseUrl: string, options: ProbeOptions): Promise<Models> {
  const answer = await get(`${baseUrl}/models`, options);
  if (answer.kind !== 'answered') return { kind: 'unlisted' };
  if (answer.status === 401) {
    const how =
      options.apiKey === undefined
        ? 'asks for a token: set APFEL_BOT_API_KEY to its token and APFEL_BOT_BASE_URL to its address'
        : 'does not accept the token: set APFEL_BOT_API_KEY to its token';
    const reason = `the server at ${baseUrl} ${how}`;
    return { kind: 'refused', reason };
  }
  if (answer.status === 403) {
    const reason = `the server at ${baseUrl} refuses this host: name it as 127.0.0.1`;
    return { kind: 'refused', reason };
  }
  if (answer.status >= 300 && answer.status < 400) {
    const reason = `the server at ${baseUrl} redirects elsewhere, which is not followed`;
    return { kind: 'refused', reason: `${reason}: name the target with --base-url` };
  }
  const list = field(parseJson(answer.text), 'data');
  if (!Array.isArray(list)) return { kind: 'unlisted' };
  return { kind: 'listed', models: list.flatMap(readModel) };
}

function readModel(entry: unknown): ListedModel[] {
  const id = textIn(entry, 'id');
  if (id === undefined) return [];
  // The names in apfel, vLLM, LM Studio, OpenRouter and llama.cpp.
  const contextWindow =
    countIn(entry, 'context_window') ||
    countIn(entry, 'max_model_len') ||
    countIn(entry, 'max_context_length') ||
    countIn(entry, 'context_length') ||
    countIn(field(entry, 'meta'), 'n_ctx');
  return [{ id, contextWindow }];
}

type Choice =
  | { readonly chosen: true; readonly model: ListedModel }
  | { readonly chosen: false; readonly reason: string };

/** The model asked for, or the only one; with several, the user has to choose. */
function chooseModel(models: readonly ListedModel[], wanted: string | undefined): Choice {
  const ids = models.map(model => model.id);
  const found = wanted === undefined ? undefined : models.find(({ id }) => id === wanted);
  if (found !== undefined) return { chosen: true, model: found };
  const [only] = models;
  if (wanted === undefined && only !== undefined && ids.length === 1) {
    return { chosen: true, model: only };
  }
  const shown = oneLine(ids.slice(0, 5).join(', ')) + (ids.length > 5 ? ', ...' : '');
  const has = ids.length === 0 ? 'has no models' : `has ${shown}`;
  if (wanted === undefined) return { chosen: false, reason: `${has}: name one with --model` };
  return { chosen: false, reason: `${has}, not ${oneLine(wanted)}: name another with --model` };
}
