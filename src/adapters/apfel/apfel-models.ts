import { countIn, field, textIn } from '../openai/openai-fields.js';
import { oneLine } from '../openai/openai-one-line.js';
import { get, type Look, parseJson } from './apfel-probe.js';

/** What `/v1/models` says: the gate (may we?) and the goods (which models?). */
export type Models =
  | { readonly kind: 'listed'; readonly models: readonly ListedModel[] }
  /** No list, though somebody is there; the server may be usable all the same. */
  | { readonly kind: 'unlisted' }
  | { readonly kind: 'refused'; readonly reason: string };

export interface ListedModel {
  readonly id: string;
  /** 0 when not told. */
  readonly contextWindow: number;
}

/** Costs the server nothing and shows a missing token before the first question does. */
export async function listModels(baseUrl: string, look: Look): Promise<Models> {
  const answer = await get(`${baseUrl}/models`, look);
  if (answer.kind !== 'answered') return { kind: 'unlisted' };
  if (answer.status === 401) {
    const how = look.apiKey === undefined ? 'asks for a token' : 'does not accept the token';
    const reason = `the server at ${baseUrl} ${how}: set APFEL_BOT_API_KEY to its token`;
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
  // By its names in apfel, vLLM, LM Studio, OpenRouter and llama.cpp.
  const contextWindow =
    countIn(entry, 'context_window') ||
    countIn(entry, 'max_model_len') ||
    countIn(entry, 'max_context_length') ||
    countIn(entry, 'context_length') ||
    countIn(field(entry, 'meta'), 'n_ctx');
  return [{ id, contextWindow }];
}

export type Choice =
  | { readonly chosen: true; readonly model: ListedModel }
  | { readonly chosen: false; readonly reason: string };

/** The model asked for, or the only one there is; several are for the user to choose from. */
export function chooseModel(models: readonly ListedModel[], wanted: string | undefined): Choice {
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
