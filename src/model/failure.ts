import { oneLine } from '../platform/safe-text.js';
import { field, textIn } from './address.js';
import type { ModelFailure, ModelReply, Usage } from './model.js';

/**
 * Whatever the `openai` package or the socket threw, as one of the closed kinds. The package's
 * error classes are read by their fields, so that nothing of it is loaded to understand a failure.
 */
export function failureOf(thrown: unknown): ModelReply {
  const body = field(thrown, 'error');
  const status = field(thrown, 'status');
  const isAnswer = typeof status === 'number' || (typeof body === 'object' && body !== null);
  if (!isAnswer) return brokenConnection(thrown);
  const said = {
    status: typeof status === 'number' ? status : undefined,
    type: `${textIn(body, 'type') ?? ''} ${textIn(body, 'code') ?? ''}`,
    message: oneLine(textIn(body, 'message') ?? messageOf(thrown)),
  };
  if (status === 500 && said.message.includes(UNDECODABLE)) {
    return { kind: 'answer', text: '', isCut: true, usage: NO_USAGE };
  }
  const kind = kindOf(said);
  return { kind, message: said.message + nextStep(kind, said) };
}

/** apfel's error for output that doesn't fit the schema, as when `max_tokens` ends it too soon. */
const UNDECODABLE = 'could not be decoded';
const NO_USAGE: Usage = { promptTokens: 0, completionTokens: 0 };

interface Said {
  /** Undefined for an error inside a stream, whose status was 200. */
  readonly status: number | undefined;
  readonly type: string;
  readonly message: string;
}

function kindOf(said: Said): ModelFailure {
  const { status } = said;
  if (said.type.includes('context_length_exceeded') || status === 413) return 'overflow';
  if (said.type.includes('content_policy') || said.type.includes('content_filter'))
    return 'blocked';
  if (status === 429 || said.type.includes('rate_limit')) {
    return has(said, BUSY) ? 'busy' : 'rate-limited';
  }
  if (status === 408 || status === 504) return 'timed-out';
  if (status === 502) return 'unreachable';
  if (status !== undefined && status !== 400 && status !== 422 && status < 500) return 'rejected';
  if (status === 501) return 'rejected';
  return kindFromWords(said);
}

/**
 * A server older than its system may call a known condition an unknown 500, and in a stream there
 * is no status at all: the words decide then. Matched in lower case, on a bounded text.
 */
function kindFromWords(said: Said): ModelFailure {
  if (has(said, CONTEXT)) return 'overflow';
  if (has(said, GUARDRAIL)) return 'blocked';
  if (has(said, REFUSAL)) return 'refused';
  if (said.status === 400 || said.status === 422) return 'rejected';
  if (has(said, RATE)) return 'rate-limited';
  if (has(said, BUSY)) return 'busy';
  if (said.status === 503 || has(said, LOADING)) return 'loading';
  return said.type.includes('invalid_request') ? 'rejected' : 'malformed';
}

const CONTEXT = [
  'context window',
  'contextwindow',
  'context length',
  'context size',
  'contextsize',
  'maximum context',
  'too many tokens',
  'token limit',
];
const GUARDRAIL = ['guardrail', 'content policy', 'safety', 'unsafe', 'sensitive content'];
/** A language the model does not speak is declined like any other text it will not judge. */
const REFUSAL = ['refusal', 'refused to', 'unsupported language', 'unsupportedlanguage'];
const RATE = ['rate limit', 'rate-limit', 'ratelimit', 'too many requests'];
const BUSY = ['busy', 'concurrent', 'at max', 'capacity'];
const LOADING = ['loading', 'assets', 'not ready', 'warming'];

const has = (said: Said, words: readonly string[]): boolean => {
  const text = said.message.toLowerCase();
  return words.some(word => text.includes(word));
};

function nextStep(kind: ModelFailure, said: Said): string {
  if (kind !== 'rejected') return '';
  const { status } = said;
  if (status === 401) return ' (set APFEL_BOT_API_KEY to the token of this server)';
  if (status === 403) return ' (reach the server as 127.0.0.1, or allow this host there)';
  if (status === 404 && said.type.includes('model')) return ' (name another one with --model)';
  if (status === 404 || status === 405 || status === 501) {
    return ' (the base URL must lead to an OpenAI-compatible /v1)';
  }
  if (status !== undefined && status < 400) return ' (redirects are not followed: name the target)';
  return '';
}

const NOBODY = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];
const GONE = [
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
  if (codes.some(code => NOBODY.includes(code))) {
    return { kind: 'unreachable', message: `no server answers (${message})` };
  }
  if (codes.some(code => GONE.includes(code))) {
    return { kind: 'died', message: `the connection broke in the middle (${message})` };
  }
  if (codes.includes('ETIMEDOUT') || message.includes('timed out')) {
    return { kind: 'timed-out', message };
  }
  return { kind: 'malformed', message: `the answer cannot be read: ${message}` };
}

/** The error itself and what it was wrapped around, outermost first. */
function causesOf(thrown: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let cause = thrown; cause !== undefined && chain.length < 5; ) {
    chain.push(cause);
    // Several addresses were tried for one name: the last failure stands for all.
    const several = field(cause, 'errors');
    cause = (Array.isArray(several) ? several.at(-1) : undefined) ?? field(cause, 'cause');
  }
  return chain;
}

const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);
