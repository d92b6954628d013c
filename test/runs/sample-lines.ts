/** Lines of a transcript, as a run writes them. */

interface Asked {
  readonly atMs: number;
  readonly system: string;
  readonly opening: string;
  /** Files that were read before, each with its text. */
  readonly history?: readonly string[];
  readonly compaction?: string;
  /** What the answer has beside a reason; a verdict unless given. */
  readonly fields?: object;
}

export const ask = (number: number, asked: Asked): object => ({
  type: 'request',
  number,
  atMs: asked.atMs,
  protocol: 'guided',
  estimatedTokens: 900 + number * 240,
  compaction: asked.compaction ?? 'none',
  request: {
    system: asked.system,
    maxTokens: 600,
    schema: {
      name: 'answer',
      schema: {
        type: 'object',
        properties: { a_reason: { type: 'string' }, ...(asked.fields ?? VERDICT) },
      },
    },
    messages: [
      text('user', asked.opening),
      ...(asked.history ?? []).flatMap(path => [
        {
          role: 'assistant',
          content: [{ type: 'toolCall', id: 'c', name: 'read_file', input: { path } }],
        },
        { ...text('toolResult', `the text of ${path}`), toolName: 'read_file' },
      ]),
    ],
  },
});

const VERDICT = { b_verdict: { enum: ['nothing', 'problem'] } };

const text = (role: string, words: string): object => ({
  role,
  content: [{ type: 'text', text: words }],
});

/** The answer to a question with a schema. */
export const reply = (number: number, answer: object, durationMs: number): object => ({
  type: 'reply',
  number,
  durationMs,
  reply: {
    kind: 'answer',
    text: JSON.stringify(answer),
    isCut: false,
    usage: { promptTokens: 880 + number * 250, completionTokens: 40 + number * 12 },
  },
});

/** A verdict that reports a problem. */
export const problem = (line: number, message: string): object => ({
  a_reason: 'they compare the index with the length',
  b_verdict: 'problem',
  c_line: String(line),
  d_quote: 'index <= list.length',
  e_severity: 'error',
  f_message: message,
});

export const call = (name: string, input: object, repairs: readonly string[] = []): object => ({
  type: 'call',
  id: 'call_1',
  name,
  input,
  repairs,
});

export const result = (
  toolName: string,
  words: string,
  details: object = {},
  isError = false,
): object => ({
  type: 'result',
  durationMs: 14,
  message: {
    role: 'toolResult',
    toolCallId: 'call_1',
    toolName,
    isError,
    content: [{ type: 'text', text: words }],
    details,
  },
});

export const recovery = (problem: string, action: string, message: string): object => ({
  type: 'recovery',
  action,
  problem,
  message,
});

export const end = (reason: string, message = ''): object => ({ type: 'end', reason, message });
