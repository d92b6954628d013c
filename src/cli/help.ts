import { suggestion } from '../core/schema-problem.js';
import { type Parsed, usage } from '../core/task.js';
import { type OptionSpec, parseArgv } from './argv.js';
import { COMMANDS, type CommandSpec, GLOBAL_OPTIONS } from './commands.js';

/** The front page: what there is. */
export function frontHelp(): string {
  return [
    'apfel-bot: reviews and fixes with the model that is already on your Mac.',
    '',
    'usage: apfel-bot COMMAND [options]',
    '',
    ...columns(COMMANDS.map(({ name, summary }) => [name, summary])),
    '',
    'apfel-bot COMMAND --help tells the rest. Exit codes: 0 done, 1 findings, 2 usage,',
    '3 git, 4 no model, 5 publishing failed, 6 incomplete (--strict), 7 not permitted.',
    '',
  ].join('\n');
}

/** One command's page, from the same table that parses its arguments. */
export function commandHelp(command: CommandSpec): string {
  return [
    `apfel-bot ${command.name}: ${command.summary}`,
    '',
    `usage: apfel-bot ${command.name} ${command.synopsis}`,
    '',
    ...columns(command.options.map(option => [spelled(option), option.help])),
    '',
  ].join('\n');
}

const spelled = ({ name, value }: OptionSpec): string =>
  value === undefined ? `--${name}` : `--${name} ${value}`;

function columns(rows: ReadonlyArray<readonly [left: string, right: string]>): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}

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
