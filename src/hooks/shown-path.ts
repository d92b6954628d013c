import { forTerminal } from '../core/neutralise.js';

/** A path for people: from the top of the work tree when it lies there. */
export const shownPath = (path: string, top: string | undefined): string =>
  forTerminal(top !== undefined && path.startsWith(`${top}/`) ? path.slice(top.length + 1) : path);
