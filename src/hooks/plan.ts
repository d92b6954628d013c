import { BotError } from '../core/bot-error.js';

/** One change on disk. Each can be undone until all are done. */
export type FileStep =
  | { readonly kind: 'move'; readonly from: string; readonly to: string }
  /** `replaces` is the text that must still be there; undefined when there must be no file. */
  | { readonly kind: 'remove'; readonly path: string; readonly replaces: string }
  | {
      readonly kind: 'write';
      readonly path: string;
      readonly text: string;
      readonly replaces: string | undefined;
      /** Otherwise a replaced file keeps its mode. */
      readonly isExecutable: boolean;
    };

/** What to do and what to print; nothing of it has happened yet. */
export interface InstallPlan {
  /** Printed before anything is written. */
  readonly notices: readonly string[];
  readonly steps: readonly FileStep[];
  /** Printed once all steps are done. */
  readonly messages: readonly string[];
  /** For standard output: the lines that the user has to add. */
  readonly printed: readonly string[];
}

export const NOTHING: InstallPlan = { notices: [], steps: [], messages: [], printed: [] };

export function joinPlans(plans: readonly InstallPlan[]): InstallPlan {
  return {
    // Two hooks in one folder give the same notice.
    notices: [...new Set(plans.flatMap(plan => plan.notices))],
    steps: plans.flatMap(plan => plan.steps),
    messages: plans.flatMap(plan => plan.messages),
    printed: plans.flatMap(plan => plan.printed),
  };
}

export const messageOnly = (message: string): InstallPlan => ({ ...NOTHING, messages: [message] });

/** Writes a hook. */
export const write = (
  step: Pick<Extract<FileStep, { kind: 'write' }>, 'path' | 'text' | 'replaces'>,
  message: string,
): InstallPlan => ({
  ...messageOnly(message),
  steps: [{ kind: 'write', isExecutable: true, ...step }],
});

export const trackedNotice = (shown: string): string =>
  `${shown} is tracked by git: the change reaches everyone who pulls it`;

export const notAFile = (path: string): BotError =>
  new BotError('git', `${path} is neither a file nor a link, so no hook can be written there`, {
    hint: 'Move it away and run apfel-bot install again; nothing was changed',
  });

export const changedByHand = (shown: string): string =>
  `left ${shown} alone: it was changed by hand; delete it yourself if you don't need it`;

export const removeByHand = (shown: string): string =>
  `${shown} has a line of yours that calls apfel-bot: remove it by hand`;

/** Removes our lines from somebody else's file. */
export function removeLines(
  { path, shown, text }: { readonly path: string; readonly shown: string; readonly text: string },
  left: string,
  stillCalls: boolean,
): InstallPlan {
  const calls = stillCalls ? [removeByHand(shown)] : [];
  if (text === left) return { ...NOTHING, messages: calls };
  return {
    ...NOTHING,
    messages: [`removed apfel-bot's lines from ${shown}`, ...calls],
    steps: [{ kind: 'write', path, text: left, replaces: text, isExecutable: false }],
  };
}
