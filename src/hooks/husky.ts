import { BotError } from '../core/bot-error.js';
import { type HookName, type HuskyFacts, shownPath } from './facts.js';
import { type InstallPlan, joinPlans, NOTHING } from './install-plan.js';
import { addBlock, insertAtEnd } from './marked-block.js';
import { isShellScript, type ShellCommand, shellCommands } from './shell.js';
import { callInWords, callLine, callsUs, shim, shimKind } from './shim.js';

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
  const text = addBlock(file.text, insertAtEnd(file.text), block);
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

/**
 * Whether lines at the end of a shell script would never be reached. A guard such as
 * `[ -n "$CI" ] && exit 0` or `make || exit 1` leaves only sometimes and is nobody's mistake.
 */
export function leavesEarly(script: string): boolean {
  const commands = shellCommands(script);
  return commands.some((command, at) => {
    if (command.depth > 0 || !leaves(command)) return false;
    if (command.after === 'next') return true;
    // Behind `&&` it is meant to leave only where nothing follows and nothing is asked before.
    const isLast = at === commands.length - 1;
    return command.after === 'and' && isLast && !asks(startOf(commands, at));
  });
}

function leaves({ words: [name, first] }: ShellCommand): boolean {
  if (name === 'exit' || name === 'return') return true;
  // `exec < /dev/tty` only changes where the script reads from.
  return name === 'exec' && first !== undefined && !/^\d*[<>&]/.test(first);
}

/** Where the list that ends in this command begins. */
function startOf(commands: readonly ShellCommand[], end: number): ShellCommand | undefined {
  let at = end;
  while (at > 0 && commands[at]?.after !== 'next') at -= 1;
  return commands[at];
}

const asks = (command: ShellCommand | undefined): boolean =>
  ['[', '[[', 'test', 'command', 'grep', '!'].includes(command?.words[0] ?? '');
