import { COMMANDS, type CommandSpec } from './commands.js';
import type { OptionSpec } from './parse-argv.js';

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
