import { BotError } from '../core/failure.js';
import { asksItsOwnName } from './asks-its-own-name.js';
import { callInWords, callLine, callsUs } from './call-line.js';
import type { HookFile, HookFolder } from './hook-facts.js';
import type { HookName } from './hook-name.js';
import { type FileStep, type InstallPlan, joinPlans, NOTHING } from './install-plan.js';
import { isShellScript } from './is-shell-script.js';
import { BEFORE, chainedShim, isShim, shim, shimKind } from './shim.js';
import { shownPath } from './shown-path.js';

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
