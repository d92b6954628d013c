import type { FailOn } from '../config.js';
import type { Ending } from '../core/failure.js';
import { atLeast } from '../core/finding.js';
import type { Outcome } from '../core/outcome.js';
import type { Files } from '../world.js';
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
}

/** Outcome → Report: what to print and how to end. Writes nothing but the file that was asked for. */
export async function publish(outcome: Outcome, wish: PublishWish, files: Files): Promise<Report> {
  if (wish.out !== undefined) await files.write(wish.out, toJson(outcome));
  return { text: render(outcome, wish), ending: endingOf(outcome, wish) };
}

function render(outcome: Outcome, wish: PublishWish): string {
  switch (wish.format) {
    case 'text':
      return toText(outcome, wish);
    case 'json':
      return toJson(outcome);
    case 'sarif':
      return toSarif(outcome, { toolVersion: wish.version });
    case 'rdjson':
      return toRdjson(outcome);
    case 'github':
      return toGithub(outcome);
    case 'markdown':
      return toMarkdown(outcome, { maxLength: MOST_MARKDOWN });
    default: {
      const never: never = wish.format;
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
