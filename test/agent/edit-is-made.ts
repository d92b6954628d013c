import type { Judge } from '../../src/agent/judge.js';

/** Done once `edit_file` has succeeded, whatever the model claims. */
export const editIsMade: Judge = ({ calls }) =>
  calls.some(call => call.name === 'edit_file' && !call.outcome.isError)
    ? undefined
    : 'nothing has been edited yet. Call edit_file';
