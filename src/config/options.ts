import { parseDuration } from '../core/deadline.js';
import type { FailOn } from '../core/finding.js';
import { type ParsedArguments, type Selector, usage } from '../core/task.js';
import type { Protocol } from './config.js';

export const FORMATS = ['text', 'json', 'sarif', 'rdjson', 'github', 'markdown'] as const;
export type Format = (typeof FORMATS)[number];

/** The options that the working commands share; undefined or false if not given. */
export interface WorkOptions {
  readonly selector: Selector | undefined;
  /** `--pr N`: becomes a selector once it is fetched. */
  readonly pull: PullOptions | undefined;
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
  /** Nothing is written: no file, no record, no cache. */
  readonly isDryRun: boolean;
  readonly votes: number | undefined;
  readonly shard: string | undefined;
  readonly model: ModelOptions;
}

export interface PullOptions {
  readonly number: number;
  /** `--base REV` */
  readonly base: string | undefined;
}

export interface ModelOptions {
  readonly baseUrl: string | undefined;
  readonly name: string | undefined;
  readonly protocol: Protocol | undefined;
  readonly allowRemote: boolean;
}

export function workOptions(parsed: ParsedArguments): WorkOptions {
  const { values, switches } = parsed;
  const isDryRun = switches.has('dry-run');
  return {
    selector: selectorOf(parsed),
    pull: pullOf(parsed),
    paths: parsed.paths,
    format: FORMATS.find(format => format === values.get('format')) ?? 'text',
    out: isDryRun ? undefined : values.get('out'),
    deadlineMs: deadlineOf(values.get('deadline')),
    // Checked by the option table.
    failOn: values.get('fail-on') as FailOn | undefined,
    isStrict: switches.has('strict'),
    withoutModel: switches.has('no-model'),
    config: values.get('config'),
    isQuiet: switches.has('quiet'),
    isVerbose: switches.has('verbose'),
    isDryRun,
    votes: votesOf(values.get('votes')),
    shard: values.get('shard'),
    model: {
      baseUrl: values.get('base-url'),
      name: values.get('model'),
      protocol: values.get('protocol') as Protocol | undefined,
      allowRemote: switches.has('allow-remote'),
    },
  };
}

/** For commands without positional arguments. */
export function rejectPositionals(
  { positionals: [stray] }: ParsedArguments,
  takes: 'nothing' | 'paths' = 'nothing',
): void {
  if (stray === undefined) return;
  const hint = stray.includes('..')
    ? `; a range is named with --range ${stray}`
    : '; put paths after --';
  throw usage(`unexpected argument ${JSON.stringify(stray)}${takes === 'paths' ? hint : ''}`);
}

function selectorOf({ values, switches }: ParsedArguments): Selector | undefined {
  const range = values.get('range');
  const revision = values.get('commit');
  const selectors: Array<readonly [name: string, selector: Selector | undefined]> = [];
  if (switches.has('staged')) selectors.push(['--staged', { kind: 'staged' }]);
  if (range !== undefined) selectors.push(['--range', parseRange(range)]);
  if (revision !== undefined) selectors.push(['--commit', { kind: 'commit', revision }]);
  if (values.has('pr')) selectors.push(['--pr', undefined]);
  if (switches.has('stdin')) selectors.push(['--stdin', { kind: 'stdin' }]);
  if (selectors.length > 1) {
    throw usage(`${selectors.map(([name]) => name).join(' and ')} exclude each other`);
  }
  return selectors[0]?.[1];
}

function pullOf({ values }: ParsedArguments): PullOptions | undefined {
  const [text, base] = [values.get('pr'), values.get('base')];
  if (text !== undefined) return { number: pullNumber(text), base };
  if (base !== undefined)
    throw usage('--base needs --pr N: it is what the pull request is compared with');
  return undefined;
}

function pullNumber(text: string): number {
  const number = Number(/^#?(\d{1,9})$/.exec(text)?.[1]);
  if (number >= 1) return number;
  throw usage(`--pr must be the number of a pull request, found ${JSON.stringify(text)}`);
}

/** Like git: a missing side is HEAD. */
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

const MAX_VOTES = 9;

function votesOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const votes = Number(text);
  if (Number.isInteger(votes) && votes >= 1 && votes <= MAX_VOTES) return votes;
  throw usage(
    `--votes must be a whole number from 1 to ${MAX_VOTES}, found ${JSON.stringify(text)}`,
  );
}
