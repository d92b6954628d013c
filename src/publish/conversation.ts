import type { AnswerOutcome, DescriptionOutcome } from '../core/outcome.js';
import type { Github } from '../github/types.js';
import { codeFence, codeSpan, forMarkdown, forMarkdownLines } from '../platform/safe-markdown.js';
import { guardLineStart } from '../platform/safe-text.js';
import { redact } from '../secrets/redact.js';
import { cutText, fitParts, footerOf, type Pause, retryUntilStable } from './comment-body.js';
import { ownMarked } from './own-comments.js';

export interface Reply {
  readonly pull: number;
  readonly author: string;
  /** Hidden, at the start of the body. */
  readonly mark: string;
  readonly body: string;
  /** Called right before the first write; throws when it must not be made. */
  readonly mayWrite: () => Promise<void>;
}

/** One comment for one run, however often it is posted. */
export async function postReply(
  githubApi: Pick<Github, 'comments' | 'createComment' | 'deleteComment'>,
  talk: Reply,
  pause: Pause,
): Promise<'posted' | 'unchanged'> {
  let ending: 'posted' | 'unchanged' = 'unchanged';
  const round = async (): Promise<boolean> => {
    const own = ownMarked(await githubApi.comments(talk.pull), talk.author, talk.mark);
    if (own.length === 0) {
      await talk.mayWrite();
      ending = 'posted';
      await githubApi.createComment(talk.pull, `${talk.mark}\n${talk.body}`);
      return false;
    }
    for (const double of own.slice(1)) await githubApi.deleteComment(double);
    return true;
  };
  await retryUntilStable(round, pause);
  return ending;
}

/** A comment takes 65,536; the last line and what we say ourselves need the rest. */
const MOST_BODY = 60_000;
const MOST_PROSE = 40_000;
const MOST_SOURCES = 50;

export interface Said {
  /** Hidden; one comment for one run. */
  readonly mark: string;
  readonly body: string;
}

/** An answer or a description as a comment. */
export function replyOf(
  outcome: AnswerOutcome | DescriptionOutcome,
  { runUrl }: { readonly runUrl: string | undefined },
): Said {
  const parts = outcome.task === 'ask' ? answerParts(outcome) : descriptionParts(outcome);
  const notices = (outcome.notices ?? []).map(
    notice => `_${forMarkdown(cutText(redact(notice), 400))}_\n\n`,
  );
  const { text, left } = fitParts([...parts, ...notices], MOST_BODY);
  const cut = left === 0 ? '' : 'The rest did not fit here; the outcome file has it all.\n\n';
  const footer = `<sub>${footerOf(outcome, { time: seconds(outcome.durationMs), runUrl }).join(' · ')}</sub>`;
  return {
    mark: `<!-- apfel-bot:${outcome.task} ${outcome.run} -->`,
    body: `${guardLineStart(`${text}${cut}`).trimEnd()}\n\n${footer}\n`,
  };
}

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

/** Cut before it is escaped, until it fits: escaped, a character can become eight. */
function prose(text: string, mostShown: number): string {
  // A secret that the cut went through would no longer be known as one.
  const whole = redact(text.slice(0, 2 * MOST_PROSE));
  let most = Math.min(whole.length, MOST_PROSE);
  let shown = forMarkdownLines(cutText(whole, most));
  while (shown.length > mostShown) {
    most = Math.floor(most / 2);
    shown = forMarkdownLines(cutText(whole, most));
  }
  const note = most < text.length ? '\n\n_Cut here; the outcome file has it all._' : '';
  return `${shown}${note}\n\n`;
}

function answerParts({ answer, complete }: AnswerOutcome): string[] {
  const sources = answer.sources
    .slice(0, MOST_SOURCES)
    .map(({ path, line }) => `- ${codeSpan(cutText(`${path}:${line}`, 400))}\n`);
  const rest = answer.sources.length - sources.length;
  return [
    ...(complete ? [] : ['**apfel-bot: not confirmed**\n\n']),
    prose(answer.text.trim() === '' ? 'There is no answer.' : answer.text, MOST_PROSE),
    ...(sources.length === 0 ? [] : [`Sources:\n\n${sources.join('')}`]),
    ...(rest > 0 ? [`- and ${rest} more\n`] : []),
    '\n',
  ];
}

function descriptionParts({ description, complete }: DescriptionOutcome): string[] {
  const title = cutText(redact(description.title), 400);
  const raw = cutText(redact(description.body.slice(0, MOST_PROSE)), MOST_PROSE / 4);
  const copy = codeFence(`${title}\n\n${raw}`);
  return [
    `**apfel-bot: a description to take over${complete ? '' : ', incomplete'}**\n\n`,
    `### ${forMarkdown(title)}\n\n`,
    prose(description.body, MOST_PROSE / 2),
    `<details><summary>As text, to copy</summary>\n\n${copy}\n\n</details>\n\n`,
  ];
}
