import { existsSync } from 'node:fs';
import { delimiter, join, relative, resolve, sep } from 'node:path';
import { field, parseJson, textOf } from '../core/json-fields.js';
import { managerIn } from '../platform/own-command.js';
import type { Environment } from '../platform/processes.js';
import { type Bound, printedBy } from '../platform/run-program.js';
import {
  HOOK_NAMES,
  type HookFacts,
  type HookFactsOptions,
  type HookName,
  type ManagerFacts,
  readHookFacts,
  readHookText,
  SIGNS,
  START,
  shownPath,
} from './facts.js';
import { chooseTarget, isInUse } from './plan-install.js';
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
    hook => !running.includes(hook) && namesUs(hookText(folder.files[hook].now)),
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
    const lost = lostToHusky(facts, running);
    if (lost !== undefined) return lost;
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
  const others = HOOK_NAMES.filter(hook => isExecutable(facts, hook)).join(', ');
  return {
    message:
      others === ''
        ? `there is no hook that runs apfel-bot (${places(facts)})`
        : `${others} ${others.includes(',') ? "don't" : "doesn't"} run apfel-bot (${places(facts)})`,
    fix: program === undefined ? `${installs} && apfel-bot install` : 'apfel-bot install',
  };
}

/** The next start of husky replaces the folder that git looks in. */
function lostToHusky(facts: HookFacts, running: readonly HookName[]): InstalledHooks | undefined {
  const target = chooseTarget(facts);
  if (target.kind !== 'manager' || target.manager.manager !== 'husky') return undefined;
  const { manager } = target;
  const lost = isInUse(manager, facts) ? [] : running.filter(hook => !callsFrom(manager, hook));
  if (lost.length === 0) return undefined;
  const where = shownPath(manager.path, facts.top);
  return {
    message: `husky will have git look for hooks in ${where}, where apfel-bot isn't in ${lost.join(', ')}`,
    fix: `apfel-bot install && ${START.husky}`,
  };
}

/** Looks for the program as the installed hooks do. */
function findProgram(
  { folder, managers, top }: HookFacts,
  running: readonly HookName[],
  options: Parameters<typeof lookUp>[1],
): Promise<Lookup | undefined> {
  const isLine = running.some(hook => managers.some(manager => callsFrom(manager, hook)));
  const [shim = ''] = running.map(hook => hookText(folder.files[hook].now)).filter(namesUs);
  const script = isLine ? lineLookupScript() : lookupScript(lookupIn(shim));
  return lookUp(script, { ...options, cwd: top ?? options.cwd });
}

/** Whether git runs it, directly or through a hook manager. */
function isRun(facts: HookFacts, hook: HookName): boolean {
  if (!isExecutable(facts, hook)) return false;
  const { now, legacy } = facts.folder.files[hook];
  const text = hookText(now);
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
  if (manager.manager === 'husky') return namesUs(hookText(manager.files[hook]));
  if (manager.manager === 'pre-commit') return hook === 'pre-commit' && namesUs(manager.text ?? '');
  return new RegExp(`apfel-bot[ /]hooks?[ /]${hook}`).test(manager.text ?? '');
}

const namesUs = (text: string): boolean => text.includes('apfel-bot');

const hookText = (file: HookFacts['folder']['files'][HookName]['now']): string =>
  file.kind === 'file' ? (file.text ?? '') : '';

function places({ folder, managers, top }: HookFacts): string {
  const by = folder.setBy === 'none' ? [] : [`by core.hooksPath (${folder.setBy})`];
  return [
    shownPath(folder.path, top),
    ...by,
    ...managers.map(manager => `${manager.manager} found`),
  ].join(', ');
}

interface LookupOptions {
  /** The folder that git starts hooks in. */
  readonly cwd: string;
  readonly env: Environment;
  readonly bound: Bound;
}

/**
 * Looks for the program with the hooks' own script, without what yarn adds to the PATH for this one
 * call.
 */
export async function lookUp(
  script: string,
  { cwd, bound, ...options }: LookupOptions,
): Promise<Lookup | undefined> {
  const { BERRY_BIN_FOLDER: yarns, ...rest } = options.env;
  const own = Object.entries(rest).filter(([name]) => !/^npm_|^INIT_CWD$/i.test(name));
  const path = (rest['PATH'] ?? '')
    .split(delimiter)
    .filter(folder => folder !== yarns)
    .join(delimiter);
  const env = { ...Object.fromEntries(own), PATH: path };
  const place = (await printedBy('/bin/sh', ['-c', script], { cwd, env, bound }))?.trim();
  return place === 'local' || place === 'global' ? place : undefined;
}

/** As in the README: it isn't on npm yet. */
const SOURCE = 'git+https://github.com/OWNER/apfel-bot.git';

/** The command that installs this program where a repository's hooks find it. */
export function installCommand(top: string, cwd: string): string {
  const [project = ''] = resolve(process.argv[1] ?? '').split(`${sep}node_modules${sep}`);
  // pnpm and Yarn keep packages outside the project that names them.
  const source = [project, cwd, top].map(sourceIn).find(found => found !== undefined) ?? SOURCE;
  // Yarn's Plug'n'Play has no node_modules, and a project in another language no package.json.
  if (existsSync(join(top, '.pnp.cjs')) || !existsSync(join(top, 'package.json'))) {
    return `npm install --global ${source}`;
  }
  const folder = relative(cwd, top);
  const adds = managerIn(top)?.[2] ?? 'npm install --save-dev';
  return `${folder === '' ? '' : `cd ${folder} && `}${adds} ${source}`;
}

/** Where a project's package.json installs us from, if that isn't the registry. */
export function sourceIn(project: string): string | undefined {
  const manifest = parseJson(readHookText(join(project, 'package.json')) ?? '');
  const source = ['devDependencies', 'dependencies']
    .map(kind => textOf(field(field(manifest, kind), 'apfel-bot')))
    .join('');
  if (/^(?:git|https?:)/.test(source)) return source;
  const path = source.replace(/^file:/, '');
  return path.endsWith('.tgz') || path !== source ? resolve(project, path) : undefined;
}
