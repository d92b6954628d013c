import { groundingOf } from '../../src/agent/grounding.js';
import type { Judge } from '../../src/agent/judge.js';

/** Done once something was read and the answer shows it. */
export const hasLooked: Judge = ({ calls, answer }) => {
  const shown = calls.filter(call => !call.outcome.isError).map(call => call.outcome.text);
  if (shown.length === 0) return 'nothing has been read yet. Call a tool first';
  if (answer === undefined || answer.trim() === '') return 'there is no answer yet';
  return groundingOf(answer, shown).proven.length > 0
    ? undefined
    : 'the answer shows nothing of what was read';
};
