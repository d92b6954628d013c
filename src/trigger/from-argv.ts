import type { FailOn } from '../config.js';
import { parseDuration } from '../core/duration.js';
import { suggestion } from '../core/schema-problem.js';
import type { Selector } from '../core/task.js';
import { COMMANDS, type CommandSpec, FORMATS, type Format, GLOBAL_OPTIONS } from './commands.js';
import { commandHelp, frontHelp } from './help.js';
import { type Parsed, parseArgv, usage } from './parse-argv.js';

/** What the command line asks for, before environment and configuration have their say. */
export type Invocation =
  | { readonly kind: 'print'; readonly text: string }
  | { readonly kind: 'version' }
  | ({ readonly kind: 'work' } & WorkOptions);

export interface WorkOptions {
  readonly command: string;
  /** Undefined: to be found out from where we run. */
  readonly selector: Selector | undefined;
  readonly paths: readonly string[];
  readonly format: Format;
  readonly out: string | undefined;
  readonly deadlineMs: number | undefined;
  readonly failOn: FailOn | undefined;
  readonly isStrict: boolean;
  readonly withoutModel: boolean;
  readonly config: string | undefined;
  readonly isQuiet: boolean;
  readonly isVerbose: boolean;
  readonly withoutColor: boolean;
}

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
  return { kind: 'work', ...workOptions(command, parsed) };
}

function globalOption(argv: readonly string[]): Invocation {
  const { switches } = parseArgv(argv, GLOBAL_OPTIONS);
  return switches.has('version') ? { kind: 'version' } : { kind: 'print', text: frontHelp() };
}

function workOptions(command: CommandSpec, parsed: Parsed): WorkOptions {
  const [stray] = parsed.words;
  if (stray !== undefined) {
    throw usage(`unexpected argument ${JSON.stringify(stray)}; paths go behind --`);
  }
  const { values, switches } = parsed;
  return {
    command: command.name,
    selector: selectorOf(parsed),
    paths: parsed.paths,
    format: FORMATS.find(format => format === values.get('format')) ?? 'text',
    out: values.get('out'),
    deadlineMs: deadlineOf(values.get('deadline')),
    // The option table has checked the value.
    failOn: values.get('fail-on') as FailOn | undefined,
    isStrict: switches.has('strict'),
    withoutModel: switches.has('no-model'),
    config: values.get('config'),
    isQuiet: switches.has('quiet'),
    isVerbose: switches.has('verbose'),
    withoutColor: switches.has('no-color'),
  };
}

function selectorOf({ values, switches }: Parsed): Selector | undefined {
  const range = values.get('range');
  const revision = values.get('commit');
  const selectors: Array<readonly [name: string, selector: Selector]> = [];
  if (switches.has('staged')) selectors.push(['--staged', { kind: 'staged' }]);
  if (range !== undefined) selectors.push(['--range', parseRange(range)]);
  if (revision !== undefined) selectors.push(['--commit', { kind: 'commit', revision }]);
  if (switches.has('stdin')) selectors.push(['--stdin', { kind: 'stdin' }]);
  if (selectors.length > 1) {
    throw usage(`${selectors.map(([name]) => name).join(' and ')} exclude each other`);
  }
  return selectors[0]?.[1];
}

/** As git reads it: a side left out is HEAD. */
function parseRange(text: string): Selector {
  const [, from = '', dots, to = ''] = /^(.*?)(\.{2,3})(?!\.)(.*)$/.exec(text) ?? [];
  if (dots === undefined || (from === '' && to === '')) {
    throw usage(`--range must be A..B or A...B, found ${JSON.stringify(text)}`);
  }
  return { kind: 'range', from: from || 'HEAD', to: to || 'HEAD', symmetric: dots === '...' };
}

function deadlineOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const milliseconds = parseDuration(text);
  if (milliseconds !== undefined) return milliseconds;
  throw usage(`--deadline must be a time such as 8s or 2m, found ${JSON.stringify(text)}`);
}
