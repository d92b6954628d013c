import type { Repo } from '../support/with-repo.js';

/** A command that is killed at random moments, and what must be true afterwards. */
export interface Scenario {
  readonly name: string;
  /** Makes a repository with unfinished work in an empty folder. */
  open(folder: string): Promise<Victim>;
}

export interface Victim {
  readonly repo: Repo;
  /** The command that is started and killed. */
  readonly argv: readonly [program: string, ...args: string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Standard input. */
  readonly input?: string;
  /** The exit code of a whole run. */
  readonly exitCode: number;
  /** Everything that a killed run must not change. */
  state(): Promise<Readonly<Record<string, unknown>>>;
  /** Called before each run, for a command that has nothing left to do after the first. */
  prepare?(): Promise<void>;
  /** After one more whole run: throws when something of the killed ones is left. */
  afterwards(): Promise<void>;
  close(): Promise<void>;
}
