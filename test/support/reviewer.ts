import type { Policy } from '../../fixtures/apfel/stand-in.js';
import {
  asksForRuling,
  fieldsOf,
  fill,
  knownIn,
  newLinesIn,
  questionIn,
} from './closed-questions.js';

export interface Reviewer {
  /** Text of lines it takes for bugs. */
  readonly sees: readonly string[];
  /** What it rules in the second look. */
  readonly refutes?: boolean;
  /** Spoils what it reports: a line that isn't shown, a quote that is not there. */
  readonly spoil?: 'line' | 'quote';
}

/** A scripted model for reviews: reports each line that it knows for a bug, then finds nothing more. */
export const reviewer =
  ({ sees, refutes = false, spoil }: Reviewer): Policy =>
  conversation => {
    const question = questionIn(conversation);
    const lines = newLinesIn(question);
    const reason = `these lines have ${lines
      .map(({ text }) => text)
      .join(' ')
      .slice(0, 60)}`;
    if (asksForRuling(fieldsOf(conversation))) {
      return fill(conversation, { reason, ruling: refutes ? 'not_a_bug' : 'real_bug' });
    }
    const known = knownIn(question);
    const bugs = lines
      .filter(({ line }) => !known.includes(line))
      .flatMap(({ line, text }) => {
        const quote = sees.find(each => text.includes(each));
        return quote === undefined ? [] : [{ line, quote }];
      });
    const [next, more] = bugs;
    if (next === undefined) return fill(conversation, { reason, verdict: 'nothing' });
    return fill(conversation, {
      reason,
      verdict: 'problem',
      line: spoil === 'line' ? '99999' : String(next.line),
      quote: spoil === 'quote' ? 'text that is not there' : next.quote,
      severity: 'error',
      message: 'reads past the end',
      more: more === undefined ? 'no' : 'yes',
    });
  };
