import { createHash } from 'node:crypto';
import type { Model, ModelReply, ModelRequest } from './model.js';

/** Replies of an earlier run by the request they answered. */
export type Recorded = ReadonlyMap<string, ModelReply>;

/** Two requests are the same when the model would see the same. */
export const requestKey = ({ onText: _shown, ...request }: ModelRequest): string =>
  createHash('sha256').update(JSON.stringify(request)).digest('hex');

/**
 * A model that does not ask again what was already answered: a conversation that broke off is taken
 * up where it stopped, because code does the same with the same replies.
 */
export function replaying(model: Model, recorded: Recorded): Model {
  if (recorded.size === 0) return model;
  return {
    get facts() {
      return model.facts;
    },
    ask: async (request, signal) => recorded.get(requestKey(request)) ?? model.ask(request, signal),
    usage: () => model.usage(),
    close: () => model.close(),
  };
}

/** Only what the model said is worth keeping; a failure of the server may be over. */
export const isWorthKeeping = (reply: ModelReply): boolean =>
  reply.kind === 'answer' || reply.kind === 'tool-calls';
