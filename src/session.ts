import type { BotError, Ending } from './core/bot-error.js';
import type { Environment } from './platform/processes.js';

/** What a command gets from its process; only `cli.ts` reads `process` itself. */
export interface Session {
  readonly cwd: string;
  readonly env: Environment;
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly version: string;
  readonly color: boolean;
  readonly columns: number;
  /** Whether standard error is a terminal. */
  readonly isWatched: boolean;
  readonly signal: AbortSignal;
  /** Aborts the run after this time. */
  endAfter(milliseconds: number): void;
  /** Prints a line on standard error. */
  printError(text: string): void;
}

export interface CommandEnd {
  /** For standard output. */
  readonly text: string;
  readonly ending: Ending;
  /** What failed after the work was done; the text is printed anyway. */
  readonly failure?: BotError | undefined;
}

/** Git sets this for hooks that see the index. */
export const isInHook = (session: Session): boolean => session.env['GIT_INDEX_FILE'] !== undefined;
