import { BotError } from '../core/bot-error.js';
import type { AnswerOutcome, DescriptionOutcome } from '../core/outcome.js';
import { troubleOf } from '../github/failure.js';
import type { Github } from '../github/github.js';
import { codeFence, codeSpan, forMarkdown, forMarkdownLines } from '../platform/safe-markdown.js';
import { guardLineStart } from '../platform/safe-text.js';
import { redact, redactPath } from '../secrets/redact.js';
import { cutText, fitParts, footerOf } from './comment-body.js';
import { ownMarked } from './own-comments.js';

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

interface Reply {
  readonly pull: number;
  readonly author: string;
  /** Hidden first line, by which a later run recognises the comment. */
  readonly mark: string;
  readonly body: string;
  /** Called right before the first write; throws when it must not happen. */
  readonly mayWrite: () => Promise<void>;
}

/** One comment for one run, however often it is posted. */
export async function postReply(
  githubApi: Github,
  reply: Reply,
  pause: Pause,
): Promise<'posted' | 'unchanged'> {
  let result: 'posted' | 'unchanged' = 'unchanged';
  await retryUntilStable(async () => {
    const own = ownMarked(await githubApi.comments(reply.pull), reply.author, reply.mark);
    if (own.length === 0) {
      await reply.mayWrite();
      result = 'posted';
      await githubApi.createComment(reply.pull, `${reply.mark}\n${reply.body}`);
      return false;
    }
    for (const { id } of own.slice(1)) await githubApi.deleteComment(id);
    return true;
  }, pause);
  return result;
}

/** A comment can have 65,536 characters; the footer and our own sentences need the rest. */
const MAX_BODY = 60_000;
const MAX_PROSE = 40_000;
const MAX_SOURCES = 50;

/** An answer or a description as a comment. */
export function replyOf(
  outcome: AnswerOutcome | DescriptionOutcome,
  { runUrl }: { readonly runUrl: string | undefined },
): Pick<Reply, 'mark' | 'body'> {
  const parts = outcome.task === 'ask' ? answerParts(outcome) : descriptionParts(outcome);
  const notices = (outcome.notices ?? []).map(
    notice => `_${forMarkdown(cutText(redact(notice), 400))}_\n\n`,
  );
  const { text, left } = fitParts([...parts, ...notices], MAX_BODY);
  const cut = left === 0 ? '' : "The rest didn't fit here; the outcome file has everything.\n\n";
  const footer = `<sub>${footerOf(outcome, { time: seconds(outcome.durationMs), runUrl }).join(' · ')}</sub>`;
  return {
    mark: `<!-- apfel-bot:${outcome.task} ${outcome.run} -->`,
    body: `${guardLineStart(`${text}${cut}`).trimEnd()}\n\n${footer}\n`,
  };
}

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

/** Cuts before escaping, until the result fits: escaping can turn one character into eight. */
function prose(text: string, mostShown: number): string {
  // Redacted before it is cut: half a secret would not be recognised.
  const whole = redact(text.slice(0, 2 * MAX_PROSE));
  let max = Math.min(whole.length, MAX_PROSE);
  let shown = forMarkdownLines(cutText(whole, max));
  while (shown.length > mostShown) {
    max = Math.floor(max / 2);
    shown = forMarkdownLines(cutText(whole, max));
  }
  const note = max < text.length ? '\n\n_Cut off here; the outcome file has everything._' : '';
  return `${shown}${note}\n\n`;
}

function answerParts({ answer, complete }: AnswerOutcome): string[] {
  const sources = answer.sources
    .slice(0, MAX_SOURCES)
    .map(({ path, line }) => `- ${codeSpan(cutText(`${redactPath(path)}:${line}`, 400))}\n`);
  const rest = answer.sources.length - sources.length;
  return [
    ...(complete ? [] : ['**apfel-bot: not confirmed**\n\n']),
    prose(answer.text.trim() === '' ? 'No answer.' : answer.text, MAX_PROSE),
    ...(sources.length === 0 ? [] : [`Sources:\n\n${sources.join('')}`]),
    ...(rest > 0 ? [`- and ${rest} more\n`] : []),
    '\n',
  ];
}

function descriptionParts({ description, complete }: DescriptionOutcome): string[] {
  const title = cutText(redact(description.title), 400);
  const raw = cutText(redact(description.body.slice(0, MAX_PROSE)), MAX_PROSE / 4);
  const copy = codeFence(`${title}\n\n${raw}`);
  return [
    `**apfel-bot: suggested description${complete ? '' : ' (incomplete)'}**\n\n`,
    `### ${forMarkdown(title)}\n\n`,
    prose(description.body, MAX_PROSE / 2),
    `<details><summary>Plain text to copy</summary>\n\n${copy}\n\n</details>\n\n`,
  ];
}
