import { BotError } from '../core/bot-error.js';
import {
  BEFORE,
  HOOK_NAMES,
  type HookFacts,
  type HookFile,
  type HookFolder,
  type HookName,
  SIGNS,
  START,
  shownPath,
} from './facts.js';
import { isShellScript } from './husky.js';
import {
  changedByHand,
  type InstallPlan,
  joinPlans,
  messageOnly,
  NOTHING,
  notAFile,
  removeByHand,
  trackedNotice,
  write,
} from './plan.js';
import {
  callInstruction,
  callLine,
  callsUs,
  chainedShim,
  isShim,
  type Lookup,
  lookupIn,
  shim,
  shimKind,
} from './shim.js';

/** Shims in the folder that git looks in. An existing hook is renamed and runs first. */
export function planFolder(
  { folder, top }: Pick<HookFacts, 'folder' | 'top'>,
  hooks: readonly HookName[],
  recorded?: Lookup,
): InstallPlan {
  // In a tracked folder: others may have it installed elsewhere.
  const lookup = folder.isTracked ? undefined : recorded;
  const plan = joinPlans(hooks.map(hook => planHook({ folder, hook, top, lookup })));
  if (!folder.isTracked || plan.steps.length === 0) return plan;
  return { ...plan, notices: [trackedNotice(shownPath(folder.path, top)), ...plan.notices] };
}

function planHook({
  folder,
  hook,
  top,
  lookup,
}: Pick<HookFacts, 'folder' | 'top'> & {
  readonly hook: HookName;
  readonly lookup: Lookup | undefined;
}): InstallPlan {
  const { now, before, legacy } = folder.files[hook];
  const path = `${folder.path}/${hook}`;
  const shown = shownPath(path, top);
  if (isShim(legacy, hook))
    return messageOnly(`${shown}.legacy is already in place, run by pre-commit`);
  if (now.kind === 'odd' || before.kind === 'odd')
    throw notAFile(now.kind === 'odd' ? path : path + BEFORE);
  const hasBefore = before.kind === 'file';
  const text = (hasBefore ? chainedShim : shim)(hook, lookup);
  if (now.kind === 'absent') return write({ path, text, replaces: undefined }, `wrote ${shown}`);

  const kind = shimKind(now.text, hook);
  if (kind === 'changed') return messageOnly(`${shown} was changed by hand, so it was left alone`);
  if (kind === 'other') return planChained({ now, before, hook, path, shown, lookup });
  const isOther = lookupIn(now.text ?? '') !== lookup;
  if ((isOther || (kind === 'plain' && hasBefore)) && now.target === undefined) {
    return write({ path, text, replaces: now.text }, `wrote ${shown}`);
  }
  if (!now.isExecutable && now.target === undefined) {
    const same = { path, text: now.text ?? '', replaces: now.text };
    return write(same, `made ${shown} executable`);
  }
  return messageOnly(`${shown} is already in place`);
}

interface OtherHook {
  readonly now: Extract<HookFile, { kind: 'file' }>;
  readonly before: HookFile;
  readonly hook: HookName;
  readonly path: string;
  readonly shown: string;
  readonly lookup: Lookup | undefined;
}

function planChained({ now, before, hook, path, shown, lookup }: OtherHook): InstallPlan {
  if (now.text !== undefined && callsUs(now.text, hook)) {
    return messageOnly(`${shown} already calls apfel-bot`);
  }
  const isKept = before.kind === 'file' && before.text !== undefined && before.text === now.text;
  if (before.kind === 'file' && !isKept) throw replacedByOthers(path);
  if (now.text !== undefined && readsOwnName(now.text)) {
    if (!isShellScript(now.text)) {
      const why = "depends on its file name, so it can't be renamed, and isn't a shell script";
      return messageOnly(`${shown} ${why}: ${callInstruction(hook)}`);
    }
    return {
      ...messageOnly(
        `${shown} depends on its file name, so it can't be renamed: add this line to it by hand`,
      ),
      printed: [`# ${shown}`, callLine(hook, '"$@"')],
    };
  }
  const newName = `${hook}${BEFORE}`;
  const was = now.target === undefined ? 'the existing hook' : 'the existing link';
  const renamed = now.isExecutable
    ? `${was} is now ${newName} and runs first`
    : `${was} is now ${newName}; it wasn't executable, so git didn't run it, and it still doesn't run`;
  const text = chainedShim(hook, lookup);
  // An earlier run was killed after it had renamed the hook.
  if (isKept) return write({ path, text, replaces: now.text }, `wrote ${shown}; ${renamed}`);
  const plan = write({ path, text, replaces: undefined }, `wrote ${shown}; ${renamed}`);
  return { ...plan, steps: [{ kind: 'move', from: path, to: path + BEFORE }, ...plan.steps] };
}

const replacedByOthers = (path: string): BotError =>
  new BotError('git', `${path} was replaced after apfel-bot was installed`, {
    hint: `An earlier hook is still in ${path}${BEFORE}: delete the one you don't need, then run apfel-bot install again; nothing was changed`,
  });

/**
 * Some hooks are one script under many names that looks at `$0` to see which hook it is. Renamed,
 * it would do nothing or the wrong thing.
 */
export const readsOwnName = (text: string): boolean => NAME_LOOKUP.test(text);

const NAME_LOOKUP =
  /basename[^\n]{0,40}(?:\$0|\$\{0|argv\[0\]|__file__|PROGRAM_NAME|BASH_SOURCE)|\$\{0##|\/husky\.sh/i;

/** For `install --print`: each shim below its file name; for an existing hook, the line to add. */
export const manualShims = (
  folder: HookFolder,
  hooks: readonly HookName[],
  top: string | undefined,
): string[] =>
  hooks.flatMap(hook => {
    const { now } = folder.files[hook];
    const title = `# ${shownPath(`${folder.path}/${hook}`, top)}`;
    if (now.kind === 'absent' || isShim(now, hook)) {
      return [`${title} (chmod +x)`, ...shim(hook).split('\n')];
    }
    const text = now.kind === 'file' ? now.text : undefined;
    return text === undefined || isShellScript(text)
      ? [`${title}, at its end`, callLine(hook, '"$@"')]
      : [`${title} isn't a shell script: ${callInstruction(hook)}`];
  });

export const removeFromFolder = (folder: HookFolder, top: string | undefined): InstallPlan => {
  const plan = joinPlans(HOOK_NAMES.map(hook => removeHook(folder, hook, top)));
  if (!folder.isTracked || plan.steps.length === 0) return plan;
  return { ...plan, notices: [trackedNotice(shownPath(folder.path, top))] };
};

function removeHook(folder: HookFolder, hook: HookName, top: string | undefined): InstallPlan {
  const place = folder.files[hook];
  const isLegacy = isShim(place.legacy, hook);
  const now = isLegacy ? place.legacy : place.now;
  const path = `${folder.path}/${hook}${isLegacy ? '.legacy' : ''}`;
  const shown = shownPath(path, top);
  const putBack = { kind: 'move', from: `${folder.path}/${hook}${BEFORE}`, to: path } as const;
  const hasBefore = place.before.kind !== 'absent';
  if (now.kind === 'absent') {
    return hasBefore ? { ...messageOnly(`restored ${shown}`), steps: [putBack] } : NOTHING;
  }
  const kind = now.kind === 'file' ? shimKind(now.text, hook) : 'other';
  if (kind === 'other') {
    if (!hasBefore) return planLeftover(textOf(now), shown, hook);
    const why = `it isn't apfel-bot's any more; an earlier hook is in ${hook}${BEFORE}`;
    return messageOnly(`left ${shown} alone: ${why}`);
  }
  if (kind === 'changed') return messageOnly(changedByHand(shown));
  const remove = { kind: 'remove', path, replaces: textOf(now) } as const;
  return hasBefore
    ? { ...messageOnly(`restored ${shown}`), steps: [remove, putBack] }
    : { ...messageOnly(`removed ${shown}`), steps: [remove] };
}

const textOf = (file: HookFile): string => (file.kind === 'file' ? (file.text ?? '') : '');

function planLeftover(now: string, shown: string, hook: HookName): InstallPlan {
  if (!callsUs(now, hook)) return NOTHING;
  return messageOnly(
    now.includes(SIGNS['simple-git-hooks'])
      ? `to remove it from ${shown} too: ${START['simple-git-hooks']}`
      : removeByHand(shown),
  );
}

/** We never wrote to this folder, but the user may have added our line. */
export function remindOfCalls(folder: HookFolder): InstallPlan {
  const calling = HOOK_NAMES.filter(hook => callsUs(textOf(folder.files[hook].now), hook));
  return joinPlans(
    calling.map(hook => messageOnly(removeByHand(shownPath(`${folder.path}/${hook}`, undefined)))),
  );
}
