import { BotError } from '../core/bot-error.js';
import type { Finding } from '../core/finding.js';
import type { ModelUse } from '../core/outcome.js';
import { troubleOf } from '../github/failure.js';
import { codeFence, codeSpan, forMarkdown, suggestionFence } from '../platform/safe-markdown.js';
import { guardLineStart, replaceHidden } from '../platform/safe-text.js';
import { redact } from '../secrets/redact.js';
import { markOf, writeMark } from './own-comments.js';
import type { AnchoredFinding } from './plan-review.js';

/** A message is a sentence or two; a model that doesn't stop is cut off here. */
const MAX_MESSAGE = 4000;
/** Nobody reads a longer suggestion; GitHub takes 65,536 characters in all. */
const MAX_SUGGESTED = 10_000;

/** A comment on a line: what is wrong, a verified fix, and how to silence it. */
export function commentBody(
  { finding, anchor }: AnchoredFinding,
  ignoreLine: (finding: Finding) => string,
): string {
  const head = `**${finding.severity}** · ${forMarkdown(cutText(redact(finding.message), MAX_MESSAGE))}`;
  const silence = [
    `<sub>${codeSpan(finding.rule)} · silence it with ${codeSpan(ignoreLine(finding))}`,
    `or comment ${codeSpan(`/apfel ignore ${finding.id}`)}</sub>`,
  ].join(' ');
  const parts = [head, suggested(finding, anchor.canSuggest), silence];
  const text = guardLineStart(parts.filter(part => part !== '').join('\n\n'));
  return `${writeMark(markOf(finding, anchor.texts))}\n${text}\n`;
}

/** Only a suggestion that can be applied exactly as shown gets GitHub's button. */
function suggested({ suggestion }: Finding, canSuggest: boolean): string {
  if (suggestion === undefined || suggestion.text.length > MAX_SUGGESTED) return '';
  const { text } = suggestion;
  if (redact(text) !== text) return '';
  if (canSuggest && isPlain(text)) return suggestionFence(text);
  const lines =
    suggestion.startLine === suggestion.endLine
      ? `line ${suggestion.startLine}`
      : `lines ${suggestion.startLine} to ${suggestion.endLine}`;
  return `Suggested replacement for ${lines}:\n\n${codeFence(text)}`;
}

/** No hidden characters, and no line that a bot or a runner would read as a command. */
const isPlain = (text: string): boolean =>
  replaceHidden(text, char => (char === '\n' || char === '\t' ? char : '')) === text &&
  guardLineStart(text) === text &&
  !/^[^\S\n]*\/[a-z]/im.test(text);

/** Cuts at the end and marks it with an ellipsis; never leaves half a character. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const cut = text.slice(0, max - 1);
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** As many of the parts as fit, in order, and how many didn't fit. */
export function fitParts(
  parts: readonly string[],
  max: number,
): { readonly text: string; readonly left: number } {
  let used = 0;
  let taken = 0;
  for (const part of parts) {
    if (used + part.length > max) break;
    used += part.length;
    taken += 1;
  }
  return { text: parts.slice(0, taken).join(''), left: parts.length - taken };
}

/** What a run used: our own words and numbers, and a link to the run. */
export function footerOf(
  outcome: {
    readonly run: string;
    readonly model: ModelUse;
    readonly change?: { readonly head: string };
    readonly ledger?: { readonly cached: number };
  },
  { time, runUrl }: { readonly time: string; readonly runUrl: string | undefined },
): string[] {
  const { run, model, change, ledger } = outcome;
  return [
    ...(change === undefined ? [] : [change.head.slice(0, 7)]),
    ...(time === '' ? [] : [time]),
    ...(ledger === undefined || ledger.cached === 0 ? [] : [`${ledger.cached} from the cache`]),
    ...(model.requests === 0 ? [] : [`${model.requests} requests to the model`]),
    costOf(model),
    runUrl === undefined ? `run ${run}` : `[run ${run}](${runUrl})`,
  ];
}

/** A model on this machine is free; what a remote server charges isn't known here. */
const costOf = ({ baseUrl = '', requests }: ModelUse): string =>
  requests === 0 || /^https?:\/\/(?:127\.|localhost[:/]|\[::1\])/.test(baseUrl)
    ? 'cost 0'
    : 'cost unknown';

/** Percent-encodes a path, including brackets, which would end the Markdown link around it. */
export const urlPath = (path: string): string =>
  encodeURIComponent(path)
    .replaceAll('%2F', '/')
    .replace(/[()'*!]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

export type Pause = (milliseconds: number) => Promise<void>;

/** Two racing runs need two rounds; each lost answer needs one more. */
const MAX_ROUNDS = 6;
/** After a lost answer, GitHub may take a moment to show what it did. */
const PAUSE_MS = 500;

/**
 * Repeats a round (read, then write what is missing) until it returns true, when nothing has to be
 * read again. That is the only way to write exactly once if a write can get lost, succeed without
 * an answer, or race another.
 */
export async function retryUntilStable(
  round: () => Promise<boolean>,
  pause: Pause,
  mostRounds = MAX_ROUNDS,
): Promise<void> {
  for (let at = 1; at <= mostRounds; at += 1) {
    try {
      if (await round()) return;
    } catch (thrown) {
      const trouble = troubleOf(thrown);
      const mayRetry = trouble === 'unknown' || trouble === 'gone';
      if (!mayRetry || at === mostRounds) throw thrown;
      await pause(PAUSE_MS * at);
    }
  }
  throw new BotError('publish-failed', 'another run keeps changing what this one writes', {
    hint: 'Give the job a concurrency group, so that one run publishes at a time, and run it again',
  });
}
