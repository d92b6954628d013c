import type { ConfigFacts, Formats } from './hook-facts.js';
import type { HookName } from './hook-name.js';
import {
  addToLefthook,
  hasLefthookCommand,
  removeFromLefthook,
  withoutLefthookCommand,
} from './lefthook.js';
import { sameData } from './plain-data.js';
import {
  addToPreCommitConfig,
  hasPreCommitEntry,
  removeFromPreCommitConfig,
  withoutPreCommitEntry,
} from './pre-commit-framework.js';

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
