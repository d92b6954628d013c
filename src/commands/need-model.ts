import { BotError } from '../core/failure.js';
import type { FoundModel, Model } from '../core/model.js';
import type { WorkOptions } from '../trigger/work-options.js';
import { type ModelPlace, openModelFor } from './open-model.js';

/** For the verbs that are nothing without a model: it, or exit 4 and why there is none. */
export async function needModel(
  verb: string,
  options: WorkOptions,
  place: ModelPlace,
): Promise<Model> {
  const found: FoundModel = options.withoutModel
    ? { available: false, reason: '--no-model was given' }
    : await openModelFor(options.model, place);
  if (found.available) return found.model;
  throw new BotError(
    'model-required',
    `${verb} needs a model, and there is none: ${found.reason}`,
    {
      hint: 'apfel-bot doctor tells what is missing',
    },
  );
}
