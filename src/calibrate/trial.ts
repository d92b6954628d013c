import type { ProtocolName, ToolChoiceName, Trial, Verdict } from '../model/calibration.js';
import type { ModelReply, ModelRequest } from '../model/model.js';
import type { Question } from './questions.js';

/** What calibration needs from a protocol: how to ask, and how to read a reply. */
export interface MeasuredProtocol {
  readonly name: ProtocolName;
  /** The values worth trying besides leaving the field out. */
  readonly toolChoices: readonly ToolChoiceName[];
  request(trial: Trial, question: Question): ModelRequest;
  read(reply: WordedReply): Reading;
}

export type WordedReply = Extract<ModelReply, { kind: 'answer' | 'tool-calls' }>;

export type Reading =
  | { readonly kind: 'calls'; readonly calls: readonly ReadCall[] }
  | { readonly kind: 'refusal' }
  /** An answer in prose, or nothing usable. */
  | { readonly kind: 'no-call' };

export interface ReadCall {
  readonly name: string;
  /** As the model sent them: an object, JSON in a string, or neither. */
  readonly arguments: unknown;
}

export type Judgement =
  | { readonly kind: 'measured'; readonly verdict: Verdict }
  /** The server was too busy, which says nothing about the model. */
  | { readonly kind: 'missed'; readonly message: string }
  | { readonly kind: 'gone'; readonly message: string };

/** What one reply says about the model, without the repairs that the agent would make. */
export function judgeReply(
  reply: ModelReply,
  question: Question,
  protocol: Pick<MeasuredProtocol, 'read'>,
): Judgement {
  switch (reply.kind) {
    case 'answer':
    case 'tool-calls': {
      const reading = protocol.read(reply);
      if (reading.kind === 'refusal') return measured('refused');
      return measured(reading.kind === 'calls' ? judgeCalls(reading.calls, question) : 'no-call');
    }
    case 'refused':
    case 'blocked':
      return measured('refused');
    case 'rate-limited':
    case 'busy':
    case 'loading':
      return { kind: 'missed', message: reply.message };
    case 'unreachable':
      return { kind: 'gone', message: reply.message };
    // Whatever the cause, there was no call, and that is what is measured.
    case 'overflow':
    case 'died':
    case 'timed-out':
    case 'malformed':
    case 'rejected':
      return measured('no-call');
    default: {
      const never: never = reply;
      return never;
    }
  }
}

const measured = (verdict: Verdict): Judgement => ({ kind: 'measured', verdict });

function judgeCalls(calls: readonly ReadCall[], { tool, arguments: wanted }: Question): Verdict {
  const [call] = calls;
  if (call === undefined) return 'no-call';
  if (calls.some(({ name }) => name !== tool.name)) return 'wrong-name';
  return calls.length === 1 && isExactly(argumentsOf(call.arguments), wanted)
    ? 'faithful'
    : 'other-arguments';
}

function argumentsOf(given: unknown): unknown {
  if (given === undefined || given === null || given === '') return {};
  if (typeof given !== 'string') return given;
  try {
    return JSON.parse(given);
  } catch {
    // Not JSON: no arguments at all, which is not what was asked for.
    return undefined;
  }
}

function isExactly(given: unknown, wanted: Question['arguments']): boolean {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return false;
  const entries: ReadonlyArray<readonly [string, unknown]> = Object.entries(given);
  return (
    entries.length === Object.keys(wanted).length &&
    entries.every(([key, value]) => Object.hasOwn(wanted, key) && wanted[key] === value)
  );
}
