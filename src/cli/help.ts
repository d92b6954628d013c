import { suggestion } from '../core/nearest.js';
import { type ParsedArguments, usage } from '../core/task.js';
import { asRun } from '../platform/own-command.js';
import { wrapLines } from '../platform/terminal.js';
import { type OptionSpec, parseArgv } from './argv.js';
import { COMMANDS, type CommandSpec, GLOBAL_OPTIONS } from './commands.js';
import { HELP } from './options.js';

/** The list of commands. */
function frontHelp(screen: number): string {
  const text = [
    'apfel-bot: reviews and fixes with the model that is already on your Mac.',
    '',
    'usage: apfel-bot COMMAND [options]',
    '',
    ...columns(
      COMMANDS.map(({ name, summary }) => [name, summary]),
      screen,
    ),
    '',
    asRun('To try it: apfel-bot demo'),
    asRun('To review every commit: apfel-bot install'),
    asRun('To list the options of a command: apfel-bot help COMMAND'),
    '',
    'Exit codes: 0 done, 1 findings, 2 usage, 3 git, 4 no model, 5 publishing failed, 6 incomplete (--strict), 7 not permitted, 70 a bug in apfel-bot, 130 and 143 interrupted.',
    '',
  ].join('\n');
  return wrapLines(text, screen);
}

/** One command's page, from the same table that parses its arguments. */
function commandHelp(command: CommandSpec, screen: number): string {
  const text = [
    `apfel-bot ${command.name}: ${command.summary}`,
    '',
    hanging('usage: ', `apfel-bot ${command.name} ${command.synopsis}`.trimEnd(), screen),
    '',
    ...columns(
      command.options.map(option => [spelled(option), option.help]),
      screen,
    ),
    '',
  ].join('\n');
  return wrapLines(text, screen);
}

function spelled({ name, short, value, isValueOptional }: OptionSpec): string {
  const shown = isValueOptional ? `[${value}]` : (value ?? '');
  return `${short === undefined ? '' : `-${short}, `}--${name} ${shown}`.trimEnd();
}

/** Narrower than this, what an option means is on the line below it. */
const MIN_RIGHT = 30;

function columns(
  rows: ReadonlyArray<readonly [left: string, right: string]>,
  screen: number,
): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  const isWide = screen - width - 4 >= MIN_RIGHT;
  return rows.flatMap(([left, right]) =>
    isWide
      ? [hanging(`  ${left.padEnd(width)}  `, right, screen)]
      : [`  ${left}`, hanging('      ', right, screen)],
  );
}

/** The text is wrapped beside its head. */
const hanging = (head: string, text: string, screen: number): string =>
  head + wrapLines(text, screen - head.length).replace(/\n */g, `\n${' '.repeat(head.length)}`);

/** What the command line asks for; environment and configuration are read later. */
export type Invocation =
  | { readonly kind: 'print'; readonly text: string }
  | { readonly kind: 'version' }
  | { readonly kind: 'work'; readonly command: string; readonly parsed: ParsedArguments };

export function fromArgv(argv: readonly string[], screen: number): Invocation {
  const [name, ...rest] = argv;
  if (name === undefined) return { kind: 'print', text: frontHelp(screen) };
  if (name.startsWith('-')) return globalOption(argv, screen);
  if (name === 'help') return helpOn(parseArgv(rest, [HELP]), screen);
  if (name === 'version') return globalOption(['--version', ...rest], screen);
  const command = findCommand(name);
  const parsed = parseArgv(rest, command.options);
  if (parsed.switches.has('help')) return { kind: 'print', text: commandHelp(command, screen) };
  return { kind: 'work', command: name, parsed };
}

function globalOption(argv: readonly string[], screen: number): Invocation {
  const { switches, positionals: words } = parseArgv(argv, GLOBAL_OPTIONS);
  mustEndBefore(words[0]);
  return switches.has('version') ? { kind: 'version' } : { kind: 'print', text: frontHelp(screen) };
}

function helpOn({ positionals: [name, stray] }: ParsedArguments, screen: number): Invocation {
  mustEndBefore(stray);
  return {
    kind: 'print',
    text:
      name === undefined || name === 'help'
        ? frontHelp(screen)
        : commandHelp(findCommand(name), screen),
  };
}

function mustEndBefore(stray: string | undefined): void {
  if (stray !== undefined) throw usage(`unexpected argument ${JSON.stringify(stray)}`);
}

function findCommand(name: string): CommandSpec {
  const command = COMMANDS.find(each => each.name === name);
  if (command !== undefined) return command;
  const known = [...COMMANDS.map(each => each.name), 'help', 'version'];
  throw usage(`unknown command ${JSON.stringify(name)}${suggestion(name, known)}`);
}
