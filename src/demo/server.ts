import { createServer, type IncomingMessage } from 'node:http';
import { EDITS, PLANTED, type PlantedBug } from './story.js';

export interface DemoServer {
  readonly baseUrl: string;
  close(): Promise<void>;
}

/** Stands in every report, page and record of the demo, so that none can be mistaken. */
export const SCRIPTED_MODEL = 'scripted-demo';
const WINDOW = 4096;
/** apfel takes no more either. */
const MOST_BYTES = 1024 * 1024;

/** Plays a model on a loopback port of its own, with apfel's routes and answers from the script. */
export async function startDemoServer(): Promise<DemoServer> {
  const server = createServer(async (request, response) => {
    const body = await answerTo(request).catch(() => undefined);
    const text = JSON.stringify(body ?? NOT_UNDERSTOOD);
    response.writeHead(body === undefined ? 400 : 200, { 'content-type': 'application/json' });
    response.end(text);
  });
  await new Promise<void>((done, reject) => {
    server.on('error', reject).listen(0, '127.0.0.1', done);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    close: () =>
      new Promise(done => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

const NOT_UNDERSTOOD = {
  error: {
    message: 'the scripted server of the demo does not know this request',
    type: 'invalid_request_error',
    param: null,
    code: null,
  },
};

async function answerTo(request: IncomingMessage): Promise<unknown> {
  const route = `${request.method} ${request.url}`;
  if (route === 'GET /health') return HEALTH;
  if (route === 'GET /v1/models') return { object: 'list', data: [MODEL] };
  if (route !== 'POST /v1/chat/completions') return undefined;
  const text = await bodyOf(request);
  const answer = scriptedAnswer(readRequest(JSON.parse(text)));
  const [prompt, completion] = [tokensIn(text), tokensIn(answer)];
  return {
    id: 'chatcmpl-demo',
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model: SCRIPTED_MODEL,
    choices: [{ index: 0, message: { role: 'assistant', content: answer }, finish_reason: 'stop' }],
    usage: {
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: prompt + completion,
    },
  };
}

const HEALTH = {
  status: 'ok',
  model: SCRIPTED_MODEL,
  model_available: true,
  context_window: WINDOW,
  // The release whose dialect is spoken here.
  version: '1.8.4',
};

const MODEL = {
  id: SCRIPTED_MODEL,
  object: 'model',
  created: 0,
  owned_by: 'apfel-bot demo',
  context_window: WINDOW,
};

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new Error('the request is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The body of a request that our own program has sent; anything else ends as not understood. */
function readRequest(body: {
  readonly messages: ReadonlyArray<{ readonly role: string; readonly content?: unknown }>;
  readonly response_format?: { readonly json_schema: { readonly schema: object } };
}): ScriptedRequest {
  const schema = body.response_format?.json_schema.schema ?? {};
  const properties = 'properties' in schema ? schema.properties : {};
  return {
    messages: body.messages.map(({ role, content }) => ({ role, text: textOf(content) })),
    keys: Object.keys(properties ?? {}),
  };
}

const textOf = (content: unknown): string =>
  typeof content === 'string' ? content : JSON.stringify(content ?? '');

/** Four characters to a token, as is usual with English. */
const tokensIn = (text: string): number => Math.ceil(text.length / 4);

/** A request as far as the script reads it. */
export interface ScriptedRequest {
  readonly messages: ReadonlyArray<{ readonly role: string; readonly text: string }>;
  /** Keys of the object that is to be answered with; some carry a letter in front. */
  readonly keys: readonly string[];
}

type Action = Readonly<Record<string, string>>;

/**
 * Plays the model: finds what is planted, holds to it when asked to refute it, mends what it has a
 * mending for, and is done with everything else. It reads the request as a model would have to.
 */
export function scriptedAnswer({ messages, keys }: ScriptedRequest): string {
  const action = nextAction(messages);
  const named = keys.flatMap(key => {
    const value = action[key.replace(/^[a-z]_/, '')];
    return value === undefined ? [] : [[key, value] as const];
  });
  return JSON.stringify(keys.length === 0 ? action : Object.fromEntries(named));
}

function nextAction(messages: ScriptedRequest['messages']): Action {
  const opening = messages.find(({ role }) => role === 'user')?.text ?? '';
  const last = messages.at(-1)?.text ?? '';
  if (last.includes('Is the claim wrong')) {
    return done('holds: the line reads as claimed', 'the claim fits the line');
  }
  if (/^Mend (?:it|this) in /m.test(opening)) return mending(opening, messages.length > 2);
  const answered = messages.filter(({ text }) => RESULT.test(text)).length;
  return reports(opening)[answered] ?? done('nothing', 'nothing else is wrong');
}

const RESULT = /^(?:noted at |error: )/m;

const done = (answer: string, reason: string): Action => ({ reason, action: 'finish', answer });

function mending(opening: string, hasTried: boolean): Action {
  const edit = EDITS.find(({ about, path }) => opening.includes(about) && opening.includes(path));
  if (edit === undefined || hasTried) return done('nothing', 'no mending is scripted for this');
  const { path, oldText, newText } = edit;
  return { reason: 'the smallest edit that helps', action: 'edit_file', path, oldText, newText };
}

/** One for each line shown that has something planted in it, in the order of the lines. */
function reports(opening: string): Action[] {
  let path = '';
  return opening.split('\n').flatMap(row => {
    path = /^file ([^\n,]+)/.exec(row)?.[1] ?? path;
    const [, mark, text = ''] = /^\+(\d+#\w+)\| (.*)$/.exec(row) ?? [];
    const bug = PLANTED.find(each => each.path === path && text.includes(each.quote));
    return mark === undefined || bug === undefined ? [] : [report(mark, bug)];
  });
}

const report = (line: string, { path, quote, misquote, message }: PlantedBug): Action => ({
  reason: 'this line does not do what it should',
  action: 'report_finding',
  line,
  quote: misquote ?? quote,
  severity: 'error',
  message,
  path,
});
