import { runOfMessage } from './commit-plan.js';

/** Ours list fifty lines for each of three sources of edits. */
const MOST_MESSAGE = 64 * 1024;

/**
 * One line for a commit message, from text that may be anybody's. A forge or a CI system that reads
 * commit messages finds nothing in it to act on: no reference, mention, directive or escape sequence.
 */
export function messageLine(text: string, most: number): string {
  const line = harmless(text);
  return line.length > most ? `${line.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…` : line;
}

const harmless = (text: string): string =>
  text
    // A lone half of a character counts as one of these as well.
    .replace(/[\s\p{C}]+/gu, ' ')
    // Rules of a scope, such as @typescript-eslint/no-var, would mention an organisation. First, since
    // what it leaves may be a reference.
    .replace(/(?<![A-Za-z0-9_])@+(?=[A-Za-z0-9])/g, '')
    .replace(/#(?=\d)|\bgh-(?=\d)|\/(?:issues|pull|discussions)\/(?=\d)/gi, '$& ')
    .replace(DIRECTIVE, '$& ')
    .replace(/\*{3}(?=NO_CI)/gi, '** ')
    .trim();

/** `[skip ci]` and what other services read in brackets. */
const DIRECTIVE =
  /\[(?! )(?=[^\][]{0,40}(?<![\w-])(?:skip|ci|cd|ci-skip|skip-ci|no-ci|actions?|deploy|release|netlify|vercel|travis|circleci|appveyor|azurepipelines|buildkite|cirrus|semaphore)(?![\w-]))/gi;

/** What `fix-lint` writes: a subject, then places below a line that says who fixed them. */
const OWN_LINE = /^(?:Fix .+|\d+ by [a-z' ]{1,40}:|- .+|)$/;

/** Why a message is not one that the run wrote; undefined when it is. */
export function whyNotOurMessage(message: string, run: string): string | undefined {
  if (message.length > MOST_MESSAGE) return 'has a longer message than we write';
  if (runOfMessage(message) !== run) return "isn't from the run of this outcome";
  const lines = message.trimEnd().split('\n').slice(0, -1);
  const foreign = lines.find(line => !OWN_LINE.test(line) || harmless(line) !== line);
  return foreign === undefined
    ? undefined
    : `has a line in its message that we don't write: ${JSON.stringify(foreign.slice(0, 100))}`;
}
