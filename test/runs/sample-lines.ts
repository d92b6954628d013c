/** Lines of a transcript, as a run writes them. */

interface Asked {
  readonly atMs: number;
  readonly system: string;
  readonly opening: string;
  /** Marks that were reported before, each with its answer. */
  readonly history?: readonly string[];
  readonly compaction?: string;
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
    schema: { name: 'action', schema: SCHEMA },
    messages: [
      text('user', asked.opening),
      ...(asked.history ?? []).flatMap(mark => [
        {
          role: 'assistant',
          content: [{ type: 'toolCall', id: 'c', name: 'report_finding', input: { line: mark } }],
        },
        { ...text('toolResult', `the tool's answer to ${mark}`), toolName: 'report_finding' },
      ]),
    ],
  },
});

const SCHEMA = {
  type: 'object',
  properties: { a_reason: { type: 'string' }, b_action: { enum: ['report_finding', 'finish'] } },
};

const text = (role: string, words: string): object => ({
  role,
  content: [{ type: 'text', text: words }],
});

/** A guided answer: the action, and what it was given. */
export const reply = (number: number, action: object, durationMs: number): object => ({
  type: 'reply',
  number,
  durationMs,
  reply: {
    kind: 'answer',
    text: JSON.stringify(action),
    isCut: false,
    usage: { promptTokens: 880 + number * 250, completionTokens: 40 + number * 12 },
  },
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

export const rung = (trouble: string, step: string, message: string): object => ({
  type: 'rung',
  rung: step,
  trouble,
  message,
});

export const end = (reason: string, message = ''): object => ({ type: 'end', reason, message });
