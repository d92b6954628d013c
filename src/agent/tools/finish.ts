import { parameters, stringOf, type Tool } from '../tool.js';

/** How the model says that it is done. Whether it is, code decides. */
export const finish: Tool = {
  name: 'finish',
  description: 'End the task. Use it once everything asked for is done, with the answer.',
  parameters: parameters({
    answer: { type: 'string', description: 'the answer, in a few sentences' },
  }),
  example: { answer: 'The limit is 100, set in src/limits.ts.' },
  run: async input => {
    const answer = stringOf(input, 'answer');
    return { isError: false, text: 'finished', details: {}, answer };
  },
};

/** The same where one word is the only answer. It is no enum: a word that is forced says nothing. */
export const finishWith = (word: string): Tool => ({
  ...finish,
  description: 'End the task. Use it when nothing is left to report.',
  parameters: parameters({ answer: { type: 'string', description: `the word ${word}` } }),
  example: { answer: word },
});
