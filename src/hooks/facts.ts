import { BotError } from '../core/bot-error.js';
import { nearest } from '../core/nearest.js';
import { forTerminal } from '../platform/safe-text.js';
import type { JsonObject } from './lefthook.js';

/** The hooks that apfel-bot has something to do in. */
export const HOOK_NAMES = ['pre-commit', 'post-commit', 'post-rewrite', 'pre-push'] as const;

export type HookName = (typeof HOOK_NAMES)[number];

export const DEFAULT_HOOKS: readonly HookName[] = ['pre-commit', 'post-commit', 'post-rewrite'];

/** Git tells these what happened on their standard input; whoever reads it first has it. */
export const readsStdin = (hook: HookName): boolean =>
  hook === 'post-rewrite' || hook === 'pre-push';

/** Git stops for these when they fail; it only takes note of the others. */
export const canBlock = (hook: HookName): boolean => hook.startsWith('pre-');

/** `--hooks LIST`: names with commas or spaces between them, in any order, each once. */
export function hookNames(list: string): readonly HookName[] {
  const wished = list.split(/[\s,]+/).filter(Boolean);
  for (const name of wished) {
    if (!isHookName(name)) throw unknownHook(name);
  }
  if (wished.length === 0) {
    throw new BotError('usage', '--hooks names no hook', { hint: `There are: ${known}` });
  }
  return HOOK_NAMES.filter(name => wished.includes(name));
}

const known = HOOK_NAMES.join(', ');

const isHookName = (name: string): name is HookName => HOOK_NAMES.some(hook => hook === name);

function unknownHook(name: string): BotError {
  const meant = nearest(name.slice(0, LONGEST_WORD), HOOK_NAMES);
  const hint = meant === undefined ? `There are: ${known}` : `Did you mean ${meant}?`;
  return new BotError('usage', `unknown hook ${JSON.stringify(name.slice(0, LONGEST_WORD))}`, {
    hint,
  });
}

/** Longer words are no slip of the finger, and comparing them takes time. */
const LONGEST_WORD = 60;

/** A path for people: from the top of the work tree when it lies there. */
export const shownPath = (path: string, top: string | undefined): string =>
  forTerminal(top !== undefined && path.startsWith(`${top}/`) ? path.slice(top.length + 1) : path);

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
