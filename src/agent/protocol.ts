import type { Message } from '../core/message.js';
import type { ModelReply, ModelRequest } from '../core/model.js';
import type { Registry } from './registry.js';
import type { SaidCall } from './repair.js';
import type { RepairType } from './repair-type.js';

export type ProtocolName = 'guided' | 'native' | 'text';

/** One way of getting an action out of the model: how to ask, and how to read the reply. */
export interface Protocol {
  readonly name: ProtocolName;
  request(turn: Turn): ModelRequest;
  understand(reply: WordedReply, tools: Registry): Understanding;
}

/** What one request is made of, before a protocol gives it its shape. */
export interface Turn {
  readonly system: string;
  readonly messages: readonly Message[];
  /** Said last: what to do now. Empty when the opening says it all. */
  readonly prompt: string;
  readonly tools: Registry;
  readonly maxTokens: number;
  readonly seed: number;
}

/** A reply with words in it; the failures are told apart before. */
export type WordedReply = Extract<ModelReply, { kind: 'answer' | 'tool-calls' }>;

export type Understanding =
  | {
      readonly kind: 'calls';
      readonly calls: readonly SaidCall[];
      readonly repairs: readonly RepairType[];
      /** Why, in the model's own words. */
      readonly reason: string;
    }
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'cut'; readonly text: string }
  | { readonly kind: 'bad'; readonly problem: string };
