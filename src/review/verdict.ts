import { isRefusal, namesCode } from '../agent/grounding.js';
import { type Answer, bad, type Judgement } from '../agent/question.js';
import { SEVERITIES, type Severity, withoutSpace } from '../core/finding.js';

/** What the model decided about a chunk, once code has checked it. */
export type Verdict =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'look-up'; readonly name: string }
  | { readonly kind: 'problem'; readonly problem: Problem; readonly hasMore: boolean };

export interface Problem {
  readonly line: number;
  readonly quote: string;
  readonly severity: Severity;
  readonly message: string;
}

/** A problem whose line and quote don't match what was shown. */
export interface Misplaced extends Problem {
  readonly reason: 'not-on-changed-line' | 'quote-not-found';
}

/** The lines that a verdict is about. */
interface JudgedLines {
  /** Lines that may be named, exactly as in the file. */
  readonly lines: ReadonlyMap<number, string>;
  /** What was removed. */
  readonly removed: readonly string[];
  /** Remaining lines next to removed ones, with the removed texts, which the quote may be from. */
  readonly survivors: ReadonlyMap<number, readonly string[]>;
  readonly names: readonly string[];
  /** All fields were required, so those of a problem are filled in even if there is none. */
  readonly hasAllFields?: boolean;
}

/**
 * Whether an answer is a valid verdict. Its reason must show that the lines were read, and a
 * problem must match them.
 */
export function judgeVerdict(
  answer: Answer,
  { lines, removed, survivors, names, hasAllFields = false }: JudgedLines,
  misplaced: (report: Misplaced) => void,
): Judgement<Verdict> {
  const added = [...lines].flatMap(([line, text]) => (survivors.has(line) ? [] : [text]));
  const changed = [...added, ...removed];
  const reason = answer['reason'] ?? '';
  if (!namesCode(reason, changed)) {
    return bad(
      'unread',
      'Say in "reason" what these lines do, with a name that stands in them.',
      "the model's answer named nothing in these lines",
    );
  }
  const { verdict } = answer;
  if (verdict === undefined || !VERDICTS.includes(verdict)) {
    return bad('incomplete', 'Give a "verdict": nothing or problem.', INCOMPLETE);
  }
  if (verdict === 'nothing') {
    // Under a schema even an apology has a verdict, and may repeat names from the request.
    if (isRefusal(reason)) {
      return bad('declined', '', `the model declined: ${reason.slice(0, 120)}`);
    }
    const { quote = '', message = '' } = answer;
    const isDescribed = saysSomething(quote) && saysSomething(message);
    // Where all fields are required, a model that found nothing fills in a real quote all the same.
    const quotesChange = hasAllFields && changed.some(text => holds(text, bareQuote(quote)));
    return isDescribed && !quotesChange
      ? bad('incomplete', 'Decide: is it a problem, or nothing?', CONTRADICTORY)
      : good({ kind: 'nothing' });
  }
  if (verdict === 'look_up') {
    const name = answer['name'];
    return name !== undefined && names.includes(name)
      ? good({ kind: 'look-up', name })
      : bad('incomplete', 'Decide: nothing or problem.', INCOMPLETE);
  }
  const { line = '', quote = '', message = '', severity: given } = answer;
  if (!/^[1-9]\d{0,6}$/.test(line) || quote.trim() === '' || message.trim() === '') {
    return bad(
      'incomplete',
      'If there is a problem, give its line, a quote and a message; else the verdict is nothing.',
      INCOMPLETE,
    );
  }
  const severity = SEVERITIES.find(known => known === given);
  // One that was left out is a warning; a word of the model's own is asked about once.
  if (given !== undefined && severity === undefined && !hasAllFields) {
    return bad('incomplete', 'Give "severity": error, warning or info.', INCOMPLETE);
  }
  const problem = {
    line: Number(line),
    quote: bareQuote(quote),
    severity: severity ?? 'warning',
    message,
  };
  const place = placeOf(problem, lines, survivors);
  if (place === undefined) {
    const reason = lines.has(problem.line) ? 'quote-not-found' : 'not-on-changed-line';
    misplaced({ ...problem, reason });
    return bad(
      'misplaced',
      'The quote must be copied from the line that is named, without its number.',
      'the model quoted code that is not on the line it named',
    );
  }
  return good({
    kind: 'problem',
    problem: { ...problem, ...place },
    hasMore: answer['more'] === 'yes',
  });
}

const VERDICTS = ['nothing', 'problem', 'look_up'];

/** The verdict is `nothing`, but a problem is described. */
export const CONTRADICTORY = 'the model found nothing, but described a problem';

const saysSomething = (text: string): boolean =>
  !/^\W*(?:none|nothing|null|n\/a|no (?:problem|issue|bug|error)s?)?\W*$/i.test(text.slice(0, 200));

const INCOMPLETE = 'the model gave no verdict, or left out where the problem is';

const good = (value: Verdict): Judgement<Verdict> => ({ isGood: true, value });

/** The quote proves the place: it is on that line, or on exactly one other. */
function placeOf(
  { line, quote }: Pick<Problem, 'line' | 'quote'>,
  lines: ReadonlyMap<number, string>,
  survivors: ReadonlyMap<number, readonly string[]>,
): { line: number; quote: string } | undefined {
  const named = lines.get(line);
  if (named !== undefined && holds(named, quote)) return { line, quote };
  const gone = survivors.get(line)?.find(text => holds(text, quote));
  if (gone !== undefined) return { line, quote: gone.trim() };
  const others = [...lines].filter(([, text]) => holds(text, quote));
  const [only] = others;
  return others.length === 1 && only !== undefined ? { line: only[0], quote } : undefined;
}

/** Strips what models put around a quote: the line's marker, fences, backticks, quotation marks. */
function bareQuote(quote: string): string {
  const [first = ''] = quote
    .slice(0, MAX_QUOTE)
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && !/^(?:```|~~~)/.test(line));
  const bare = first.replace(/^[+-]?\d{0,7}\| ?/, '').trim();
  return /^(["'`]).+\1$/.test(bare) ? bare.slice(1, -1) : bare;
}

const MAX_QUOTE = 2000;

const holds = (text: string, quote: string): boolean => {
  const wanted = withoutSpace(quote);
  return wanted !== '' && withoutSpace(text).includes(wanted);
};
