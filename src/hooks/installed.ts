import type { Bound } from '../platform/run-program.js';
import {
  HOOK_NAMES,
  type HookFacts,
  type HookFactsOptions,
  type HookName,
  type ManagerFacts,
  readHookFacts,
  SIGNS,
  START,
  shownPath,
} from './facts.js';
import { installCommand, lookUp } from './lookup.js';
import { isInUse } from './plan-install.js';
import { isShim, type Lookup, lineLookupScript, lookupIn, lookupScript } from './shim.js';

/** Whether git runs apfel-bot in a repository; `fix` says what to do where it doesn't. */
export interface InstalledHooks {
  readonly message: string;
  readonly fix?: string;
}

export async function installedHooks(
  options: HookFactsOptions,
  bound: Bound,
): Promise<InstalledHooks> {
  if (options.env['APFEL_BOT'] === '0') {
    return { message: 'APFEL_BOT=0 is set: the hooks skip apfel-bot', fix: 'unset APFEL_BOT' };
  }
  const facts = await readHookFacts(options);
  const { folder, managers, top } = facts;
  const running = HOOK_NAMES.filter(hook => isRun(facts, hook));
  const program = await findProgram(facts, running, { cwd: options.cwd, env: options.env, bound });
  const installs = installCommand(top ?? options.cwd, options.cwd);
  // A fresh clone has the manager's configuration, but git doesn't call the manager yet.
  const waiting = managers.find(manager =>
    HOOK_NAMES.some(hook => callsFrom(manager, hook) && !running.includes(hook)),
  );
  const idle = HOOK_NAMES.find(
    hook => !running.includes(hook) && namesUs(textOf(folder.files[hook].now)),
  );
  if (idle !== undefined) {
    return {
      message: `${idle} names apfel-bot, but git skips it because it isn't executable`,
      fix: `chmod +x ${shownPath(`${folder.path}/${idle}`, top)}`,
    };
  }
  if (running.length > 0 && (waiting === undefined || isInUse(waiting, facts))) {
    const names = running.join(', ');
    if (program === undefined) {
      return {
        message: `${names}: the hook doesn't find apfel-bot, so commits go through without a review`,
        fix: installs,
      };
    }
    const message = `${names} ${running.length === 1 ? 'runs' : 'run'} apfel-bot (${places(facts)})`;
    return running.includes('post-commit') && !running.includes('pre-commit')
      ? { message: `${message}; pre-commit doesn't`, fix: 'apfel-bot install' }
      : { message };
  }
  if (waiting !== undefined) {
    const isOlder = waiting.manager === 'simple-git-hooks' && isInUse(waiting, facts);
    const why = isOlder
      ? "the hooks that git runs don't yet"
      : `git doesn't call ${waiting.manager} in this clone`;
    return {
      message: `${shownPath(waiting.path, top)} names apfel-bot, but ${why}`,
      fix: START[waiting.manager],
    };
  }
  const others = HOOK_NAMES.filter(hook => isExecutable(facts, hook)).join(', ') || 'none';
  return {
    message: `no hook runs apfel-bot; git runs ${others} (${places(facts)})`,
    fix: program === undefined ? `${installs}, then: apfel-bot install` : 'apfel-bot install',
  };
}

/** Looks for the program as the installed hooks do. */
function findProgram(
  { folder, managers, top }: HookFacts,
  running: readonly HookName[],
  options: Parameters<typeof lookUp>[1],
): Promise<Lookup | undefined> {
  const isLine = running.some(hook => managers.some(manager => callsFrom(manager, hook)));
  const [shim = ''] = running.map(hook => textOf(folder.files[hook].now)).filter(namesUs);
  const script = isLine ? lineLookupScript() : lookupScript(lookupIn(shim));
  return lookUp(script, { ...options, cwd: top ?? options.cwd });
}

/** Whether git runs it, directly or through a hook manager. */
function isRun(facts: HookFacts, hook: HookName): boolean {
  if (!isExecutable(facts, hook)) return false;
  const { now, legacy } = facts.folder.files[hook];
  const text = textOf(now);
  if (namesUs(text)) return true;
  // The pre-commit framework runs what it found and renamed.
  if (isShim(legacy, hook) && text.includes(SIGNS['pre-commit'])) return true;
  return facts.managers.some(manager => {
    if (!callsFrom(manager, hook)) return false;
    if (manager.manager === 'husky') return isInUse(manager, facts);
    // simple-git-hooks copies its configuration into the hooks, so they would name us.
    return manager.manager !== 'simple-git-hooks' && text.includes(SIGNS[manager.manager]);
  });
}

function isExecutable({ folder }: HookFacts, hook: HookName): boolean {
  const { now } = folder.files[hook];
  return now.kind === 'file' && now.isExecutable;
}

/** The framework can also install us from a repository, by our name alone. */
function callsFrom(manager: ManagerFacts, hook: HookName): boolean {
  if (manager.manager === 'husky') return namesUs(textOf(manager.files[hook]));
  if (manager.manager === 'pre-commit') return hook === 'pre-commit' && namesUs(manager.text ?? '');
  return new RegExp(`apfel-bot[ /]hooks?[ /]${hook}`).test(manager.text ?? '');
}

const namesUs = (text: string): boolean => text.includes('apfel-bot');

const textOf = (file: HookFacts['folder']['files'][HookName]['now']): string =>
  file.kind === 'file' ? (file.text ?? '') : '';

function places({ folder, managers, top }: HookFacts): string {
  const by = folder.setBy === 'none' ? [] : [`by core.hooksPath (${folder.setBy})`];
  return [
    shownPath(folder.path, top),
    ...by,
    ...managers.map(manager => `${manager.manager} found`),
  ].join(', ');
}
