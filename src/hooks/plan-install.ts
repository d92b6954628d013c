import { BotError } from '../core/failure.js';
import { callInWords, quietCallLine } from './call-line.js';
import { chooseTarget, isInUse } from './choose-target.js';
import type { Formats, HookFacts, ManagerFacts } from './hook-facts.js';
import type { HookName } from './hook-name.js';
import { type InstallPlan, joinPlans, NOTHING } from './install-plan.js';
import { isShellScript } from './is-shell-script.js';
import { manualLines, manualShims } from './manual-lines.js';
import { planConfig } from './plan-config.js';
import { planFolder } from './plan-folder.js';
import { planHusky } from './plan-husky.js';
import { shownPath } from './shown-path.js';

export interface InstallWish {
  readonly hooks: readonly HookName[];
  /** Nothing is written; the lines are printed instead. */
  readonly isPrintOnly: boolean;
}

/** What `apfel-bot install` will do, from what is there. Asked again afterwards, it does nothing. */
export function planInstall(facts: HookFacts, wish: InstallWish, formats: Formats): InstallPlan {
  if (facts.top === undefined) throw isBare();
  const target = chooseTarget(facts);
  switch (target.kind) {
    case 'foreign':
      return planForeign(facts, wish.hooks);
    case 'several':
      return planSeveral(target.managers, wish.hooks, facts.top);
    case 'folder':
      return wish.isPrintOnly
        ? { ...NOTHING, printed: manualShims(facts.folder, wish.hooks, facts.top) }
        : closed(planFolder(facts.folder, wish.hooks, facts.top));
    case 'manager':
      return wish.isPrintOnly
        ? { ...NOTHING, printed: printedFor(target.manager, facts, wish.hooks) }
        : closed(planManager(target.manager, facts, { hooks: wish.hooks, formats }));
    default: {
      const never: never = target;
      return never;
    }
  }
}

/** A folder for many repositories, or outside this one, is its owner's to change. */
function planForeign({ folder, top }: HookFacts, hooks: readonly HookName[]): InstallPlan {
  const where = shownPath(folder.path, top);
  return {
    ...NOTHING,
    messages: [
      `git looks for hooks in ${where}, ${FOREIGN[folder.setBy]}: nothing was written`,
      'to have apfel-bot there, add these lines to those files, each executable',
    ],
    printed: hooks.flatMap(hook => {
      const { now } = folder.files[hook];
      const isOther = now.kind === 'file' && now.text !== undefined && !isShellScript(now.text);
      return isOther
        ? [`# ${where}/${hook} is not a shell script: ${callInWords(hook)}`]
        : [`# ${where}/${hook}`, quietCallLine(hook, '"$@"')];
    }),
  };
}

const FOREIGN = {
  none: 'which leads outside the repository',
  repository: "which lies outside the repository (the repository's core.hooksPath)",
  global: 'which serves all your repositories (your global core.hooksPath)',
  system: "which serves all repositories (the system's core.hooksPath)",
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

interface ManagerWish {
  readonly hooks: readonly HookName[];
  readonly formats: Formats;
}

function planManager(manager: ManagerFacts, facts: HookFacts, wish: ManagerWish): InstallPlan {
  const [theirs, ours] = shared(manager, wish.hooks);
  const inTheirs = planTheirs(manager, facts, { ...wish, hooks: theirs });
  return joinPlans([inTheirs, planFolder(facts.folder, ours, facts.top)]);
}

function planTheirs(manager: ManagerFacts, facts: HookFacts, wish: ManagerWish): InstallPlan {
  if (wish.hooks.length === 0) return NOTHING;
  const { top } = facts;
  const shown = shownPath(manager.path, top);
  if (!manager.isInside) {
    return {
      ...NOTHING,
      messages: [`${shown} leads outside the repository: nothing was written; add the lines there`],
      printed: manualLines(manager, wish.hooks, top),
    };
  }
  const plan =
    manager.manager === 'husky'
      ? planHusky(manager, wish.hooks, top)
      : planConfig(manager, wish.hooks, { formats: wish.formats, top });
  if (plan.steps.length === 0) return plan;
  const next = isInUse(manager, facts) ? SYNC[manager.manager] : START[manager.manager];
  return {
    ...plan,
    notices: manager.isTracked ? [trackedNotice(shown)] : [],
    messages: [...plan.messages, ...next],
  };
}

/** Which hooks go into the manager's files, and which into git's own folder. */
function shared(
  manager: ManagerFacts,
  hooks: readonly HookName[],
): [theirs: readonly HookName[], ours: readonly HookName[]] {
  if (manager.manager !== 'pre-commit') return [hooks, []];
  return [hooks.filter(hook => hook === 'pre-commit'), hooks.filter(hook => hook !== 'pre-commit')];
}

function printedFor(manager: ManagerFacts, facts: HookFacts, hooks: readonly HookName[]): string[] {
  const [theirs, ours] = shared(manager, hooks);
  return [
    ...(theirs.length === 0 ? [] : manualLines(manager, theirs, facts.top)),
    ...manualShims(facts.folder, ours, facts.top),
  ];
}

const trackedNotice = (shown: string): string =>
  `${shown} is tracked by git: what is added there reaches everybody who pulls it`;

/** What makes git call a manager that it does not call yet. */
const START = {
  husky: ['git does not call husky here yet; have it do so with: npx husky'],
  lefthook: ['git does not call lefthook here yet; have it do so with: lefthook install'],
  'pre-commit': ['git does not call pre-commit here yet; have it do so with: pre-commit install'],
} as const;

/** What makes a manager in use take notice of new hooks. */
const SYNC = {
  husky: [],
  lefthook: ['to have git call the new hooks too: lefthook install'],
  'pre-commit': [],
} as const;

const closed = (plan: InstallPlan): InstallPlan =>
  plan.steps.length === 0
    ? plan
    : { ...plan, messages: [...plan.messages, 'to take it out again: apfel-bot uninstall'] };

const isBare = (): BotError =>
  new BotError('git', 'a bare repository has no work tree, so nobody commits in it', {
    hint: 'Install the hooks in a clone of it',
  });
