import {
  type ConfigFacts,
  HOOK_NAMES,
  type HookFacts,
  type HookFile,
  type HookFiles,
  type HookFolder,
  type HookName,
  type HuskyFacts,
} from '../../src/hooks/facts.js';

export const TOP = '/home/ada/project';

export const ABSENT: HookFile = { kind: 'absent' };

export const script = (
  text: string | undefined,
  more: { isExecutable?: boolean; target?: string } = {},
): HookFile => ({
  kind: 'file',
  text,
  isExecutable: more.isExecutable ?? true,
  target: more.target,
});

type Some<Value> = Partial<Record<HookName, Value>>;

/** The repository's own hook folder, empty but for what is given. */
export const folder = (
  files: Some<Partial<HookFiles>> = {},
  more: Partial<Omit<HookFolder, 'files'>> = {},
): HookFolder => ({
  path: `${TOP}/.git/hooks`,
  setBy: 'none',
  isInside: true,
  isTracked: false,
  ...more,
  files: each(hook => ({ now: ABSENT, before: ABSENT, legacy: ABSENT, ...files[hook] })),
});

export const facts = (more: Partial<HookFacts> = {}): HookFacts => ({
  top: TOP,
  commonDir: `${TOP}/.git`,
  folder: folder(),
  unused: undefined,
  managers: [],
  ...more,
});

export const husky = (files: Some<HookFile> = {}, more: Partial<HuskyFacts> = {}): HuskyFacts => ({
  manager: 'husky',
  path: `${TOP}/.husky`,
  isInside: true,
  isTracked: false,
  files: each(hook => files[hook] ?? ABSENT),
  ...more,
});

export const lefthook = (
  text: string | undefined,
  more: Partial<ConfigFacts> = {},
): ConfigFacts => ({
  manager: 'lefthook',
  path: `${TOP}/lefthook.yml`,
  isInside: true,
  isTracked: false,
  format: 'yaml',
  text,
  stage: 'commit',
  ...more,
});

export const preCommit = (text: string, more: Partial<ConfigFacts> = {}): ConfigFacts =>
  lefthook(text, { manager: 'pre-commit', path: `${TOP}/.pre-commit-config.yaml`, ...more });

const each = <Value>(make: (hook: HookName) => Value): Record<HookName, Value> =>
  Object.fromEntries(HOOK_NAMES.map(hook => [hook, make(hook)])) as Record<HookName, Value>;
