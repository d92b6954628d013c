import { BotError } from '../core/failure.js';
import { troubleOf } from '../core/forge.js';

export type Pause = (milliseconds: number) => Promise<void>;

/** Two runs that race need two rounds, a lost answer one more each. */
const MOST_ROUNDS = 6;
/** What GitHub did before it lost the answer may take a moment to show. */
const PAUSE_MS = 500;

/**
 * Looks, writes what is missing, and looks again until there is nothing to write: the only way to
 * do a thing once where a write can get lost, be done without an answer, or race another. A round
 * says true when nothing it wrote needs a second look.
 */
export async function converge(
  round: () => Promise<boolean>,
  pause: Pause,
  mostRounds = MOST_ROUNDS,
): Promise<void> {
  for (let at = 1; at <= mostRounds; at += 1) {
    try {
      if (await round()) return;
    } catch (thrown) {
      const trouble = troubleOf(thrown);
      const isOpen = trouble === 'unsettled' || trouble === 'gone';
      if (!isOpen || at === mostRounds) throw thrown;
      await pause(PAUSE_MS * at);
    }
  }
  throw new BotError('publish-failed', 'others keep writing what we have just written', {
    hint: 'Let one run at a time publish: give the job a concurrency group, and run it again',
  });
}
