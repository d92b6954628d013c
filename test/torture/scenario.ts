import type { Repo } from '../support/with-repo.js';

/** A command that is killed at random moments, and what must not have happened then. */
export interface Scenario {
  readonly name: string;
  /** Makes a repository in the middle of somebody's work, below an empty folder. */
  open(folder: string): Promise<Victim>;
}

export interface Victim {
  readonly repo: Repo;
  /** What is started, and killed. */
  readonly argv: readonly [program: string, ...args: string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** How it ends when it is left alone. */
  readonly exitCode: number;
  /** Everything that a killed run must leave as it was; compared as a whole. */
  state(): Promise<Readonly<Record<string, unknown>>>;
  /** Called before each run, for a command that has nothing left to do after the first. */
  prepare?(): Promise<void>;
  /** After one more run that was left alone: throws when something of the killed ones is left. */
  afterwards(): Promise<void>;
  close(): Promise<void>;
}
