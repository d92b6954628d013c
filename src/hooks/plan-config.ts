import { type ConfigFacts, type Formats, type HookName, shownPath } from './facts.js';
import { type InstallPlan, NOTHING } from './install-plan.js';
import {
  addToLefthook,
  hasLefthookCommand,
  removeFromLefthook,
  withoutLefthookCommand,
} from './lefthook.js';
import { manualLines } from './manual-lines.js';
import { sameData } from './plain-data.js';
import {
  addToPreCommitConfig,
  hasPreCommitEntry,
  removeFromPreCommitConfig,
  withoutPreCommitEntry,
} from './pre-commit-framework.js';
import { callsUs } from './shim.js';

/** One edit to a hook manager's configuration, for all hooks; what cannot be edited is printed. */
export function planConfig(
  config: ConfigFacts,
  hooks: readonly HookName[],
  by: { readonly formats: Formats; readonly top: string | undefined },
): InstallPlan {
  const shown = shownPath(config.path, by.top);
  const read = (text: string): unknown => by.formats.read(config.format, text);
  const data = config.text === undefined ? undefined : read(config.text);
  if (config.text === undefined || data === undefined) {
    const reason = `${shown} cannot be read as ${config.format.toUpperCase()}`;
    return byHand(`${reason}, so nothing was written to it`, manualLines(config, hooks, by.top));
  }
  const { text } = config;
  const editor = configEditor(config, by.formats);
  const missing = hooks.filter(hook => !editor.has(data, hook) && !callsUs(text, hook));
  if (missing.length === 0) return { ...NOTHING, messages: [`${shown} calls apfel-bot already`] };
  const edited = addAll(text, missing, { editor, read });
  if (edited === undefined) {
    const reason = `${shown} is not written so that lines can be added safely`;
    return byHand(reason, manualLines(config, missing, by.top));
  }
  return {
    ...NOTHING,
    messages: [`added ${missing.join(', ')} to ${shown}`],
    steps: [
      { kind: 'write', path: config.path, text: edited, replaces: text, isExecutable: false },
    ],
  };
}

function addAll(
  text: string,
  hooks: readonly HookName[],
  by: { readonly editor: ConfigEditor; readonly read: (text: string) => unknown },
): string | undefined {
  let edited: string | undefined = text;
  for (const hook of hooks) {
    edited = edited === undefined ? undefined : safelyAdded(edited, hook, by);
  }
  return edited;
}

const byHand = (reason: string, printed: readonly string[]): InstallPlan => ({
  ...NOTHING,
  messages: [`${reason}: add the lines by hand`],
  printed,
});

/** What can be done to a hook manager's configuration file. */
export interface ConfigEditor {
  add(text: string, hook: HookName): string | undefined;
  remove(text: string, hook: HookName): string;
  has(data: unknown, hook: HookName): boolean;
  without(data: unknown, hook: HookName): unknown;
}

export function configEditor(config: ConfigFacts, formats: Formats): ConfigEditor {
  if (config.manager === 'pre-commit') {
    return {
      add: text => addToPreCommitConfig(text, config.stage),
      remove: removeFromPreCommitConfig,
      has: hasPreCommitEntry,
      without: withoutPreCommitEntry,
    };
  }
  const { format } = config;
  return {
    add: (text, hook) => addToLefthook(text, hook, { format, formats }),
    remove: (text, hook) => removeFromLefthook(text, hook, format),
    has: hasLefthookCommand,
    without: withoutLefthookCommand,
  };
}

/**
 * The text with our part in it, or undefined. It is believed only when a parser finds in it what
 * was there before plus our part, and when taking our part out gives back the same bytes.
 */
export function safelyAdded(
  text: string,
  hook: HookName,
  by: { readonly editor: ConfigEditor; readonly read: (text: string) => unknown },
): string | undefined {
  const { editor, read } = by;
  const edited = editor.add(text, hook);
  if (edited === undefined || editor.remove(edited, hook) !== text) return undefined;
  const data = read(edited);
  if (data === undefined || !editor.has(data, hook)) return undefined;
  return sameData(editor.without(data, hook), read(text)) ? edited : undefined;
}
