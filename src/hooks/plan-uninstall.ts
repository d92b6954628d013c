import {
  type ConfigFacts,
  type Formats,
  HOOK_NAMES,
  type HookFacts,
  type HookFile,
  type HookFolder,
  type HookName,
  type HuskyFacts,
  shownPath,
} from './facts.js';
import { type InstallPlan, isForeign, joinPlans, NOTHING } from './install-plan.js';
import { removeBlock } from './marked-block.js';
import { configEditor } from './plan-config.js';
import { BEFORE, callsUs, isShim, shimKind } from './shim.js';

/** What `apfel-bot uninstall` will do: our files and lines go, what was there before comes back. */
export function planUninstall(facts: HookFacts, formats: Formats): InstallPlan {
  const { top } = facts;
  const plans = facts.managers.map(manager =>
    manager.manager === 'husky'
      ? removeFromHusky(manager, top)
      : removeFromConfig(manager, formats, top),
  );
  for (const folder of [facts.folder, facts.unused]) {
    const isHuskys = facts.managers.some(manager => manager.path === folder?.path);
    if (folder === undefined || isHuskys) continue;
    plans.push(isForeign(folder) ? remindOf(folder) : removeFromFolder(folder, top));
  }
  const plan = joinPlans(plans);
  if (plan.messages.length > 0) return plan;
  return { ...NOTHING, messages: ['apfel-bot is not installed in this repository'] };
}

const removeFromFolder = (folder: HookFolder, top: string | undefined): InstallPlan => {
  const plan = joinPlans(HOOK_NAMES.map(hook => removeHook(folder, hook, top)));
  if (!folder.isTracked || plan.steps.length === 0) return plan;
  const notice = `${shownPath(folder.path, top)} is tracked by git: what is taken out is gone for everybody who pulls it`;
  return { ...plan, notices: [notice] };
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
    return hasBefore ? { ...say(`put ${shown} back as it was`), steps: [putBack] } : NOTHING;
  }
  const kind = now.kind === 'file' ? shimKind(now.text, hook) : 'other';
  if (kind === 'other') return leftBehind({ hasBefore, shown, now: textOf(now), hook });
  if (kind === 'changed') return say(changed(shown));
  const remove = { kind: 'remove', path, replaces: textOf(now) } as const;
  return hasBefore
    ? { ...say(`put ${shown} back as it was`), steps: [remove, putBack] }
    : { ...say(`removed ${shown}`), steps: [remove] };
}

const textOf = (file: HookFile): string => (file.kind === 'file' ? (file.text ?? '') : '');

interface LeftBehind {
  readonly hasBefore: boolean;
  readonly shown: string;
  readonly now: string;
  readonly hook: HookName;
}

function leftBehind({ hasBefore, shown, now, hook }: LeftBehind): InstallPlan {
  if (hasBefore) {
    return say(
      `left ${shown} alone: it is not apfel-bot's any more; an earlier hook is in ${hook}${BEFORE}`,
    );
  }
  return callsUs(now, hook) ? say(byHand(shown)) : NOTHING;
}

const removeFromHusky = (husky: HuskyFacts, top: string | undefined): InstallPlan =>
  joinPlans(
    HOOK_NAMES.map(hook => {
      const file = husky.files[hook];
      if (file.kind !== 'file' || file.text === undefined || !husky.isInside) return NOTHING;
      const path = `${husky.path}/${hook}`;
      const shown = shownPath(path, top);
      const kind = shimKind(file.text, hook);
      if (kind === 'changed') return say(changed(shown));
      if (kind !== 'other') {
        const remove = { kind: 'remove', path, replaces: file.text } as const;
        return { ...say(`removed ${shown}`), steps: [remove] };
      }
      return edit({
        path,
        shown,
        from: file.text,
        to: removeBlock(file.text, hook),
        hooks: [hook],
      });
    }),
  );

function removeFromConfig(
  config: ConfigFacts,
  formats: Formats,
  top: string | undefined,
): InstallPlan {
  if (config.text === undefined) return NOTHING;
  const { path, text } = config;
  const editor = configEditor(config, formats);
  // A link to somewhere else was not followed when installing either.
  const to = config.isInside
    ? HOOK_NAMES.reduce((left, hook) => editor.remove(left, hook), text)
    : text;
  return edit({ path, shown: shownPath(path, top), from: text, to, hooks: HOOK_NAMES });
}

interface Edit {
  readonly path: string;
  readonly shown: string;
  readonly from: string;
  readonly to: string;
  readonly hooks: readonly HookName[];
}

function edit({ path, shown, from, to, hooks }: Edit): InstallPlan {
  const calls = hooks.some(hook => callsUs(to, hook)) ? [byHand(shown)] : [];
  if (from === to) return { ...NOTHING, messages: calls };
  return {
    ...NOTHING,
    messages: [`took apfel-bot's lines out of ${shown}`, ...calls],
    steps: [{ kind: 'write', path, text: to, replaces: from, isExecutable: false }],
  };
}

/** We never wrote there; the user may have. */
function remindOf(folder: HookFolder): InstallPlan {
  const calling = HOOK_NAMES.filter(hook => callsUs(textOf(folder.files[hook].now), hook));
  return joinPlans(
    calling.map(hook => say(byHand(shownPath(`${folder.path}/${hook}`, undefined)))),
  );
}

const say = (message: string): InstallPlan => ({ ...NOTHING, messages: [message] });

const changed = (shown: string): string =>
  `left ${shown} alone: it was changed by hand; delete it yourself if you do not need it`;

const byHand = (shown: string): string =>
  `${shown} has a line of yours that calls apfel-bot: take it out by hand`;
