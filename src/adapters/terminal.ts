import type { Environment } from './git/git-flags.js';

/** What terminals are taken for when they do not say. */
const PLAIN_COLUMNS = 80;
/** Wider than this, lines are hard to read. */
const WIDEST = 120;

export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** `NO_COLOR` beats `FORCE_COLOR` beats what the stream is. */
export function wantsColor(env: Environment, screen: Screen): boolean {
  if (env['NO_COLOR']) return false;
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return screen.isTTY === true && env['TERM'] !== 'dumb';
}

export const screenColumns = (screen: Screen): number =>
  Math.min(screen.columns ?? PLAIN_COLUMNS, WIDEST);
