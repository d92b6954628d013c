import { isGrounded } from './grounded.js';
import type { Work } from './judge.js';
import { claimsFailure, isRefusal } from './refusal.js';
import type { End } from './setup.js';
import type { Talk } from './talk.js';

/**
 * The model says that it is done. What it says is never the proof: code asks for what is missing, and
 * plain words, which may just as well be a call that was not made, must show that they come from
 * what was read.
 */
export function conclude(talk: Talk, answer: string, how: 'finish' | 'words'): End | undefined {
  if (isRefusal(answer)) return talk.climb('refused', answer.slice(0, 200));
  const { ending } = talk.setup;
  if (ending !== undefined) return endWith(talk, answer, ending.word);
  const last = talk.done.at(-1);
  if (last !== undefined && !last.outcome.isError && claimsFailure(answer)) {
    const nudge = `${last.name} succeeded and its result is above. Answer from it.`;
    return talk.climb('misread', answer.slice(0, 200), nudge);
  }
  talk.said = answer;
  const missing = talk.setup.judge?.({ ...workOf(talk), answer });
  if (missing !== undefined) {
    return talk.climb('not-done', missing, `You are not done: ${missing}.`);
  }
  if (how === 'words' && !isBelievable(talk, answer)) {
    const message = 'the words are no call and show nothing of what was read';
    return talk.climb('not-done', message, 'Call finish with the answer, or the next tool.');
  }
  return { reason: 'finished', message: 'the model answered' };
}

/** Anything but the agreed word may be an apology, or a problem that was not reported. */
function endWith(talk: Talk, answer: string, word: string): End | undefined {
  talk.said = answer;
  if (isWord(answer, word)) return { reason: 'finished', message: 'the model answered' };
  const nudge = `The answer of finish can only be "${word}". Report what is left first.`;
  return talk.climb('not-done', `the model did not end with "${word}"`, nudge);
}

/** Case, quotes and a full stop make no difference. */
function isWord(answer: string, word: string): boolean {
  const said = answer.trim().toLowerCase();
  return said.length <= LONGEST_WORD && said.replace(AROUND_WORD, '') === word;
}

/** A longer answer is a sentence. */
const LONGEST_WORD = 40;
const AROUND_WORD = /^["'`“”‘’«»]+|["'`“”‘’«».,;:!?…]+$/g;

/** Whether code alone can tell that nothing is left to do. */
export const isDone = (talk: Talk): boolean =>
  talk.setup.endsWhenDone === true && talk.setup.judge?.(workOf(talk)) === undefined;

const workOf = ({ setup, done }: Talk): Work => ({
  opening: setup.task.opening,
  calls: done,
  answer: undefined,
});

/** Where `finish` is not on offer, words are the way to end. */
const isBelievable = (talk: Talk, answer: string): boolean =>
  talk.setup.tools.find('finish') === undefined ||
  isGrounded(answer, {
    shown: talk.done.filter(call => !call.outcome.isError).map(call => call.outcome.text),
    asked: talk.setup.task.opening,
  });
