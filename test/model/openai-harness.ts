import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type StandIn, type StandInOptions, startStandIn } from '../../fixtures/apfel/stand-in.js';
import {
  type OpenModelOptions,
  openModel,
  openTiming,
  type Timing,
} from '../../src/model/client.js';
import type { Model, ModelRequest } from '../../src/model/model.js';

/** A pace whose sleeps take no time and are written down. */
interface TestPace extends Timing {
  readonly slept: number[];
}

export function testPace(remainingMs = 60_000): TestPace {
  const slept: number[] = [];
  const deadlineAt = Date.now() + remainingMs;
  return {
    slept,
    remainingMs: () => deadlineAt - Date.now(),
    random: () => 0.5,
    sleep: async (ms, signal) => {
      signal.throwIfAborted();
      slept.push(ms);
    },
  };
}

export const realPace = (remainingMs: number): Timing => openTiming(Date.now() + remainingMs);

export const never: AbortSignal = new AbortController().signal;

export function modelAt(baseUrl: string, changes: Partial<OpenModelOptions> = {}): Model {
  return openModel({
    facts: {
      name: 'apple-foundationmodel',
      baseUrl,
      isApfel: true,
      version: '1.8.4',
      contextWindow: 4096,
      isOwn: true,
    },
    apiKey: undefined,
    allowRemote: false,
    requestTimeoutMs: 5000,
    pace: testPace(),
    ...changes,
  });
}

export interface StandInModel {
  readonly standIn: StandIn;
  readonly model: Model;
}

export async function withStandIn(
  options: StandInOptions & { readonly model?: Partial<OpenModelOptions> },
  body: (there: StandInModel) => Promise<void>,
): Promise<void> {
  const { model: changes, ...rest } = options;
  const standIn = await startStandIn(rest);
  const model = modelAt(standIn.baseUrl, changes);
  try {
    await body({ standIn, model });
  } finally {
    await model.close();
    await standIn.close();
  }
}

export type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** A server that does exactly what the test says, right or wrong. */
export async function withServer(
  handler: Handler,
  body: (baseUrl: string) => Promise<void>,
): Promise<void> {
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
    request.on('end', () => handler(request, response, text));
  });
  const port = await listen(server);
  try {
    await body(`http://127.0.0.1:${port}/v1`);
  } finally {
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
  }
}

export function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.on('error', reject).listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}

export const question = (text: string, more: Partial<ModelRequest> = {}): ModelRequest => ({
  system: 'You answer briefly.',
  messages: [{ role: 'user', content: [{ type: 'text', text }] }],
  maxTokens: 200,
  ...more,
});

export const READ_FILE = {
  name: 'read_file',
  description: 'Reads a file.',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string' } },
    required: ['path'],
  },
};

export const VERDICT = {
  name: 'Verdict',
  schema: {
    type: 'object',
    properties: { a_reason: { type: 'string' }, b_verdict: { type: 'boolean' } },
    required: ['a_reason', 'b_verdict'],
  },
};
