import { chance } from '../../../fixtures/apfel/chance.js';
import type { ModelReply, ModelRequest } from '../../../src/model/model.js';
import { chooses } from '../../support/fake-model.js';

/** A changed line as the model is shown it. */
export interface ShownLine {
  readonly path: string;
  readonly line: number;
  readonly mark: string;
  readonly text: string;
}

export interface Report {
  readonly line: string;
  readonly quote: string;
  readonly path: string;
}

/** A scripted reviewer: what it reports of the lines shown, and what it says in a second look. */
export interface Script {
  readonly reports: (shown: readonly ShownLine[]) => readonly Report[];
  readonly refutes: (opening: string) => boolean;
}

const openingOf = ({ messages: [first] }: ModelRequest): string =>
  first?.content.map(block => ('text' in block ? block.text : '')).join('\n') ?? '';

export const isSecondLook = (request: ModelRequest): boolean =>
  openingOf(request).includes('Is the claim wrong');

/** Replies in the guided protocol, one report after the other. */
export const scripted =
  ({ reports, refutes }: Script) =>
  (request: ModelRequest): ModelReply => {
    const opening = openingOf(request);
    if (isSecondLook(request)) {
      return chooses('finish', { answer: refutes(opening) ? 'wrong, it is fine' : 'holds' });
    }
    const done = request.messages.filter(({ role }) => role === 'toolResult').length;
    const [, noted = ''] = /Already reported: ([^.]*)\./.exec(opening) ?? [];
    const open = reports(shownIn(opening)).filter(({ line }) => !noted.split(', ').includes(line));
    const next = open[done];
    if (next === undefined) return chooses('finish', { answer: 'nothing' });
    return chooses('report_finding', { ...next, severity: 'error', message: 'this is wrong' });
  };

export function shownIn(opening: string): ShownLine[] {
  let path = '';
  return opening.split('\n').flatMap(row => {
    path = /^file (.+?)(?:, in: .*)?$/.exec(row)?.[1] ?? path;
    const [, mark, line, text] = /^\+((\d+)#\w+)\| (.*)$/.exec(row) ?? [];
    return mark === undefined || text === undefined
      ? []
      : [{ path, line: Number(line), mark, text }];
  });
}

/** Reports a line when it is shown. */
export const knows =
  (path: string, line: number): Script['reports'] =>
  shown =>
    shown
      .filter(each => each.path === path && each.line === line)
      .map(({ mark, text }) => ({ line: mark, quote: text.trim().slice(0, 80), path }));

/**
 * Invents three findings at random: a right place, a quote of another line, a line one off, a mark
 * made up, a file that is not there.
 */
export const invents =
  (seed: number): Script['reports'] =>
  shown => {
    const draw = (what: string): number =>
      chance(seed, shown.map(each => each.mark).join(), 1, what);
    const pick = (what: string): ShownLine | undefined =>
      shown[Math.floor(draw(what) * shown.length)];
    return ['first', 'second', 'third'].flatMap(name => {
      const [here, there] = [pick(`${name} here`), pick(`${name} there`)];
      if (here === undefined || there === undefined) return [];
      const { path, mark, line } = here;
      const quote = here.text.trim().slice(0, 80);
      const [, check = ''] = mark.split('#');
      const inventions: Report[] = [
        { line: mark, quote, path },
        { line: mark, quote: `${there.text.trim()} invented`, path },
        { line: `${line + 1}#${check}`, quote, path },
        { line: `${line}#zz`, quote, path },
        { line: mark, quote, path: `other/${path}` },
      ];
      const chosen = inventions[Math.floor(draw(`${name} how`) * inventions.length)];
      return chosen === undefined ? [] : [chosen];
    });
  };
