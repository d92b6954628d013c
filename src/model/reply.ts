import { oneLine } from '../platform/safe-text.js';
import { countIn, field, textIn } from './address.js';
import type { ModelFailure, ModelReply, RawToolCall, Usage } from './model.js';

/** The body of a 200 as a reply; every field is checked. */
export function readCompletion(body: unknown): ModelReply {
  const choices = field(body, 'choices');
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const message = field(choice, 'message');
  if (typeof message !== 'object' || message === null) {
    return { kind: 'malformed', message: 'the server answered 200 with no message in it' };
  }
  // Undefined means no text at all, which is different from an empty one.
  const whole = textIn(message, 'content');
  const refusal = textIn(message, 'refusal') ?? '';
  const finish = textIn(choice, 'finish_reason');
  const usage = readUsage(field(body, 'usage'));
  const text = whole?.slice(answerStart(whole));
  const calls = readCalls(field(message, 'tool_calls'));
  const size = Math.max(text?.length ?? 0, ...calls.map(call => call.arguments.length));
  if (size > MAX_TEXT) {
    const problem = `${size} characters, and no more than ${MAX_TEXT} are read`;
    return { kind: 'malformed', message: `the reply is too large: ${problem}` };
  }
  if (finish === 'content_filter' || (refusal !== '' && !text && calls.length === 0)) {
    return { kind: 'refused', message: oneLine(refusal) || 'the model declined to answer' };
  }
  if (calls.length > 0) return { kind: 'tool-calls', calls, text: text ?? '', usage };
  const isThought = text === '' && whole !== '';
  const isCut = finish === 'length' || isThought;
  if (text !== undefined || isCut) return { kind: 'answer', text: text ?? '', isCut, usage };
  return { kind: 'malformed', message: 'the message has neither text nor a tool call' };
}

/** A full window of tokens has fewer characters; whatever is longer isn't parsed. */
const MAX_TEXT = 64 * 1024;
/** The first is carried out; the others get an error that says so. */
const MAX_CALLS = 8;

const THOUGHT = ['<think>', '</think>'] as const;

/**
 * On some servers a reasoning model puts its thoughts before its answer, in tags, the first of
 * which may be in the prompt. A thought can look like an answer, but isn't one.
 */
function answerStart(text: string): number {
  const start = text.trimStart();
  const end = text.indexOf(THOUGHT[1]);
  if (end === -1) return start.startsWith(THOUGHT[0]) ? text.length : 0;
  // A tag inside a JSON answer is a quote.
  return start.startsWith('{') || start.startsWith('[') ? 0 : end + THOUGHT[1].length;
}

/** Calls that have at least a name; the rest is checked later. */
function readCalls(list: unknown): RawToolCall[] {
  if (!Array.isArray(list)) return [];
  const calls = list.flatMap((entry: unknown) => {
    const called = field(entry, 'function');
    const name = textIn(called, 'name');
    if (name === undefined) return [];
    const given = field(called, 'arguments');
    // By the standard a string; some servers send the object itself.
    const text = typeof given === 'string' ? given : JSON.stringify(given ?? {});
    return [{ id: textIn(entry, 'id') ?? '', name, arguments: text }];
  });
  return calls.slice(0, MAX_CALLS);
}

/** Zero means "not reported", as for a number that no count of tokens can be. */
const readUsage = (usage: unknown): Usage => ({
  promptTokens: tokensIn(usage, 'prompt_tokens'),
  completionTokens: tokensIn(usage, 'completion_tokens'),
});

const tokensIn = (usage: unknown, name: string): number => {
  const tokens = field(usage, name);
  const isCount = Number.isInteger(tokens) && countIn(usage, name) <= MAX_TOKENS;
  return isCount ? countIn(usage, name) : 0;
};

/** More than any model's window. */
const MAX_TOKENS = 20_000_000;

/**
 * An error of the `openai` package or the socket as a reply. The package's errors are read by their
 * fields, so that the package needn't be loaded.
 */
export function failureOf(thrown: unknown): ModelReply {
  const body = field(thrown, 'error');
  const status = field(thrown, 'status');
  const isAnswer = typeof status === 'number' || (typeof body === 'object' && body !== null);
  if (!isAnswer) return brokenConnection(thrown);
  const found = {
    status: typeof status === 'number' ? status : undefined,
    type: `${textIn(body, 'type') ?? ''} ${textIn(body, 'code') ?? ''}`,
    message: oneLine(textIn(body, 'message') ?? messageOf(thrown).replace(PREFIX, '')),
  };
  if (status === 500 && found.message.includes(UNDECODABLE)) {
    return { kind: 'answer', text: '', isCut: true, usage: NO_USAGE };
  }
  const kind = kindOf(found);
  return { kind, message: inWords(kind, found) + nextStep(kind, found) };
}

/** How the package starts a message: the status, and a remark if there is no body. */
const PREFIX = /^\d{3} (?:status code \(no body\))?/;

function inWords(kind: ModelFailure, { status, message }: ServerError): string {
  if (status !== undefined && status < 400)
    return `the server redirects (${status}), which isn't followed (use the URL of the target)`;
  if (status === undefined || (message !== '' && kind !== 'malformed')) return message;
  return `the server answered ${status}${message === '' ? '' : `: ${message}`}`;
}

/** apfel's error for output that doesn't match the schema, as when `max_tokens` cuts it off. */
const UNDECODABLE = 'could not be decoded';
const NO_USAGE: Usage = { promptTokens: 0, completionTokens: 0 };

interface ServerError {
  /** Undefined for an error inside a stream, whose status was 200. */
  readonly status: number | undefined;
  readonly type: string;
  readonly message: string;
}

function kindOf(found: ServerError): ModelFailure {
  const { status } = found;
  if (found.type.includes('context_length_exceeded') || status === 413) return 'overflow';
  if (found.type.includes('content_policy') || found.type.includes('content_filter'))
    return 'blocked';
  if (status === 429 || found.type.includes('rate_limit')) {
    return BUSY.test(found.message) ? 'busy' : 'rate-limited';
  }
  if (status === 408 || status === 504) return 'timed-out';
  if (status === 502) return 'unreachable';
  if (status !== undefined && status !== 400 && status !== 422 && status < 500) return 'rejected';
  if (status === 501) return 'rejected';
  return kindFromMessage(found);
}

/**
 * A server older than its system may report a known condition as an unknown 500, and a stream has no
 * status at all: then the message decides.
 */
function kindFromMessage(found: ServerError): ModelFailure {
  if (CONTEXT.test(found.message)) return 'overflow';
  if (GUARDRAIL.test(found.message)) return 'blocked';
  if (REFUSAL.test(found.message) || LANGUAGE.test(found.message)) return 'refused';
  if (found.status === 400 || found.status === 422) return 'rejected';
  if (RATE.test(found.message)) return 'rate-limited';
  if (BUSY.test(found.message)) return 'busy';
  if (found.status === 503 || LOADING.test(found.message)) return 'loading';
  return found.type.includes('invalid_request') ? 'rejected' : 'malformed';
}

const CONTEXT =
  /context ?(?:window|size)|context length|maximum context|too many tokens|token limit/i;
const GUARDRAIL = /guardrail|content policy|safety|unsafe|sensitive content/i;
/** Of the text, or of this Mac. It counts as a refusal. */
const LANGUAGE = /unsupported ?language/i;
const REFUSAL = /refusal|refused to/i;
const RATE = /rate[ -]?limit|too many requests/i;
const BUSY = /busy|concurrent|at max|capacity/i;
const LOADING = /loading|assets|not ready|warming/i;

function nextStep(kind: ModelFailure, found: ServerError): string {
  if (kind === 'refused' && LANGUAGE.test(found.message)) {
    return ' (apfel-bot doctor lists the languages that the model supports)';
  }
  if (kind !== 'rejected') return '';
  const { status } = found;
  if (status === 401) return ' (set APFEL_BOT_API_KEY to the token of this server)';
  if (status === 403) return ' (reach the server as 127.0.0.1, or allow this host there)';
  if (status === 404 && found.type.includes('model')) return ' (name another one with --model)';
  if (status === 404 || status === 405 || status === 501) {
    return ' (the base URL must point to an OpenAI-compatible /v1)';
  }
  return '';
}

const NOT_LISTENING = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];
const BROKEN = [
  'ECONNRESET',
  'EPIPE',
  'ECONNABORTED',
  'UND_ERR_SOCKET',
  'ERR_STREAM_PREMATURE_CLOSE',
];

function brokenConnection(thrown: unknown): ModelReply {
  const causes = causesOf(thrown);
  const codes = causes.flatMap(cause => textIn(cause, 'code') ?? []);
  const message = oneLine(messageOf(causes.at(-1)));
  if (codes.some(code => NOT_LISTENING.includes(code))) {
    return { kind: 'unreachable', message: `no server answers (${message})` };
  }
  if (codes.some(code => BROKEN.includes(code))) {
    return { kind: 'died', message: `the connection broke in the middle (${message})` };
  }
  if (codes.includes('ETIMEDOUT') || message.includes('timed out')) {
    return { kind: 'timed-out', message };
  }
  return { kind: 'malformed', message: `the reply can't be read: ${message}` };
}

/** The error and its causes, outermost first. */
function causesOf(thrown: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let cause = thrown; cause !== undefined && chain.length < 5; ) {
    chain.push(cause);
    // Several addresses were tried for one name: the last error represents all.
    const several = field(cause, 'errors');
    cause = (Array.isArray(several) ? several.at(-1) : undefined) ?? field(cause, 'cause');
  }
  return chain;
}

const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);
