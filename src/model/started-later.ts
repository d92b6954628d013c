import type { Environment } from '../platform/processes.js';
import { openUserCache } from '../platform/user-cache.js';
import type { FoundModel, Model, ModelFacts } from './model.js';
import type { Health } from './probe.js';

/**
 * What the last apfel that we started reported about its model. Its name and window decide which
 * cached answers count, and only a running server reports them; a new one reports the same unless
 * it was updated.
 */
const FILE = 'own-server.json';

export const rememberedHealth = (environment: Environment): Promise<unknown> =>
  openUserCache(environment).read(FILE);

export async function rememberHealth(health: Health, environment: Environment): Promise<void> {
  const { model, isAvailable, contextWindow, version } = health;
  const cache = openUserCache(environment);
  const value = { model, model_available: isAvailable, context_window: contextWindow, version };
  if (JSON.stringify(await cache.read(FILE)) !== JSON.stringify(value)) {
    await cache.write(FILE, value);
  }
}

/** A model whose server is started with the first question; until then it has the facts given. */
export function openStartedLater(facts: ModelFacts, start: () => Promise<FoundModel>): Model {
  let starting: Promise<FoundModel> | undefined;
  let model: Model | undefined;
  return {
    get facts() {
      return model?.facts ?? facts;
    },
    ask: async (...args) => {
      starting ??= start();
      const found = await starting;
      if (!found.available) return { kind: 'unreachable', message: found.reason };
      model = found.model;
      return model.ask(...args);
    },
    usage: () => model?.usage() ?? NOTHING_USED,
    close: async () => {
      const found = await starting?.catch(() => undefined);
      if (found?.available) await found.model.close();
    },
  };
}

const NOTHING_USED = {
  requests: 0,
  retries: 0,
  refusals: 0,
  promptTokens: 0,
  completionTokens: 0,
};
