import type { ToolOutcome } from './tool.js';

/** What has been done so far, as code knows it. */
export interface Work {
  /** What was asked. */
  readonly opening: string;
  readonly calls: readonly DoneCall[];
  /** What the model says; undefined while it has not said that it is done. */
  readonly answer: string | undefined;
}

export interface DoneCall {
  readonly name: string;
  readonly input: unknown;
  readonly outcome: ToolOutcome;
}

/** Undefined when the work is done; else what is missing, in words the model can act on. */
export type Judge = (work: Work) => string | undefined;

/** An answer about the repository must come from having looked at it, and show it. */
export const hasLooked: Judge = ({ opening, calls, answer }) => {
  const shown = calls.filter(call => !call.outcome.isError).map(call => call.outcome.text);
  if (shown.length === 0) return 'nothing has been read yet. Call a tool first';
  if (answer === undefined || answer.trim() === '') return 'there is no answer yet';
  const hasSubstance = shown.some(text => !text.startsWith('0 matches'));
  return hasSubstance && !isGrounded(answer, { shown, asked: opening })
    ? 'the answer shows nothing of what was read. Name the file, the value or the code it rests on'
    : undefined;
};

/**
 * Whether an answer shows that it comes from what was read: a number, a name or a path that stands in
 * a result and not in the question, or enough of the result's own words.
 */
export function isGrounded(
  answer: string,
  { shown, asked }: { shown: readonly string[]; asked: string },
): boolean {
  const given = new Set(wordsOf(asked));
  const known = new Set(shown.flatMap(wordsOf).filter(word => !given.has(word)));
  const words = [...new Set(wordsOf(answer))];
  if (words.some(word => isTelling(word) && known.has(word))) return true;
  const plain = words.filter(word => word.length >= PLAIN_WORD && !given.has(word));
  const shared = plain.filter(word => known.has(word)).length;
  return shared >= LEAST_SHARED && shared >= plain.length * SHARE;
}

/** Shorter words are in every text. */
const PLAIN_WORD = 5;
const LEAST_SHARED = 3;
const SHARE = 0.4;
const MOST_TEXT = 20_000;

const wordsOf = (text: string): string[] =>
  (text.slice(0, MOST_TEXT).match(/[\p{L}\p{N}_$./-]{1,80}/gu) ?? []).map(word =>
    word.replace(/^[./-]{1,80}|[./-]{1,80}$/g, ''),
  );

/** Digits, capitals inside, underscores, dots and slashes: what ordinary prose does not have. */
const isTelling = (word: string): boolean =>
  /\p{N}|[_$]|\p{L}[./]\p{L}|\p{Ll}\p{Lu}/u.test(word) || /^\p{Lu}{2,}$/u.test(word);

/**
 * Whether a plain answer declines instead of answering. The server marks only some refusals; the
 * others come as ordinary text, a short apology from the first word on.
 */
export function isRefusal(text: string): boolean {
  const start = opening(text);
  return text.trim().length <= LONGEST_APOLOGY && DECLINES.some(pattern => pattern.test(start));
}

/** Whether an answer says that a tool failed; with a good result before it, the model misread it. */
export function claimsFailure(text: string): boolean {
  const start = opening(text);
  return text.trim().length <= LONGEST_APOLOGY && FAILURES.some(pattern => pattern.test(start));
}

/** An answer with substance goes on after its apology. */
const LONGEST_APOLOGY = 400;
const OPENING = 160;

const opening = (text: string): string =>
  text.trim().slice(0, OPENING).replaceAll('’', "'").replace(/\s+/g, ' ').toLowerCase();

const UNWILLING =
  "(?:can't|cannot|can not|won't|will not|am unable to|am not able to|'m unable to|'m not able to)";
const HELPING =
  '(?:assist|help|fulfil|fulfill|comply|provide|do that|do this|process|complete|continue|answer|respond|engage|discuss|support|generate|create|perform|handle|proceed)';

const DECLINES = [
  new RegExp(`^(?:i'm |i am |we're )?(?:very |so )?(?:sorry|afraid)\\b.{0,40}\\bi ?${UNWILLING}`),
  new RegExp(`^(?:unfortunately,? |as an ai[^.]{0,60}, ?)?i ?${UNWILLING} (?:\\w+ )?${HELPING}`),
  /^(?:i'm |i am )?sorry,? (?:but )?(?:that|this) (?:request|is not|isn't|goes)/,
  /^(?:i )?(?:must|have to) (?:decline|refuse)\b/,
  /^es tut mir leid\b.{0,60}\bnicht\b/,
  /^(?:je suis )?désolée?[ ,.].{0,60}\b(?:ne peux pas|ne puis)/,
  /^lo siento\b.{0,60}\bno puedo\b/,
  /^mi dispiace\b.{0,60}\bnon posso\b/,
  /^(?:desculpe|lamento|sinto muito)\b.{0,60}\bnão posso\b/,
  /^(?:很|非常|十分)?(?:抱歉|对不起|對不起|遗憾|遺憾).{0,60}(?:不能|无法|無法)/,
  /^(?:大変)?(?:申し訳|すみません|ごめんなさい).{0,80}でき(?:ません|ない|かね)/,
  /^죄송.{0,80}수 없/,
];

const FAILURES = [
  /\b(?:seems|appears|looks)\b.{0,50}\b(?:error|failed|failure|issue|problem)\b/,
  /\b(?:tool|call|request|function|it) (?:has )?(?:reported|returned|gave|raised|encountered|failed with) an? (?:\w+ )?(?:error|failure)\b/,
  /\bthere (?:was|is|has been) (?:an? )?(?:\w+ )?(?:error|issue|problem|failure) (?:while |when )?(?:retrieving|reading|accessing|fetching|getting|opening|loading|calling|with the tool)/,
  /\b(?:couldn't|could not|unable to|wasn't able to|was not able to|failed to) (?:retrieve|read|access|fetch|get|open|load)\b/,
];
