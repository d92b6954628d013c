import { createServer, type IncomingMessage } from 'node:http';

export interface DemoServer {
  readonly baseUrl: string;
  close(): Promise<void>;
}

/** In every report, page and record of the demo, so that nobody takes it for a real model. */
export const SCRIPTED_MODEL = 'scripted-demo';
const WINDOW = 4096;
/** apfel's own limit. */
const MOST_BYTES = 1024 * 1024;

/** A stand-in for apfel on a loopback port, with its routes and scripted answers. */
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
    message: "the scripted demo server doesn't know this request",
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
  // The release that this imitates.
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

/** The body of a request from our own program; anything else fails and gets a 400. */
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

/** About four characters to a token, as in English. */
const tokensIn = (text: string): number => Math.ceil(text.length / 4);

/** A mistake in the sample code, and what the scripted model reports about it. */
export interface PlantedBug {
  readonly path: string;
  /** Part of the line; no other line of the sample contains it. */
  readonly quote: string;
  readonly message: string;
  /** What the model quotes instead, to show that a wrong quote is rejected. */
  readonly misquote?: string;
}

export const OFF_BY_ONE: PlantedBug = {
  path: 'src/cart.js',
  quote: 'at <= items.length',
  message: 'Reads past the end: the last step asks for items[items.length], which is not there.',
};

export const INVERTED: PlantedBug = {
  path: 'src/discount.js',
  quote: 'customer.isMember ? price : price * 0.9',
  message: 'The condition is inverted: members pay in full, and everybody else pays less.',
};

/** It quotes code that doesn't exist, as models sometimes do. Nobody gets to see it. */
export const INVENTED: PlantedBug = {
  path: 'src/discount.js',
  quote: 'priceFor(customer, price)',
  misquote: 'customer.discounts[0]',
  message: 'The list of discounts may be empty, and then its first entry is undefined.',
};

export const PLANTED: readonly PlantedBug[] = [OFF_BY_ONE, INVENTED, INVERTED];

export interface PlantedEdit {
  /** Part of the diagnostic or finding that it fixes. */
  readonly about: string;
  readonly path: string;
  readonly oldText: string;
  readonly newText: string;
}

export const EDITS: readonly PlantedEdit[] = [
  {
    about: 'no-template-curly-in-string',
    path: 'src/receipt.js',
    oldText: `return 'To pay: \${cart.total} ' + currency;`,
    newText: `return \`To pay: \${cart.total} \${currency}\`;`,
  },
  {
    about: INVERTED.message,
    path: INVERTED.path,
    oldText: INVERTED.quote,
    newText: 'customer.isMember ? price * 0.9 : price',
  },
];

/** The parts of a request that the script reads. */
export interface ScriptedRequest {
  readonly messages: ReadonlyArray<{ readonly role: string; readonly text: string }>;
  /** Keys of the object to answer with; some have a letter in front. */
  readonly keys: readonly string[];
}

type Action = Readonly<Record<string, string>>;

/**
 * Answers as a model would: reports the planted bugs, confirms them when asked to refute them, makes
 * the planted edits, and finishes in all other cases. All it knows comes from the request.
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
  if (/^(?:Fix|Mend) (?:it|this) in /m.test(opening))
    return plantedEdit(opening, messages.length > 2);
  const answered = messages.filter(({ text }) => RESULT.test(text)).length;
  return reports(opening)[answered] ?? done('nothing', 'nothing else is wrong');
}

const RESULT = /^(?:noted at |error: )/m;

const done = (answer: string, reason: string): Action => ({ reason, action: 'finish', answer });

function plantedEdit(opening: string, hasTried: boolean): Action {
  const edit = EDITS.find(({ about, path }) => opening.includes(about) && opening.includes(path));
  if (edit === undefined || hasTried) return done('nothing', 'no edit is scripted for this');
  const { path, oldText, newText } = edit;
  return { reason: 'the smallest edit that helps', action: 'edit_file', path, oldText, newText };
}

/** One for each line shown that has a planted bug, in the order of the lines. */
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
