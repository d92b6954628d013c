import type { BotError, Ending } from './core/bot-error.js';
import type { Environment } from './platform/processes.js';

/** What a command is given of the process it runs in; only `cli.ts` reads `process` itself. */
export interface Session {
  readonly cwd: string;
  readonly env: Environment;
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly version: string;
  readonly color: boolean;
  readonly columns: number;
  /** Whether somebody watches standard error. */
  readonly isWatched: boolean;
  readonly signal: AbortSignal;
  /** Ends the run when so much time has passed. */
  endAfter(milliseconds: number): void;
  /** A line on standard error. */
  say(text: string): void;
}

export interface CommandEnd {
  /** For standard output. */
  readonly text: string;
  readonly ending: Ending;
  /** What went wrong after the work was done; the text is printed all the same. */
  readonly failure?: BotError | undefined;
}

/** Git sets this for the hooks that see the index. */
export const isInHook = (session: Session): boolean => session.env['GIT_INDEX_FILE'] !== undefined;
