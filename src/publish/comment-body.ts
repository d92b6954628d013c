import { BotError } from '../core/bot-error.js';
import type { Finding } from '../core/finding.js';
import type { ModelUse } from '../core/outcome.js';
import { troubleOf } from '../github/types.js';
import { codeFence, codeSpan, forMarkdown, suggestionFence } from '../platform/safe-markdown.js';
import { guardLineStart, replaceHidden } from '../platform/safe-text.js';
import { redact } from '../secrets/redact.js';
import type { AnchoredFinding } from './inline.js';
import { markOf, writeMark } from './own-comments.js';

/** A message is a sentence or two; a model that does not stop is stopped here. */
const MOST_MESSAGE = 4000;
/** A suggestion of more than this is no suggestion; GitHub takes 65,536 in all. */
const MOST_SUGGESTED = 10_000;

/** A comment at a line: what is wrong, a fix that was verified, and how to be left alone. */
export function commentBody(
  { finding, anchor }: AnchoredFinding,
  ignoreLine: (finding: Finding) => string,
): string {
  const head = `**${finding.severity}** · ${forMarkdown(cutText(redact(finding.message), MOST_MESSAGE))}`;
  const silence = [
    `<sub>${codeSpan(finding.rule)} · silence it with ${codeSpan(ignoreLine(finding))}`,
    `or comment ${codeSpan(`/apfel ignore ${finding.id}`)}</sub>`,
  ].join(' ');
  const parts = [head, suggested(finding, anchor.canSuggest), silence];
  const text = guardLineStart(parts.filter(part => part !== '').join('\n\n'));
  return `${writeMark(markOf(finding, anchor.texts))}\n${text}\n`;
}

/** Only what can be taken over exactly as it is shown becomes a button. */
function suggested({ suggestion }: Finding, canSuggest: boolean): string {
  if (suggestion === undefined || suggestion.text.length > MOST_SUGGESTED) return '';
  const { text } = suggestion;
  if (redact(text) !== text) return '';
  if (canSuggest && isPlain(text)) return suggestionFence(text);
  const lines =
    suggestion.startLine === suggestion.endLine
      ? `line ${suggestion.startLine}`
      : `lines ${suggestion.startLine} to ${suggestion.endLine}`;
  return `Instead of ${lines}:\n\n${codeFence(text)}`;
}

/** Nothing hidden in it, and no line that a bot or a runner would take for a command. */
const isPlain = (text: string): boolean =>
  replaceHidden(text, char => (char === '\n' || char === '\t' ? char : '')) === text &&
  guardLineStart(text) === text &&
  !/^[^\S\n]*\/[a-z]/im.test(text);

/** The beginning, marked as such; never half a character. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most - 1);
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

export interface Fitting {
  readonly text: string;
  /** How many parts did not fit. */
  readonly left: number;
}

/** As many of the parts as fit, in order, and how many do not. */
export function fitParts(parts: readonly string[], room: number): Fitting {
  let used = 0;
  let taken = 0;
  for (const part of parts) {
    if (used + part.length > room) break;
    used += part.length;
    taken += 1;
  }
  return { text: parts.slice(0, taken).join(''), left: parts.length - taken };
}

export interface FooterFacts {
  readonly time: string;
  readonly runUrl: string | undefined;
}

/** What a run took. Plain words and numbers of our own, and one link to where it ran. */
export function footerOf(
  outcome: {
    readonly run: string;
    readonly model: ModelUse;
    readonly change?: { readonly head: string };
    readonly ledger?: { readonly cached: number };
  },
  { time, runUrl }: FooterFacts,
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

/** On the machine itself nothing is paid for; what a server elsewhere takes is not known here. */
const costOf = ({ baseUrl = '', requests }: ModelUse): string =>
  requests === 0 || /^https?:\/\/(?:127\.|localhost[:/]|\[::1\])/.test(baseUrl)
    ? 'cost 0'
    : 'cost unknown';

export type Pause = (milliseconds: number) => Promise<void>;

/** Two runs that race need two rounds, a lost answer one more each. */
const MOST_ROUNDS = 6;
/** What GitHub did before it lost the answer may take a moment to show. */
const PAUSE_MS = 500;

/**
 * Looks, writes what is missing, and looks again until there is nothing to write: the only way to
 * do a thing once where a write can get lost, be done without an answer, or race another. A round
 * says true when nothing it wrote needs a second look.
 */
export async function retryUntilStable(
  round: () => Promise<boolean>,
  pause: Pause,
  mostRounds = MOST_ROUNDS,
): Promise<void> {
  for (let at = 1; at <= mostRounds; at += 1) {
    try {
      if (await round()) return;
    } catch (thrown) {
      const trouble = troubleOf(thrown);
      const isOpen = trouble === 'unsettled' || trouble === 'gone';
      if (!isOpen || at === mostRounds) throw thrown;
      await pause(PAUSE_MS * at);
    }
  }
  throw new BotError('publish-failed', 'others keep writing what we have just written', {
    hint: 'Let one run at a time publish: give the job a concurrency group, and run it again',
  });
}
