/** Aborted when the other signal is, and after so many milliseconds. */
export const endingAfter = (signal: AbortSignal, milliseconds: number): AbortSignal =>
  AbortSignal.any([signal, AbortSignal.timeout(Math.max(0, Math.floor(milliseconds)))]);
