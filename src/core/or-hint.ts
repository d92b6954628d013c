import { BotError, isBotError } from './failure.js';

/** Whoever asked knows better than the disk what to do about a failure: its next step, if it has none. */
export async function orHint<Value>(work: Promise<Value>, hint: string): Promise<Value> {
  try {
    return await work;
  } catch (thrown) {
    if (!isBotError(thrown) || thrown.hint !== undefined) throw thrown;
    throw new BotError(thrown.code, thrown.message, { hint, cause: thrown });
  }
}
