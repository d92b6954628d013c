import type { HookName } from './hook-name.js';
import type { JsonObject } from './json-member.js';

/** What the disk and git's configuration say; everything that installing decides by. */
export interface HookFacts {
  /** The top of the work tree; undefined in a bare repository. */
  readonly top: string | undefined;
  /** What all worktrees share. */
  readonly commonDir: string;
  /** Where git looks for hooks here. */
  readonly folder: HookFolder;
  /** The repository's own folder while git looks elsewhere: shims may be left there. */
  readonly unused: HookFolder | undefined;
  readonly managers: readonly ManagerFacts[];
}

export interface HookFolder {
  /** Absolute. */
  readonly path: string;
  /** Who set `core.hooksPath`; `none` when nobody did. */
  readonly setBy: 'none' | 'repository' | 'global' | 'system';
  /** In the git directory or the work tree, links followed. */
  readonly isInside: boolean;
  /** Has files that git tracks, so a change to it is a change for everybody. */
  readonly isTracked: boolean;
  readonly files: Readonly<Record<HookName, HookPlace>>;
}

/** A hook and its kin in the same folder. */
export interface HookPlace {
  readonly now: HookFile;
  /** What we moved aside. */
  readonly before: HookFile;
  /** What the pre-commit framework moved aside; it still runs it. */
  readonly legacy: HookFile;
}

export type HookFile =
  | { readonly kind: 'absent' }
  /** A folder, a socket: nothing that git could run. */
  | { readonly kind: 'odd' }
  | {
      readonly kind: 'file';
      /** Undefined when it is not text, or cannot be read. */
      readonly text: string | undefined;
      readonly isExecutable: boolean;
      /** Where it leads, when it is a symbolic link. */
      readonly target: string | undefined;
    };

export type ManagerFacts = HuskyFacts | ConfigFacts;

export interface HuskyFacts {
  readonly manager: 'husky';
  /** Absolute; the folder that holds the user's hooks. */
  readonly path: string;
  readonly isInside: boolean;
  readonly isTracked: boolean;
  readonly files: Readonly<Record<HookName, HookFile>>;
}

export interface ConfigFacts {
  readonly manager: 'lefthook' | 'pre-commit';
  /** Absolute, links followed. */
  readonly path: string;
  readonly isInside: boolean;
  readonly isTracked: boolean;
  readonly format: ConfigFormat;
  /** Undefined when it is not text, or cannot be read. */
  readonly text: string | undefined;
  /** For the pre-commit framework, whose releases differ in it. */
  readonly stage: CommitStage;
}

export type CommitStage = 'commit' | 'pre-commit';

export type ConfigFormat = 'yaml' | 'toml' | 'json';

/** Readers for other tools' configuration files. */
export interface Formats {
  /** Undefined when it cannot be read as that. */
  read(format: ConfigFormat, text: string): unknown;
  /** The object under these keys; undefined when there is none. */
  jsonObject(text: string, path: readonly string[]): JsonObject | undefined;
}
