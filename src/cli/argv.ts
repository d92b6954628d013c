import { suggestion } from '../core/schema-problem.js';
import { type Parsed, usage } from '../core/task.js';

/** One switch of the command line, as told in `--help`. */
export interface OptionSpec {
  readonly name: string;
  /** What stands for the value in the help; absent for a switch without one. */
  readonly value?: string;
  /** The only values allowed. */
  readonly choices?: readonly string[];
  readonly help: string;
  /** Said without its name in the help. */
  readonly isHidden?: boolean;
}

/** Splits a command's arguments by its option table; anything not in it is a usage failure. */
export function parseArgv(argv: readonly string[], specs: readonly OptionSpec[]): Parsed {
  const values = new Map<string, string>();
  const switches = new Set<string>();
  const words: string[] = [];
  const end = argv.indexOf('--');
  const args = end === -1 ? argv : argv.slice(0, end);
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (!arg.startsWith('-') || arg === '-') {
      words.push(arg);
      continue;
    }
    const [, name = '', given] = /^--?([^=]*)(?:=([\s\S]*))?$/.exec(arg) ?? [];
    const spec = findSpec(arg, name, specs);
    if (spec.value === undefined) {
      if (given !== undefined)
        throw usage(`--${name} takes no value, found ${JSON.stringify(given)}`);
      switches.add(spec.name);
      continue;
    }
    if (given === undefined) at += 1;
    const value = given ?? args[at];
    values.set(spec.name, checkedValue(spec, value, values.has(spec.name)));
  }
  return { values, switches, words, paths: end === -1 ? [] : argv.slice(end + 1) };
}

function findSpec(arg: string, name: string, specs: readonly OptionSpec[]): OptionSpec {
  const spec = specs.find(each => each.name === name);
  if (spec !== undefined && arg.startsWith('--')) return spec;
  const known = specs.filter(each => !each.isHidden).map(each => `--${each.name}`);
  throw usage(`unknown option ${JSON.stringify(arg)}${suggestion(arg, known)}`);
}

function checkedValue(spec: OptionSpec, value: string | undefined, isRepeated: boolean): string {
  if (isRepeated) throw usage(`--${spec.name} is given twice`);
  // An empty one comes from a variable that was never set, and no option means anything by it.
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
