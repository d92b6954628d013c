import { BotError } from '../core/failure.js';
import { callInWords, callLine, callsUs } from './call-line.js';
import type { HuskyFacts } from './hook-facts.js';
import type { HookName } from './hook-name.js';
import { type InstallPlan, joinPlans, NOTHING } from './install-plan.js';
import { isShellScript } from './is-shell-script.js';
import { leavesEarly } from './leaves-early.js';
import { addBlock, endSeat } from './marked-block.js';
import { shim, shimKind } from './shim.js';
import { shownPath } from './shown-path.js';

/** husky runs `.husky/NAME` as a script: a new one is our shim, an old one gets our line below. */
export const planHusky = (
  husky: HuskyFacts,
  hooks: readonly HookName[],
  top: string | undefined,
): InstallPlan => joinPlans(hooks.map(hook => planHook(husky, hook, top)));

export const huskyLine = (hook: HookName): string => callLine(hook, '"$@"');

function planHook(husky: HuskyFacts, hook: HookName, top: string | undefined): InstallPlan {
  const file = husky.files[hook];
  const path = `${husky.path}/${hook}`;
  const shown = shownPath(path, top);
  const say = (message: string): InstallPlan => ({ ...NOTHING, messages: [message] });
  if (file.kind === 'odd') throw notAFile(path);
  if (file.kind === 'absent') {
    const text = shim(hook);
    return {
      ...say(`wrote ${shown}`),
      steps: [{ kind: 'write', path, text, replaces: undefined, isExecutable: true }],
    };
  }
  const kind = shimKind(file.text, hook);
  if (kind === 'changed') return say(`${shown} was changed by hand, so it is left as it is`);
  if (kind !== 'other') return say(`${shown} is in place already`);
  if (file.text !== undefined && callsUs(file.text, hook)) {
    return say(`${shown} calls apfel-bot already`);
  }
  if (file.text !== undefined && !isShellScript(file.text)) {
    return say(`${shown} is not a shell script: ${callInWords(hook)}`);
  }
  const obstacle = obstacleIn(file.text, file.target);
  if (file.text === undefined || obstacle !== undefined) {
    return {
      ...say(`${shown} ${obstacle}`),
      printed: [`# ${shown}`, huskyLine(hook)],
    };
  }
  const block = { hook, lines: [huskyLine(hook)] };
  const text = addBlock(file.text, endSeat(file.text), block);
  return {
    ...say(`added lines to the end of ${shown}`),
    steps: [{ kind: 'write', path, text, replaces: file.text, isExecutable: false }],
  };
}

function obstacleIn(text: string | undefined, target: string | undefined): string | undefined {
  if (text === undefined) return `is not a text file: ${BY_HAND}`;
  if (target !== undefined) return `is a symbolic link: ${BY_HAND}`;
  if (text.includes('\r\n')) return `has line ends that a shell cannot read: ${BY_HAND}`;
  return leavesEarly(text) ? `leaves before its end: ${BY_HAND}, above where it leaves` : undefined;
}

const BY_HAND = 'add the line to it by hand';

const notAFile = (path: string): BotError =>
  new BotError('git', `${path} is neither a file nor a link, so no hook can be written there`, {
    hint: 'Move it away and run apfel-bot install again; nothing was changed',
  });
