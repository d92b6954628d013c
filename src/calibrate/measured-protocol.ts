import type { ModelReply, ModelRequest } from '../core/model.js';
import type { Question } from './questions.js';
import type { ProtocolName, ToolChoiceName, Trial } from './trial.js';

/** What calibration needs of a protocol: how it asks, and what it makes of a reply. */
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
  /** An answer in words, or nothing that could be used. */
  | { readonly kind: 'no-call' };

export interface ReadCall {
  readonly name: string;
  /** As the model sent them: an object, JSON in a string, or neither. */
  readonly arguments: unknown;
}
