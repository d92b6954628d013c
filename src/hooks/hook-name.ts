import { BotError } from '../core/failure.js';
import { nearest } from '../core/nearest.js';

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
