import { type ShellCommand, shellCommands } from './shell-commands.js';

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
