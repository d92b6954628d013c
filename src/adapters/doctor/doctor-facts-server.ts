import { isBotError } from '../../core/failure.js';
import type { ServerFact } from '../../doctor/doctor-facts.js';
import { checkAddress, DEFAULT_BASE_URL } from '../apfel/apfel-address.js';
import { probe } from '../apfel/apfel-probe.js';
import { isLoopback } from '../openai/loopback.js';
import { oneLine } from '../openai/openai-one-line.js';
import { type Bound, bounded } from './doctor-facts-bounded.js';

export interface ServerPlace {
  /** By flag, environment or configuration. */
  readonly baseUrl: string | undefined;
  readonly defaultBaseUrl: string | undefined;
  readonly allowRemote: boolean;
  readonly start: boolean;
}

/** What answers where a review would ask. Nothing is started and nothing is asked of a model. */
export async function serverFact(place: ServerPlace, bound: Bound): Promise<ServerFact> {
  const wanted = place.baseUrl ?? place.defaultBaseUrl ?? DEFAULT_BASE_URL;
  try {
    const baseUrl = await checkAddress(wanted, place.allowRemote);
    const look = { timeoutMs: bound.ms, allowRemote: place.allowRemote };
    const answer = await bounded(bound, signal => probe(baseUrl, { ...look, signal }), SILENT);
    const version = answer.kind === 'apfel' ? answer.health.version : undefined;
    return {
      kind: answer.kind,
      baseUrl,
      isNamed: place.baseUrl !== undefined,
      isLocal: isLocal(baseUrl),
      version: version === undefined ? undefined : oneLine(version),
      mayStart: place.start,
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
