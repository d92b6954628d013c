import type { FailOn } from '../config.js';
import { type BotError, type Ending, isBotError } from '../core/failure.js';
import { atLeast } from '../core/finding.js';
import type { Outcome } from '../core/outcome.js';
import type { Clock, Files } from '../world.js';
import { toGithub } from './to-github.js';
import { toJson } from './to-json.js';
import { toMarkdown } from './to-markdown.js';
import { toRdjson } from './to-rdjson.js';
import { toSarif } from './to-sarif.js';
import { toText } from './to-text.js';

export interface PublishWish {
  readonly format: 'text' | 'json' | 'sarif' | 'rdjson' | 'github' | 'markdown';
  readonly out: string | undefined;
  readonly failOn: FailOn;
  readonly isStrict: boolean;
  readonly color: boolean;
  readonly columns: number;
  readonly isQuiet: boolean;
  readonly version: string;
}

/** A comment on GitHub takes 65,536 characters. */
const MOST_MARKDOWN = 65_000;

export interface Report {
  /** For standard output. */
  readonly text: string;
  readonly ending: Ending;
  /** Why the file that was asked for is not there; the report is all the same. */
  readonly failure: BotError | undefined;
}

/** Outcome → Report: what to print and how to end. Writes nothing but the file that was asked for. */
export async function publish(
  outcome: Outcome,
  wish: PublishWish,
  { files, clock }: { readonly files: Files; readonly clock: Pick<Clock, 'breathe'> },
): Promise<Report> {
  const isJsonWanted = wish.format === 'json' || wish.out !== undefined;
  const json = isJsonWanted ? await toJson(outcome, clock) : '';
  const failure = wish.out === undefined ? undefined : await written(files, wish.out, json);
  await clock.breathe();
  const text = wish.format === 'json' ? json : render(outcome, wish.format, wish);
  return { text, ending: endingOf(outcome, wish), failure };
}

async function written(files: Files, out: string, text: string): Promise<BotError | undefined> {
  try {
    await files.write(out, text);
    return undefined;
  } catch (thrown) {
    if (isBotError(thrown)) return thrown;
    throw thrown;
  }
}

type Rendered = Exclude<PublishWish['format'], 'json'>;

function render(outcome: Outcome, format: Rendered, wish: PublishWish): string {
  switch (format) {
    case 'text':
      return toText(outcome, wish);
    case 'sarif':
      return toSarif(outcome, { toolVersion: wish.version });
    case 'rdjson':
      return toRdjson(outcome);
    case 'github':
      return toGithub(outcome);
    case 'markdown':
      return toMarkdown(outcome, { maxLength: MOST_MARKDOWN });
    default: {
      const never: never = format;
      return never;
    }
  }
}

/** Findings beat incompleteness. */
function endingOf(outcome: Outcome, { failOn, isStrict }: PublishWish): Ending {
  const fails =
    failOn !== 'never' && outcome.findings.some(({ severity }) => atLeast(severity, failOn));
  if (fails) return 'findings';
  return isStrict && !outcome.complete ? 'incomplete' : 'done';
}
