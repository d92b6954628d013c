import { isObject } from '../core/json-fields.js';
import {
  type CommitStage,
  type ConfigFacts,
  HOOK_NAMES,
  type HookName,
  shownPath,
} from './facts.js';
import { readConfigText, sameData, valueAt } from './formats.js';
import {
  addToLefthook,
  hasLefthookCommand,
  lefthookCommand,
  lefthookToml,
  lefthookYaml,
  removeFromLefthook,
  withoutLefthookCommand,
} from './lefthook.js';
import { addBlock, positionAtEnd, removeBlock, textLines, yamlValue } from './marked-block.js';
import { type InstallPlan, NOTHING, removeLines } from './plan.js';
import { callLine, callsUs } from './shim.js';
import {
  addToSimple,
  hasSimpleCommand,
  removeFromSimple,
  SIMPLE_KEY,
  simpleCommand,
  withoutSimpleCommand,
} from './simple-git-hooks.js';

/** One edit to a hook manager's configuration, for all hooks; where that isn't safe, the lines are printed instead. */
export function planConfig(
  config: ConfigFacts,
  hooks: readonly HookName[],
  top: string | undefined,
): InstallPlan {
  const shown = shownPath(config.path, top);
  const read = (text: string): unknown => readConfigText(config.format, text);
  const data = config.text === undefined ? undefined : read(config.text);
  if (config.text === undefined || data === undefined) {
    const reason = `${shown} isn't valid ${config.format.toUpperCase()}`;
    return byHand(`${reason}, so nothing was written`, configLines(config, hooks, top));
  }
  const { text } = config;
  const editor = configEditor(config);
  const missing = hooks.filter(hook => !editor.has(data, hook) && !callsUs(text, hook));
  if (missing.length === 0) return { ...NOTHING, messages: [`${shown} already calls apfel-bot`] };
  const edited = addAll(text, missing, { editor, read });
  if (edited === undefined) {
    const reason = `${shown} can't be edited safely`;
    return byHand(reason, configLines(config, missing, top));
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
interface ConfigEditor {
  add(text: string, hook: HookName): string | undefined;
  remove(text: string, hook: HookName): string;
  has(data: unknown, hook: HookName): boolean;
  without(data: unknown, hook: HookName): unknown;
}

function configEditor(config: ConfigFacts): ConfigEditor {
  if (config.manager === 'pre-commit') {
    return {
      add: text => addToPreCommitConfig(text, config.stage),
      remove: removeFromPreCommitConfig,
      has: hasPreCommitEntry,
      without: withoutPreCommitEntry,
    };
  }
  if (config.manager === 'simple-git-hooks') {
    return {
      add: addToSimple,
      remove: removeFromSimple,
      has: hasSimpleCommand,
      without: withoutSimpleCommand,
    };
  }
  const { format } = config;
  return {
    add: (text, hook) => addToLefthook(text, hook, format),
    remove: (text, hook) => removeFromLefthook(text, hook, format),
    has: hasLefthookCommand,
    without: withoutLefthookCommand,
  };
}

/**
 * The text with our part added, or undefined. A parser must find in it what was there before plus
 * our part, and removing our part must give back the same bytes.
 */
function safelyAdded(
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

/** Removes our lines from a hook manager's configuration. */
export function removeFromConfig(config: ConfigFacts, top: string | undefined): InstallPlan {
  if (config.text === undefined) return NOTHING;
  const { path, text } = config;
  const editor = configEditor(config);
  // Install doesn't follow a link out of the repository either.
  const left = config.isInside
    ? HOOK_NAMES.reduce((rest, hook) => editor.remove(rest, hook), text)
    : text;
  const stillCalls = HOOK_NAMES.some(hook => callsUs(left, hook));
  return removeLines({ path, shown: shownPath(path, top), text }, left, stillCalls);
}

/** What a user would add to the file, in its own format. */
export function configLines(
  config: ConfigFacts,
  hooks: readonly HookName[],
  top: string | undefined,
): string[] {
  const title = `# ${shownPath(config.path, top)}`;
  if (config.manager === 'pre-commit') {
    const entry = preCommitEntry(config.stage).map(line => `  ${line}`);
    return [`${title}, at the end of repos`, ...entry];
  }
  if (config.manager === 'simple-git-hooks') {
    const commands = Object.fromEntries(hooks.map(hook => [hook, simpleCommand(hook)]));
    const data = config.path.endsWith('package.json') ? { [SIMPLE_KEY]: commands } : commands;
    return [title, ...JSON.stringify(data, undefined, 2).split('\n')];
  }
  if (config.format === 'yaml') return [title, ...hooks.flatMap(lefthookYaml)];
  if (config.format === 'toml') return [title, ...hooks.flatMap(lefthookToml)];
  const data = hooks.map(hook => [hook, { commands: { 'apfel-bot': lefthookCommand(hook) } }]);
  return [title, ...JSON.stringify(Object.fromEntries(data), undefined, 2).split('\n')];
}

const ID = 'apfel-bot';

/**
 * The one hook that goes into the framework's configuration. The framework keeps standard input to
 * itself and installs other hook types only on request, so git calls those directly. Without
 * `stages` it would run again after the commit and overwrite what it found before. Without `verbose`
 * nobody would see findings that don't block.
 */
const preCommitEntry = (stage: CommitStage): string[] => [
  '- repo: local',
  '  hooks:',
  `    - id: ${ID}`,
  `      name: ${ID}`,
  `      entry: sh -c '${callLine('pre-commit', '')}'`,
  '      language: system',
  `      stages: [${stage}]`,
  '      always_run: true',
  '      pass_filenames: false',
  '      verbose: true',
];

/** Undefined where the list of repositories isn't in block style. */
function addToPreCommitConfig(text: string, stage: CommitStage): string | undefined {
  const repos = yamlValue(textLines(text), 'repos');
  if (repos === 'absent' || repos === 'inline') return undefined;
  return addBlock(text, positionAtEnd(repos), { hook: 'pre-commit', lines: preCommitEntry(stage) });
}

const removeFromPreCommitConfig = (text: string): string => removeBlock(text, 'pre-commit');

/** Our entry, or one that the user wrote for this repository. */
const hasPreCommitEntry = (data: unknown): boolean => {
  const repos = valueAt(data, 'repos');
  return Array.isArray(repos) && repos.some(repo => idsOf(repo).includes(ID));
};

function withoutPreCommitEntry(data: unknown): unknown {
  const repos = valueAt(data, 'repos');
  if (!isObject(data) || !Array.isArray(repos)) return data;
  const isOurs = (repo: unknown): boolean =>
    valueAt(repo, 'repo') === 'local' && idsOf(repo).join() === ID;
  return { ...data, repos: repos.filter(repo => !isOurs(repo)) };
}

function idsOf(repo: unknown): unknown[] {
  const hooks = valueAt(repo, 'hooks');
  return Array.isArray(hooks) ? hooks.map(hook => valueAt(hook, 'id')) : [];
}
