import { BotError } from '../core/bot-error.js';
import {
  type Formats,
  type HookFacts,
  type HookFile,
  type HookFolder,
  type HookName,
  type ManagerFacts,
  shownPath,
} from './facts.js';
import { planHusky } from './husky.js';
import {
  chooseTarget,
  type FileStep,
  type InstallPlan,
  isInUse,
  joinPlans,
  NOTHING,
} from './install-plan.js';
import { manualLines, manualShims } from './manual-lines.js';
import { planConfig } from './plan-config.js';
import { isShellScript } from './shell.js';
import {
  BEFORE,
  callInWords,
  callLine,
  callsUs,
  chainedShim,
  isShim,
  quietCallLine,
  shim,
  shimKind,
} from './shim.js';

export interface InstallOptions {
  readonly hooks: readonly HookName[];
  /** Nothing is written; the lines are printed instead. */
  readonly isPrintOnly: boolean;
}

/** What `apfel-bot install` will do, from what is there. Asked again afterwards, it does nothing. */
export function planInstall(
  facts: HookFacts,
  options: InstallOptions,
  formats: Formats,
): InstallPlan {
  if (facts.top === undefined) throw isBare();
  const target = chooseTarget(facts);
  switch (target.kind) {
    case 'foreign':
      return planForeign(facts, options.hooks);
    case 'several':
      return planSeveral(target.managers, options.hooks, facts.top);
    case 'folder':
      return options.isPrintOnly
        ? { ...NOTHING, printed: manualShims(facts.folder, options.hooks, facts.top) }
        : closed(planFolder(facts.folder, options.hooks, facts.top));
    case 'manager':
      return options.isPrintOnly
        ? { ...NOTHING, printed: printedFor(target.manager, facts, options.hooks) }
        : closed(planManager(target.manager, facts, { hooks: options.hooks, formats }));
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

interface ManagerOptions {
  readonly hooks: readonly HookName[];
  readonly formats: Formats;
}

function planManager(
  manager: ManagerFacts,
  facts: HookFacts,
  options: ManagerOptions,
): InstallPlan {
  const [theirs, ours] = shared(manager, options.hooks);
  const inTheirs = planTheirs(manager, facts, { ...options, hooks: theirs });
  return joinPlans([inTheirs, planFolder(facts.folder, ours, facts.top)]);
}

function planTheirs(manager: ManagerFacts, facts: HookFacts, options: ManagerOptions): InstallPlan {
  if (options.hooks.length === 0) return NOTHING;
  const { top } = facts;
  const shown = shownPath(manager.path, top);
  if (!manager.isInside) {
    return {
      ...NOTHING,
      messages: [`${shown} leads outside the repository: nothing was written; add the lines there`],
      printed: manualLines(manager, options.hooks, top),
    };
  }
  const plan =
    manager.manager === 'husky'
      ? planHusky(manager, options.hooks, top)
      : planConfig(manager, options.hooks, { formats: options.formats, top });
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

/** Shims in the folder that git looks in. A hook that is there already moves aside and runs first. */
export function planFolder(
  folder: HookFolder,
  hooks: readonly HookName[],
  top: string | undefined,
): InstallPlan {
  const plan = joinPlans(hooks.map(hook => planHook(folder, hook, top)));
  if (!folder.isTracked || plan.steps.length === 0) return plan;
  const notice = `${shownPath(folder.path, top)} is tracked by git: what is written there reaches everybody who pulls it`;
  return { ...plan, notices: [notice, ...plan.notices] };
}

function planHook(folder: HookFolder, hook: HookName, top: string | undefined): InstallPlan {
  const { now, before, legacy } = folder.files[hook];
  const path = `${folder.path}/${hook}`;
  const shown = shownPath(path, top);
  if (isShim(legacy, hook)) return say(`${shown}.legacy is in place already, run by pre-commit`);
  if (now.kind === 'odd' || before.kind === 'odd')
    throw notAFile(now.kind === 'odd' ? path : path + BEFORE);
  const hasBefore = before.kind === 'file';
  const text = hasBefore ? chainedShim(hook) : shim(hook);
  if (now.kind === 'absent') return write({ path, text, replaces: undefined }, `wrote ${shown}`);

  const kind = shimKind(now.text, hook);
  if (kind === 'changed') return say(`${shown} was changed by hand, so it is left as it is`);
  if (kind === 'other') return planBesideOther({ now, hasBefore, hook, path, shown });
  if (kind === 'plain' && hasBefore && now.target === undefined) {
    return write({ path, text, replaces: now.text }, `wrote ${shown}`);
  }
  if (!now.isExecutable && now.target === undefined) {
    const same = { path, text: now.text ?? '', replaces: now.text };
    return write(same, `made ${shown} executable`);
  }
  return say(`${shown} is in place already`);
}

interface OtherHook {
  readonly now: Extract<HookFile, { kind: 'file' }>;
  readonly hasBefore: boolean;
  readonly hook: HookName;
  readonly path: string;
  readonly shown: string;
}

function planBesideOther({ now, hasBefore, hook, path, shown }: OtherHook): InstallPlan {
  if (now.text !== undefined && callsUs(now.text, hook)) {
    return say(`${shown} calls apfel-bot already`);
  }
  if (hasBefore) throw replacedByOthers(path);
  if (now.text !== undefined && asksItsOwnName(now.text)) {
    if (!isShellScript(now.text)) {
      const why = 'goes by its own name, so it cannot be moved aside, and is not a shell script';
      return say(`${shown} ${why}: ${callInWords(hook)}`);
    }
    return {
      ...say(`${shown} goes by its own name and cannot be moved aside: add the line to it by hand`),
      printed: [`# ${shown}`, callLine(hook, '"$@"')],
    };
  }
  const kept = `${hook}${BEFORE}`;
  const was = now.target === undefined ? 'the hook that was there' : 'the link that was there';
  const fate = now.isExecutable
    ? `${was} is now ${kept} and runs first`
    : `${was} is now ${kept}; it was not executable, so git did not run it, and it does not run now`;
  const plan = write(
    { path, text: chainedShim(hook), replaces: undefined },
    `wrote ${shown}; ${fate}`,
  );
  return { ...plan, steps: [{ kind: 'move', from: path, to: path + BEFORE }, ...plan.steps] };
}

type Writing = Pick<Extract<FileStep, { kind: 'write' }>, 'path' | 'text' | 'replaces'>;

const write = (writing: Writing, message: string): InstallPlan => ({
  ...say(message),
  steps: [{ kind: 'write', isExecutable: true, ...writing }],
});

const say = (message: string): InstallPlan => ({ ...NOTHING, messages: [message] });

const notAFile = (path: string): BotError =>
  new BotError('git', `${path} is neither a file nor a link, so no hook can be written there`, {
    hint: 'Move it away and run apfel-bot install again; nothing was changed',
  });

const replacedByOthers = (path: string): BotError =>
  new BotError('git', `${path} was replaced after apfel-bot was installed`, {
    hint: `An earlier hook is still kept in ${path}${BEFORE}: delete the one you do not need, then run apfel-bot install again; nothing was changed`,
  });

/**
 * Some hooks are one script for all names and look at `$0` to see which they are. Under another
 * name they would do nothing, or the wrong thing.
 */
export const asksItsOwnName = (text: string): boolean => SIGNS.test(text);

const SIGNS =
  /basename[^\n]{0,40}(?:\$0|\$\{0|argv\[0\]|__file__|PROGRAM_NAME|BASH_SOURCE)|\$\{0##|\/husky\.sh/i;
