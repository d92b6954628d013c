import type {
  Model,
  ModelFacts,
  ModelFailure,
  ModelReply,
  ModelRequest,
} from '../../src/model/model.js';

export interface FakeModel extends Model {
  /** Every request, as it was asked. */
  readonly requests: readonly ModelRequest[];
}

export type Script =
  | readonly ModelReply[]
  | ((request: ModelRequest, number: number) => ModelReply);

/** A model that plays a script; the last reply of a list is given again and again. */
export function fakeModel(script: Script, facts: Partial<ModelFacts> = {}): FakeModel {
  const requests: ModelRequest[] = [];
  return {
    facts: { ...FACTS, ...facts },
    requests,
    ask: async (request, signal) => {
      signal.throwIfAborted();
      requests.push(request);
      const number = requests.length;
      if (typeof script === 'function') return script(request, number);
      return script[Math.min(number, script.length) - 1] ?? says('');
    },
    usage: () => ({
      requests: requests.length,
      retries: 0,
      refusals: 0,
      promptTokens: 0,
      completionTokens: 0,
    }),
    close: async () => undefined,
  };
}

const FACTS: ModelFacts = {
  name: 'apple-foundationmodel',
  baseUrl: 'http://127.0.0.1:1/v1',
  isApfel: true,
  version: '1.8.4',
  contextWindow: 4096,
};

const usage = { promptTokens: 10, completionTokens: 5 };

export const says = (text: string, isCut = false): ModelReply => ({
  kind: 'answer',
  text,
  isCut,
  usage,
});

/** The native protocol: arguments as an object, or as the very text that the server sends. */
export const calls = (name: string, given: object | string = {}): ModelReply => ({
  kind: 'tool-calls',
  calls: [
    { id: 'call_1', name, arguments: typeof given === 'string' ? given : JSON.stringify(given) },
  ],
  text: '',
  usage,
});

/** The guided protocol: one flat object. */
export const chooses = (
  action: string,
  given: Readonly<Record<string, unknown>> = {},
): ModelReply =>
  says(JSON.stringify({ a_reason: 'next step', b_action: action, ...prefixed(given) }));

export const fails = (kind: ModelFailure, message = `it is ${kind}`): ModelReply => ({
  kind,
  message,
});

const PREFIXES: Readonly<Record<string, string>> = {
  path: 'c',
  oldText: 'd',
  newText: 'e',
  startLine: 'f',
  endLine: 'g',
  query: 'h',
  answer: 'm',
};

const prefixed = (given: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(given).map(([key, value]) => [`${PREFIXES[key] ?? 'n'}_${key}`, value]),
  );
