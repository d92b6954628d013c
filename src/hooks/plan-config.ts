import { callsUs } from './call-line.js';
import { type ConfigEditor, configEditor, safelyAdded } from './config-editor.js';
import type { ConfigFacts, Formats } from './hook-facts.js';
import type { HookName } from './hook-name.js';
import { type InstallPlan, NOTHING } from './install-plan.js';
import { manualLines } from './manual-lines.js';
import { shownPath } from './shown-path.js';

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
