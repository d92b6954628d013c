import { createServer, type IncomingMessage } from 'node:http';

/** In every report, page and record of the demo, so that nobody mistakes it for a real model. */
export const SCRIPTED_MODEL = 'scripted-demo';
const WINDOW = 4096;
/** apfel's own limit. */
const MAX_BYTES = 1024 * 1024;

/** A stand-in for apfel on a loopback port, with its routes and scripted answers. */
export async function startDemoServer() {
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
    close: (): Promise<void> =>
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
    if (bytes > MAX_BYTES) throw new Error('the request is too long');
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
interface PlantedBug {
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

/** It quotes code that doesn't exist, as models sometimes do. It is never shown. */
export const INVENTED: PlantedBug = {
  path: 'src/discount.js',
  quote: 'priceFor(customer, price)',
  misquote: 'customer.discounts[0]',
  message: 'The list of discounts may be empty, and then its first entry is undefined.',
};

export const PLANTED: readonly PlantedBug[] = [OFF_BY_ONE, INVENTED, INVERTED];

/** `about` is part of the diagnostic or finding that an edit fixes. */
export const EDITS = [
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
interface ScriptedRequest {
  readonly messages: ReadonlyArray<{ readonly role: string; readonly text: string }>;
  /** Keys of the object to answer with; some have a letter prefix. */
  readonly keys: readonly string[];
}

type Answer = Readonly<Record<string, string>>;

/**
 * Answers as a model would: reports the planted bugs, confirms them in the second look, makes the
 * planted edits, and finds nothing otherwise. Everything it knows comes from the request.
 */
export function scriptedAnswer({ messages, keys }: ScriptedRequest): string {
  const question = messages.find(({ role }) => role === 'user')?.text ?? '';
  const names = new Map(keys.map(key => [key.replace(/^[a-z]_/, ''), key]));
  const answer = answerFor(question, names);
  if (keys.length === 0) return JSON.stringify(answer);
  const named = [...names].flatMap(([name, key]) =>
    answer[name] === undefined ? [] : [[key, answer[name]] as const],
  );
  return JSON.stringify(Object.fromEntries(named));
}

function answerFor(question: string, names: ReadonlyMap<string, string>): Answer {
  const [, path = ''] = /^File: ([^\n,]+)/m.exec(question) ?? [];
  if (names.has('ruling')) {
    const bug = PLANTED.find(({ quote, misquote }) => !misquote && question.includes(quote));
    return { reason: `the line has ${bug?.quote}`, ruling: 'real_bug' };
  }
  if (names.has('newText')) return plantedEdit(question, path);
  if (names.has('action'))
    return { reason: 'nothing is scripted', action: 'finish', answer: 'nothing' };
  return verdict(question, path);
}

function plantedEdit(question: string, path: string): Answer {
  const edit = EDITS.find(each => question.includes(each.about) && path === each.path);
  for (const row of question.split('\n')) {
    const [, line, text = ''] = /^(\d+)\| (.*)$/.exec(row) ?? [];
    if (line === undefined || edit === undefined || !text.includes(edit.oldText)) continue;
    const newText = text.replace(edit.oldText, () => edit.newText);
    return { reason: 'the smallest edit', decision: 'edit', from: line, to: line, newText };
  }
  return { reason: 'no edit is scripted for this', decision: 'give_up' };
}

/** The next planted bug in the lines shown, in order. */
function verdict(question: string, path: string): Answer {
  const shown = question.split('\n').flatMap(row => {
    const [, line, text] = /^\+(\d+)\| (.*)$/.exec(row) ?? [];
    return line === undefined || text === undefined ? [] : [{ line, text }];
  });
  const known = (/^Known already: ([\d, ]+)\./m.exec(question)?.[1] ?? '').split(', ');
  const isCorrected = question.includes('The quote must be copied');
  const bugs = shown.flatMap(({ line, text }) => {
    const found = PLANTED.filter(each => each.path === path && text.includes(each.quote));
    const bug = found.find(each => !isCorrected || each.misquote === undefined);
    return bug === undefined || known.includes(line) ? [] : [{ line, bug }];
  });
  const reason = `they define ${/[a-zA-Z]{4,}/.exec(shown.map(({ text }) => text).join(' '))?.[0] ?? ''}`;
  const [next, more] = bugs;
  if (next === undefined) return { reason, verdict: 'nothing' };
  const { line, bug } = next;
  return {
    reason: `they use ${bug.quote}`,
    verdict: 'problem',
    line,
    quote: bug.misquote ?? bug.quote,
    severity: 'error',
    message: bug.message,
    more: more === undefined ? 'no' : 'yes',
  };
}
