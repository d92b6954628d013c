import { parseArgs } from 'node:util';
import { suggestion } from '../core/nearest.js';
import { type ParsedArguments, usage } from '../core/task.js';

/** One option of a command, as `--help` prints it. */
export interface OptionSpec {
  readonly name: string;
  readonly short?: string;
  /** The placeholder for the value in the help; absent for a switch. */
  readonly value?: string;
  /** Without a value it is the empty string. */
  readonly isValueOptional?: true;
  /** The only values allowed. */
  readonly choices?: readonly string[];
  readonly help: string;
}

/** Splits a command's arguments by its option table; anything not in it is a usage failure. */
export function parseArgv(argv: readonly string[], specs: readonly OptionSpec[]): ParsedArguments {
  const values = new Map<string, string>();
  const switches = new Set<string>();
  const words: string[] = [];
  const end = argv.indexOf('--');
  const args = (end === -1 ? argv : argv.slice(0, end)).map((arg, at) =>
    isAlone(arg, argv[at + 1], specs) ? `${arg}=` : arg,
  );
  const options = specs.map(({ name, short, value }) => {
    const type = value === undefined ? ('boolean' as const) : ('string' as const);
    return [name, short === undefined ? { type } : { type, short }] as const;
  });
  for (const token of parseArgs({
    args,
    options: Object.fromEntries(options),
    strict: false,
    tokens: true,
  }).tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    const spec = specs.find(each => each.name === token.name);
    if (spec === undefined) throw unknownOption(args[token.index] ?? '', specs);
    if (spec.value !== undefined) {
      values.set(spec.name, checkedValue(spec, token.value, values.has(spec.name)));
    } else if (token.value === undefined) switches.add(spec.name);
    else throw usage(`--${spec.name} takes no value, found ${JSON.stringify(token.value)}`);
  }
  return { values, switches, positionals: words, paths: end === -1 ? [] : argv.slice(end + 1) };
}

/** The arguments of a hook. Of wrong ones only its name and configuration are read. */
export function parseHookArgv(
  argv: readonly string[],
  specs: readonly OptionSpec[],
): ParsedArguments {
  try {
    return parseArgv(argv, specs);
  } catch (problem) {
    const options = { config: { type: 'string' } } as const;
    const { values, positionals } = parseArgs({ args: [...argv], options, strict: false });
    const config = typeof values.config === 'string' ? [['config', values.config] as const] : [];
    return { values: new Map(config), switches: new Set(), positionals, paths: [], problem };
  }
}

/**
 * Whether an option with an optional value has none; Node would take the next option as its value.
 */
const isAlone = (arg: string, next: string | undefined, specs: readonly OptionSpec[]): boolean =>
  (next === undefined || next.startsWith('-')) &&
  specs.some(({ name, isValueOptional }) => isValueOptional && arg === `--${name}`);

const unknownOption = (arg: string, specs: readonly OptionSpec[]): Error => {
  const known = specs.map(({ name }) => `--${name}`);
  return usage(`unknown option ${JSON.stringify(arg)}${suggestion(arg, known)}`);
};

function checkedValue(spec: OptionSpec, value: string | undefined, isRepeated: boolean): string {
  if (isRepeated) throw usage(`--${spec.name} is given twice`);
  if (value === '' && spec.isValueOptional) return '';
  // An empty value usually comes from an unset variable, and is useless for any option.
  if (value === undefined || value === '') {
    const found = value === undefined ? '' : ', found ""';
    throw usage(`--${spec.name} needs a value: ${spec.value}${found}`);
  }
  if (spec.choices !== undefined && !spec.choices.includes(value)) {
    const allowed = spec.choices.join(', ');
    const hint = suggestion(value, spec.choices);
    throw usage(`--${spec.name} must be one of ${allowed}, found ${JSON.stringify(value)}${hint}`);
  }
  return value;
}
