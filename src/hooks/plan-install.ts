import { BotError } from '../core/bot-error.js';
import { configLines, planConfig, removeFromConfig } from './config-file.js';
import {
  HOOK_NAMES,
  type HookFacts,
  type HookFolder,
  type HookName,
  type ManagerFacts,
  SIGNS,
  START,
  shownPath,
} from './facts.js';
import { manualShims, planFolder, remindOfCalls, removeFromFolder } from './folder.js';
import { huskyLines, isShellScript, planHusky, removeFromHusky } from './husky.js';
import { type InstallPlan, joinPlans, NOTHING, trackedNotice } from './plan.js';
import { callInstruction, type Lookup, quietCallLine } from './shim.js';

interface InstallOptions {
  readonly hooks: readonly HookName[];
  readonly isPrintOnly: boolean;
  /** Where the hooks find the program; if unknown, they look in both places. */
  readonly lookup?: Lookup | undefined;
}

/** What `apfel-bot install` will do, given what it finds. A second run changes nothing. */
export function planInstall(facts: HookFacts, options: InstallOptions): InstallPlan {
  if (facts.top === undefined) throw bareRepository();
  const target = chooseTarget(facts);
  switch (target.kind) {
    case 'shared':
      return planShared(facts, options.hooks);
    case 'several':
      return planSeveral(target.managers, options.hooks, facts.top);
    case 'folder':
      return options.isPrintOnly
        ? { ...NOTHING, printed: manualShims(facts.folder, options.hooks, facts.top) }
        : planFolder(facts, options.hooks, options.lookup);
    case 'manager':
      return options.isPrintOnly
        ? { ...NOTHING, printed: printedFor(target.manager, facts, options.hooks) }
        : planManager(target.manager, facts, options);
  }
}

/** A folder that serves other repositories, or is outside this one, isn't ours to change. */
function planShared({ folder, top }: HookFacts, hooks: readonly HookName[]): InstallPlan {
  const where = shownPath(folder.path, top);
  return {
    ...NOTHING,
    messages: [
      `git looks for hooks in ${where}, ${SHARED_BY[folder.setBy]}: nothing was written`,
      'to run apfel-bot from there, add these lines to those files and make each executable',
    ],
    printed: hooks.flatMap(hook => {
      const { now } = folder.files[hook];
      const isOther = now.kind === 'file' && now.text !== undefined && !isShellScript(now.text);
      return isOther
        ? [`# ${where}/${hook} isn't a shell script: ${callInstruction(hook)}`]
        : [`# ${where}/${hook}`, quietCallLine(hook, '"$@"')];
    }),
  };
}

const SHARED_BY = {
  none: 'which is outside the repository',
  repository: "which is outside the repository (the repository's core.hooksPath)",
  global: 'which is shared by all your repositories (your global core.hooksPath)',
  system: "which is shared by all repositories (the system's core.hooksPath)",
} as const;

function planSeveral(
  managers: readonly ManagerFacts[],
  hooks: readonly HookName[],
  top: string,
): InstallPlan {
  const names = managers.map(manager => manager.manager).join(' and ');
  return {
    ...NOTHING,
    messages: [`${names} are both set up here: nothing was written; add the lines to one of them`],
    printed: managers.flatMap(manager => manualLines(manager, hooks, top)),
  };
}

function planManager(
  manager: ManagerFacts,
  facts: HookFacts,
  { hooks, lookup }: InstallOptions,
): InstallPlan {
  const [theirs, ours] = splitHooks(manager, hooks);
  return joinPlans([planTheirs(manager, facts, theirs), planFolder(facts, ours, lookup)]);
}

function planTheirs(
  manager: ManagerFacts,
  facts: HookFacts,
  hooks: readonly HookName[],
): InstallPlan {
  if (hooks.length === 0) return NOTHING;
  const { top } = facts;
  const shown = shownPath(manager.path, top);
  if (!manager.isInside) {
    return {
      ...NOTHING,
      messages: [
        `${shown} links to a file outside the repository: nothing was written; add the lines there`,
      ],
      printed: manualLines(manager, hooks, top),
    };
  }
  const plan =
    manager.manager === 'husky' ? planHusky(manager, hooks, top) : planConfig(manager, hooks, top);
  const isUsed = isInUse(manager, facts);
  const isUnchanged = plan.steps.length === 0;
  return {
    ...plan,
    notices: manager.isTracked && !isUnchanged ? [trackedNotice(shown)] : [],
    messages: [...plan.messages, ...(isUnchanged && isUsed ? [] : nextStep(manager, isUsed))],
  };
}

/** Which hooks go into the manager's files, and which into git's own folder. */
function splitHooks(
  manager: ManagerFacts,
  hooks: readonly HookName[],
): [theirs: readonly HookName[], ours: readonly HookName[]] {
  if (manager.manager !== 'pre-commit') return [hooks, []];
  return [hooks.filter(hook => hook === 'pre-commit'), hooks.filter(hook => hook !== 'pre-commit')];
}

function printedFor(manager: ManagerFacts, facts: HookFacts, hooks: readonly HookName[]): string[] {
  const [theirs, ours] = splitHooks(manager, hooks);
  return [
    ...(theirs.length === 0 ? [] : manualLines(manager, theirs, facts.top)),
    ...manualShims(facts.folder, ours, facts.top),
  ];
}

function nextStep({ manager }: ManagerFacts, isUsed: boolean): string[] {
  if (!isUsed) return [`git doesn't call ${manager} here yet; set it up with: ${START[manager]}`];
  if (manager === 'simple-git-hooks') {
    return [`nothing is reviewed until you run: ${START[manager]}`];
  }
  return manager === 'lefthook' ? [`to make git call the new hooks too: ${START[manager]}`] : [];
}

const bareRepository = (): BotError =>
  new BotError('git', 'a bare repository has no work tree to commit in', {
    hint: 'Install the hooks in a clone of it',
  });

const manualLines = (
  manager: ManagerFacts,
  hooks: readonly HookName[],
  top: string | undefined,
): string[] =>
  manager.manager === 'husky' ? huskyLines(manager, hooks, top) : configLines(manager, hooks, top);

/**
 * What `apfel-bot uninstall` will do: remove our files and lines, and restore what was there
 * before.
 */
export function planUninstall(facts: HookFacts): InstallPlan {
  const { top } = facts;
  const plans = facts.managers.map(manager =>
    manager.manager === 'husky' ? removeFromHusky(manager, top) : removeFromConfig(manager, top),
  );
  for (const folder of [facts.folder, facts.unused]) {
    const isHuskys = facts.managers.some(manager => manager.path === folder?.path);
    if (folder === undefined || isHuskys) continue;
    plans.push(isShared(folder) ? remindOfCalls(folder) : removeFromFolder(folder, top));
  }
  const plan = joinPlans(plans);
  if (plan.messages.length > 0) return plan;
  return { ...NOTHING, messages: ["apfel-bot isn't installed in this repository"] };
}

/** Where the hooks go. */
type Target =
  /** Git looks in a folder that isn't this repository's to change. */
  | { readonly kind: 'shared' }
  | { readonly kind: 'folder' }
  | { readonly kind: 'manager'; readonly manager: ManagerFacts }
  /** More than one hook manager, and no sign of which one is in use. */
  | { readonly kind: 'several'; readonly managers: readonly ManagerFacts[] };

export function chooseTarget(facts: HookFacts): Target {
  const { folder, managers } = facts;
  if (isShared(folder)) return { kind: 'shared' };
  const inUse = managers.find(manager => isInUse(manager, facts));
  if (inUse !== undefined) return { kind: 'manager', manager: inUse };
  const [only] = managers;
  // Somebody chose this folder; a manager that git doesn't call is ignored.
  if (folder.setBy === 'repository' || only === undefined) return { kind: 'folder' };
  return managers.length === 1 ? { kind: 'manager', manager: only } : { kind: 'several', managers };
}

const isShared = (folder: HookFolder): boolean =>
  folder.setBy === 'global' || folder.setBy === 'system' || !folder.isInside;

/** Whether git calls it: through its hook folder, or through a hook that the manager wrote there. */
export function isInUse(manager: ManagerFacts, { folder }: HookFacts): boolean {
  if (manager.manager === 'husky') {
    return folder.path === manager.path || folder.path === `${manager.path}/_`;
  }
  const sign = SIGNS[manager.manager];
  return HOOK_NAMES.some(hook => {
    const { now } = folder.files[hook];
    return now.kind === 'file' && now.text?.includes(sign) === true;
  });
}
