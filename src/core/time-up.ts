/** Reasons to abort a run, as they stand in `signal.reason`. */
export const TIME_UP = 'time-up';
export const INTERRUPTED = 'interrupted';
export const DONE = 'done';

export const isTimeUp = (signal: AbortSignal): boolean => signal.reason === TIME_UP;
