import { findModel } from '../adapters/apfel-server.js';
import { openPace } from '../adapters/openai-pace.js';
import type { Config } from '../config.js';
import type { FoundModel } from '../core/model.js';
import type { ModelOptions } from '../trigger/work-options.js';
import type { Desk } from './desk.js';

/** A short answer takes a second or two; a long one on a busy machine up to a minute. */
const REQUEST_MS = 60_000;

/** Flag > environment > configuration > default. */
export function openModelFor(
  options: ModelOptions,
  { config, desk, deadlineAt }: { config: Config; desk: Desk; deadlineAt: number },
): Promise<FoundModel> {
  return findModel({
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
  });
}

/** A variable that is set to nothing says nothing. */
const given = (value: string | undefined): string | undefined => value || undefined;
