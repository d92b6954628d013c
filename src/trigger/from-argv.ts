import { suggestion } from '../core/schema-problem.js';
import { COMMANDS, GLOBAL_OPTIONS } from './commands.js';
import { commandHelp, frontHelp } from './help.js';
import { type Parsed, parseArgv, usage } from './parse-argv.js';

/** What the command line asks for, before environment and configuration have their say. */
export type Invocation =
  | { readonly kind: 'print'; readonly text: string }
  | { readonly kind: 'version' }
  | { readonly kind: 'work'; readonly command: string; readonly parsed: Parsed };

export function fromArgv(argv: readonly string[]): Invocation {
  const [name, ...rest] = argv;
  if (name === undefined) return { kind: 'print', text: frontHelp() };
  if (name.startsWith('-')) return globalOption(argv);
  const command = COMMANDS.find(each => each.name === name);
  if (command === undefined) {
    const known = COMMANDS.map(each => each.name);
    throw usage(`unknown command ${JSON.stringify(name)}${suggestion(name, known)}`);
  }
  const parsed = parseArgv(rest, command.options);
  if (parsed.switches.has('help')) return { kind: 'print', text: commandHelp(command) };
  return { kind: 'work', command: name, parsed };
}

function globalOption(argv: readonly string[]): Invocation {
  const { switches } = parseArgv(argv, GLOBAL_OPTIONS);
  return switches.has('version') ? { kind: 'version' } : { kind: 'print', text: frontHelp() };
}
