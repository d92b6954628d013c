import { chance } from '../../../fixtures/apfel/chance.js';
import type { Model, ModelReply, ModelRequest } from '../../../src/model/model.js';
import { fieldsIn, newLinesIn, textIn } from '../../support/closed-questions.js';
import { fails, fakeModel, says } from '../../support/fake-model.js';

/** How often each thing goes wrong with one reply. */
export type Rates = Readonly<Record<Fault, number>>;

const FAULTS = [
  /** The guardrail blocks the request. */
  'blocked',
  /** The server fails. */
  'server',
  /** An apology instead of an answer: in the reason where a schema leaves nothing else. */
  'apology',
  /** The reply stops in the middle. */
  'cut',
  /** Fields that may be left out are. */
  'left-out',
  /** An ending at once, with a reason that shows nothing. */
  'early-end',
  /** Another line or range than the right one. */
  'wrong-line',
  /** A value that is made up. */
  'wrong-value',
  /** Words from nowhere in the fields. */
  'junk',
] as const;
type Fault = (typeof FAULTS)[number];

/** Two in 29 requests blocked, one in 20 parameters lost (published for apfel 0.5); the rest assumed. */
export const DOCUMENTED: Rates = {
  blocked: 0.07,
  server: 0.02,
  apology: 0.03,
  cut: 0.03,
  'left-out': 0.1,
  'early-end': 0,
  'wrong-line': 0,
  'wrong-value': 0,
  junk: 0,
};

/** Poor judgement on top of it. Assumed: nobody has published rates. */
export const WEAK: Rates = {
  ...DOCUMENTED,
  'early-end': 0.12,
  'wrong-line': 0.08,
  'wrong-value': 0.08,
  junk: 0.05,
};

interface Flaky {
  readonly rates: Rates;
  readonly seed: number;
  /** How likely a question that failed fails again in the same way, however it is worded. */
  readonly sticky: number;
}

type Right = (request: ModelRequest) => Readonly<Record<string, string>>;

/**
 * A model that knows every answer and gives some of them badly, in whatever protocol it is asked. What
 * makes two requests the same question is the file, the kind of fields and, in a review, the changed lines,
 * not the words.
 */
export function flakyModel(
  right: Right,
  { rates, seed, sticky }: Flaky,
): Model & { asked: number } {
  const attempts = new Map<string, { count: number; fault: Fault | undefined }>();
  const model = fakeModel(request => {
    const key = questionKey(request);
    const { count, fault: last } = attempts.get(key) ?? { count: 0, fault: undefined };
    const draw = (what: string): number => chance(seed, key, count, what);
    const repeats = last !== undefined && draw('repeat') < sticky;
    const fault = repeats ? last : FAULTS.find(each => draw(each) < rates[each]);
    attempts.set(key, { count: count + 1, fault });
    return reply(request, right(request), fault, draw);
  });
  return Object.defineProperty(model as unknown as Model & { asked: number }, 'asked', {
    get: () => model.requests.length,
  });
}

function questionKey(request: ModelRequest): string {
  const file = /^(?:File: )?(.*?)(?:, lines \d+ to \d+ of \d+)?$/m.exec(textIn(request))?.[1] ?? '';
  const kind = fieldsIn(request).find(name => ['verdict', 'ruling', 'newText'].includes(name));
  // Half of a chunk is another question; a longer view of the same diagnostic isn't.
  const lines = kind === 'verdict' ? newLinesIn(textIn(request)).map(({ line }) => line) : [];
  const known = /^Known already.*$/m.exec(textIn(request))?.[0] ?? '';
  return [kind ?? 'turn', file, known, ...lines].join(' ');
}

function reply(
  request: ModelRequest,
  right: Readonly<Record<string, string>>,
  fault: Fault | undefined,
  draw: (what: string) => number,
): ModelReply {
  switch (fault) {
    case 'blocked':
      return fails('blocked', 'the guardrail blocked it');
    case 'server':
      return fails('malformed', 'HTTP 500');
    case 'apology':
      return request.schema === undefined
        ? says("I'm sorry, but I can't assist with that.")
        : answered(request, withReason(right, "I'm sorry, but I can't assist with that.", request));
    case 'cut':
      return cut(answered(request, right));
    case 'left-out':
      return answered(request, leftOut(request, right));
    case 'early-end':
      return answered(request, withReason(right, 'it looks fine', request));
    case 'wrong-line':
      return answered(request, otherLine(request, right, draw));
    case 'wrong-value':
      return answered(request, otherValue(right));
    case 'junk':
      return answered(request, junk(right));
    default:
      return answered(request, right);
  }
}

/** In the shape that the protocol asks for; a turn of the tool loop is a call. */
function answered(request: ModelRequest, values: Readonly<Record<string, string>>): ModelReply {
  const { schema, tools } = request;
  if (schema !== undefined) {
    const properties = Object.keys((schema.schema['properties'] as object | undefined) ?? {});
    const given = properties.flatMap(key => {
      const value = values[key.replace(/^[a-z]_/, '')];
      return value === undefined ? [] : [[key, value] as const];
    });
    return says(JSON.stringify(Object.fromEntries(given)));
  }
  const { action, ...rest } = values;
  if (tools !== undefined) {
    const usage = { promptTokens: 10, completionTokens: 5 };
    const name = action ?? tools[0]?.name ?? '';
    const call = { id: 'call_1', name, arguments: JSON.stringify(rest) };
    return { kind: 'tool-calls', calls: [call], text: '', usage };
  }
  return says(JSON.stringify(values));
}

const cut = (whole: ModelReply): ModelReply =>
  whole.kind === 'answer'
    ? { ...whole, text: whole.text.slice(0, Math.floor(whole.text.length / 2)), isCut: true }
    : fails('malformed', 'cut');

/** An ending where there is one to choose, with that reason. */
function withReason(
  right: Readonly<Record<string, string>>,
  reason: string,
  request: ModelRequest,
): Record<string, string> {
  const fields = fieldsIn(request);
  if (fields.includes('verdict')) return { reason, verdict: 'nothing' };
  if (fields.includes('ruling')) return { reason, ruling: right['ruling'] ?? 'real_bug' };
  if (fields.includes('newText')) return { ...right, reason, newText: reason };
  return { reason, action: 'finish', answer: reason };
}

function leftOut(
  { schema }: ModelRequest,
  right: Readonly<Record<string, string>>,
): Record<string, string> {
  const required = (schema?.schema['required'] as string[] | undefined) ?? [];
  const names = required.map(key => key.replace(/^[a-z]_/, ''));
  return Object.fromEntries(
    Object.entries(right).filter(([name]) => names.length === 0 || names.includes(name)),
  );
}

function otherLine(
  request: ModelRequest,
  right: Readonly<Record<string, string>>,
  draw: (what: string) => number,
): Record<string, string> {
  const numbers = [...textIn(request).matchAll(/^\+?(\d+)\| /gm)].map(([, line]) => line ?? '');
  const line = numbers[Math.floor(draw('line') * numbers.length)] ?? '1';
  return {
    ...right,
    ...(right['line'] !== undefined && { line }),
    ...(right['from'] !== undefined && { from: line, to: line }),
    ...(right['path'] !== undefined && { path: 'src/elsewhere.ts' }),
  };
}

const otherValue = (right: Readonly<Record<string, string>>): Record<string, string> => ({
  ...right,
  ...(right['quote'] !== undefined && { quote: 'somethingElse(7)' }),
  ...(right['answer'] !== undefined && { answer: right['answer'].replace(/\d+/, '987654') }),
  ...(right['newText'] !== undefined && { newText: 'somethingElse(7);' }),
});

const junk = (right: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(right).map(([name, value]) => [
      name,
      name === 'reason' ? value : `%% ${value.length}`,
    ]),
  );
