import { type FindModelOptions, findModel } from '../adapters/apfel/apfel-server.js';
import {
  rememberedProtocol,
  rememberedTokenScale,
} from '../adapters/calibrate/calibrate-memory.js';
import { openPace } from '../adapters/openai/openai-pace.js';
import { openUserCache } from '../adapters/records/user-cache.js';
import type { PickedProtocol } from '../calibrate/pick-protocol.js';
import type { Config } from '../config.js';
import type { Diary } from '../core/diary.js';
import type { FoundModel, Model } from '../core/model.js';
import { isTimeUp } from '../core/time-up.js';
import type { ModelOptions } from '../trigger/work-options.js';
import type { Desk } from './desk.js';

/** A short answer takes a second or two; a long one on a busy machine up to a minute. */
const REQUEST_MS = 60_000;

export interface ModelPlace {
  readonly config: Config;
  readonly desk: Desk;
  readonly deadlineAt: number;
  /** Takes down every host that is spoken to. */
  readonly diary?: Diary;
}

export async function openModelFor(options: ModelOptions, place: ModelPlace): Promise<FoundModel> {
  try {
    return await findModel(findOptions(options, place));
  } catch (thrown) {
    if (!isTimeUp(place.desk.signal)) throw thrown;
    return { available: false, reason: 'the time was up before one was found' };
  }
}

/** Flag > environment > configuration > default. */
export const findOptions = (
  options: ModelOptions,
  { config, desk, deadlineAt, diary }: ModelPlace,
): FindModelOptions => ({
  baseUrl: options.baseUrl ?? given(desk.env['APFEL_BOT_BASE_URL']) ?? config.model.baseUrl,
  modelName: options.name ?? given(desk.env['APFEL_BOT_MODEL']) ?? config.model.name,
  apiKey: given(desk.env['APFEL_BOT_API_KEY']),
  allowRemote: options.allowRemote,
  start: config.model.start,
  contextWindow: config.model.contextWindow,
  concurrency: 1,
  requestTimeoutMs: REQUEST_MS,
  environment: desk.env,
  pace: openPace(deadlineAt),
  signal: desk.signal,
  ...(diary && { onContact: host => diary.addContact(host) }),
});

/** What `calibrate` and `doctor` found out about this model on this machine. */
export interface Calibrated {
  readonly preferred: PickedProtocol['protocol'] | undefined;
  readonly tokenScale: number;
}

export async function calibrated(model: Model, desk: Desk): Promise<Calibrated> {
  const cache = openUserCache(desk.env);
  const picked = await rememberedProtocol(model.facts, cache);
  const { factor } = await rememberedTokenScale(model.facts, cache);
  return { preferred: picked?.protocol, tokenScale: factor };
}

/** A variable that is set to nothing says nothing. */
const given = (value: string | undefined): string | undefined => value || undefined;
