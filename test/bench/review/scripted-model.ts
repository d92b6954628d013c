import { chance } from '../../../fixtures/apfel/chance.js';
import type { ModelReply, ModelRequest } from '../../../src/model/model.js';
import {
  answerTo,
  asksForRuling,
  fieldsIn,
  knownIn,
  newLinesIn,
  pathIn,
  textIn,
} from '../../support/closed-questions.js';

/** A changed line as the model is shown it. */
export interface ShownLine {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

export interface Report {
  readonly line: string;
  readonly quote: string;
}

/** A scripted reviewer: what it reports of the lines shown, and what it rules in a second look. */
export interface Script {
  readonly reports: (shown: readonly ShownLine[]) => readonly Report[];
  readonly refutes: (question: string) => boolean;
}

export const isSecondLook = (request: ModelRequest): boolean => asksForRuling(fieldsIn(request));

/** Answers one question after the other, one report each. */
export const scripted =
  ({ reports, refutes }: Script) =>
  (request: ModelRequest): ModelReply => {
    const question = textIn(request);
    const shown = shownIn(question);
    const words = question.split('\n').filter(row => /^[+-]\d*\| /.test(row));
    // About as long as a model is asked to be.
    const texts = words
      .map(row => row.replace(/^[+-]\d*\| */, ''))
      .filter(text => /\w{4}/.test(text));
    const reason = `it has ${texts.join(' ').slice(0, 45)}`;
    if (isSecondLook(request)) {
      return answerTo(request, { reason, ruling: refutes(question) ? 'not_a_bug' : 'real_bug' });
    }
    const known = knownIn(question).map(String);
    const [next, more] = reports(shown).filter(({ line }) => !known.includes(line));
    if (next === undefined) return answerTo(request, { reason, verdict: 'nothing' });
    return answerTo(request, {
      reason,
      verdict: 'problem',
      ...next,
      severity: 'error',
      message: 'this is wrong',
      more: more === undefined ? 'no' : 'yes',
    });
  };

const shownIn = (question: string): ShownLine[] => {
  const path = pathIn(question);
  return newLinesIn(question).map(each => ({ ...each, path }));
};

/** Reports a line when it is shown. */
export const knows =
  (path: string, line: number): Script['reports'] =>
  shown =>
    shown
      .filter(each => each.path === path && each.line === line)
      .map(({ text }) => ({ line: String(line), quote: text.trim().slice(0, 80) }));

/** Invents three findings at random: a right place, a quote of another line, a line that isn't there. */
export const invents =
  (seed: number): Script['reports'] =>
  shown => {
    const draw = (what: string): number =>
      chance(seed, shown.map(each => each.text).join(), 1, what);
    const pick = (what: string): ShownLine | undefined =>
      shown[Math.floor(draw(what) * shown.length)];
    return ['first', 'second', 'third'].flatMap(name => {
      const [here, there] = [pick(`${name} here`), pick(`${name} there`)];
      if (here === undefined || there === undefined) return [];
      const quote = here.text.trim().slice(0, 80);
      const inventions: Report[] = [
        { line: String(here.line), quote },
        { line: String(here.line), quote: `${there.text.trim()} invented` },
        { line: String(here.line + 1000), quote },
      ];
      const chosen = inventions[Math.floor(draw(`${name} how`) * inventions.length)];
      return chosen === undefined ? [] : [chosen];
    });
  };
