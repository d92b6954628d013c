import type OpenAI from 'openai';
import type { ModelFacts, ModelReply, ModelRequest } from '../../core/model.js';
import type { Connection } from './openai-connection.js';
import { failureOf } from './openai-failure.js';
import { readCompletion } from './openai-reply.js';
import { type ChatBody, chatBody } from './openai-request.js';
import { readStream } from './openai-stream.js';

export interface Attempt {
  readonly connection: Connection;
  readonly request: ModelRequest;
  readonly facts: ModelFacts;
  readonly timeoutMs: number;
  /** The caller's: its abort is the one thing that is thrown. */
  readonly signal: AbortSignal;
  /** Ours: the model is being closed. */
  readonly closing: AbortSignal;
}

/**
 * Sends one request, once. Ends when the reply is there, the time is up or somebody gives up,
 * whichever comes first and whatever the socket does; the connection is closed behind it.
 */
export function attempt(task: Attempt): Promise<ModelReply> {
  if (task.closing.aborted) return Promise.resolve(CLOSED);
  const wire = new AbortController();
  return new Promise<ModelReply>((resolve, reject) => {
    const finish = (end: () => void): void => {
      clearTimeout(timer);
      task.signal.removeEventListener('abort', abandon);
      task.closing.removeEventListener('abort', close);
      end();
      wire.abort();
    };
    const abandon = () => finish(() => reject(task.signal.reason));
    const close = () => finish(() => resolve(CLOSED));
    const timer = setTimeout(() => finish(() => resolve(timedOut(task))), task.timeoutMs);
    task.signal.addEventListener('abort', abandon, { once: true });
    task.closing.addEventListener('abort', close, { once: true });
    exchange(task, wire.signal).then(
      reply => finish(() => resolve(blotted(reply, task))),
      thrown => finish(() => resolve(blotted(failureOf(thrown), task))),
    );
  });
}

const CLOSED: ModelReply = { kind: 'unreachable', message: 'the model has been closed' };

const timedOut = (task: Attempt): ModelReply => ({
  kind: 'timed-out',
  message: `no reply within ${Math.round(task.timeoutMs)} ms`,
});

async function exchange(task: Attempt, signal: AbortSignal): Promise<ModelReply> {
  const client = await task.connection.client();
  const { request } = task;
  const body = chatBody(request, task.facts);
  const show = (delta: string): void => {
    if (!signal.aborted) request.onText?.(delta);
  };
  // With tools or a schema the server holds the text back anyway, and streaming costs status codes.
  const isPlain = request.tools === undefined && request.schema === undefined;
  if (request.onText !== undefined && isPlain) return streamed({ client, body, signal, show });
  const reply = readCompletion(await client.chat.completions.create(body, { signal }));
  if (reply.kind === 'answer') show(reply.text);
  return reply;
}

async function streamed(talk: {
  readonly client: OpenAI;
  readonly body: ChatBody;
  readonly signal: AbortSignal;
  readonly show: (delta: string) => void;
}): Promise<ModelReply> {
  const { client, signal, show } = talk;
  const body = { ...talk.body, stream: true as const, stream_options: { include_usage: true } };
  const { data, response } = await client.chat.completions.create(body, { signal }).withResponse();
  const type = response.headers.get('content-type') ?? '';
  if (type.includes('event-stream')) return readStream(data, show);
  // A server that does not know how to stream answers in one piece.
  const reply = readCompletion(await response.json());
  if (reply.kind === 'answer') show(reply.text);
  return reply;
}

/** Some servers quote the key they refuse. */
function blotted(reply: ModelReply, task: Attempt): ModelReply {
  const key = task.connection.endpoint.apiKey;
  if (!('message' in reply) || key === undefined || key === '') return reply;
  return { kind: reply.kind, message: reply.message.replaceAll(key, '[key]') };
}
