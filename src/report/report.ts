import type { Format } from '../config/options.js';
import { type BotError, type Ending, isBotError } from '../core/bot-error.js';
import { type FailOn, isFailing } from '../core/finding.js';
import type { Outcome } from '../core/outcome.js';
import type { Clock } from '../platform/clock.js';
import { writeText } from '../platform/files.js';
import { toGithub } from './github.js';
import { toJson } from './json.js';
import { toMarkdown } from './markdown.js';
import { toRdjson } from './rdjson.js';
import { toSarif } from './sarif.js';
import { toText } from './text.js';

export interface ReportOptions {
  readonly format: Format;
  readonly out: string | undefined;
  readonly failOn: FailOn;
  readonly isStrict: boolean;
  readonly color: boolean;
  readonly columns: number;
  readonly isQuiet: boolean;
  readonly version: string;
  /** What was reviewed, as text. */
  readonly about?: readonly string[];
}

export interface Report {
  /** For standard output. */
  readonly text: string;
  readonly ending: Ending;
  /** Why the requested file couldn't be written; the report is printed anyway. */
  readonly failure: BotError | undefined;
}

/** Outcome → Report: what to print and the exit code. Writes only the requested file. */
export async function writeReport(
  outcome: Outcome,
  options: ReportOptions,
  clock: Pick<Clock, 'yieldToEventLoop'>,
): Promise<Report> {
  const isJsonWanted = options.format === 'json' || options.out !== undefined;
  const json = isJsonWanted ? await toJson(outcome, clock) : '';
  const failure = options.out === undefined ? undefined : await tryToWrite(options.out, json);
  await clock.yieldToEventLoop();
  const text = options.format === 'json' ? json : render(outcome, options.format, options);
  return { text, ending: endingOf(outcome, options), failure };
}

/** Writes the file; returns the error if that failed. */
export async function tryToWrite(out: string, text: string): Promise<BotError | undefined> {
  try {
    await writeText(out, text);
    return undefined;
  } catch (thrown) {
    if (isBotError(thrown)) return thrown;
    throw thrown;
  }
}

type Rendered = Exclude<ReportOptions['format'], 'json'>;

function render(outcome: Outcome, format: Rendered, options: ReportOptions): string {
  switch (format) {
    case 'text':
      return toText(outcome, options);
    case 'sarif':
      return toSarif(outcome, { toolVersion: options.version });
    case 'rdjson':
      return toRdjson(outcome);
    case 'github':
      return toGithub(outcome);
    case 'markdown':
      return toMarkdown(outcome);
  }
}

/** Findings take precedence over incompleteness. */
function endingOf(outcome: Outcome, { failOn, isStrict }: ReportOptions): Ending {
  if (outcome.findings.some(finding => isFailing(finding, failOn))) return 'findings';
  return isStrict && !outcome.complete ? 'incomplete' : 'done';
}
