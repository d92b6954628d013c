import { chance } from '../../../fixtures/apfel/chance.js';
import {
  type Model,
  type ModelReply,
  type ModelRequest,
  textOf,
} from '../../../src/model/model.js';

/**
 * A model whose failures stick to the step of the task: asked again, in whatever words, it fails the
 * same way so often. Harsher than the stand-in, for which other words are another question.
 */
export const stubborn =
  (rate: number) =>
  (model: Model): Model => {
    const failures = new Map<string, ModelReply>();
    let asked = 0;
    return {
      ...model,
      facts: model.facts,
      usage: () => model.usage(),
      close: () => model.close(),
      ask: async (request, signal) => {
        const step = stepOf(request);
        const before = failures.get(step);
        asked += 1;
        if (before !== undefined && chance('stubborn', asked) < rate) return before;
        const reply = await model.ask(request, signal);
        if (isFailure(reply)) failures.set(step, reply);
        else failures.delete(step);
        return reply;
      },
    };
  };

function stepOf({ messages }: ModelRequest): string {
  const results = messages.filter(
    message => message.role === 'toolResult' || textOf(message).includes('(result of '),
  );
  const [opening = ''] = (messages[0] === undefined ? '' : textOf(messages[0])).split('\n', 1);
  return `${opening} ${results.length}`;
}

const isFailure = (reply: ModelReply): boolean =>
  reply.kind === 'answer'
    ? reply.text.startsWith('I cannot look that up')
    : reply.kind !== 'tool-calls';
