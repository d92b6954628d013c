import type { ModelReply, ModelRequest, ToolResultMessage } from '../model/model.js';
import type { Compaction } from './fit-conversation.js';
import type { Rung, Trouble } from './ladder.js';
import type { ProtocolName } from './protocol.js';
import type { RepairType } from './repair.js';

/** One line of the record. Requests are kept exactly as they were sent. */
export type Entry =
  | {
      readonly type: 'request';
      readonly number: number;
      readonly atMs: number;
      readonly protocol: ProtocolName;
      readonly estimatedTokens: number;
      readonly compaction: Compaction;
      readonly request: ModelRequest;
    }
  | {
      readonly type: 'reply';
      readonly number: number;
      readonly durationMs: number;
      readonly reply: ModelReply;
    }
  | {
      readonly type: 'call';
      readonly id: string;
      readonly name: string;
      readonly input: unknown;
      readonly repairs: readonly RepairType[];
    }
  | { readonly type: 'result'; readonly durationMs: number; readonly message: ToolResultMessage }
  | {
      readonly type: 'rung';
      readonly rung: Rung | 'compact';
      readonly trouble: Trouble | 'overflow';
      readonly message: string;
    }
  | { readonly type: 'end'; readonly reason: string; readonly message: string };

/** Append-only. Somebody else saves it; nobody changes it. */
export class Transcript {
  readonly #entries: Entry[] = [];
  readonly #onEntry: ((entry: Entry) => void) | undefined;

  constructor(onEntry?: (entry: Entry) => void) {
    this.#onEntry = onEntry;
  }

  append(entry: Entry): void {
    this.#entries.push(entry);
    this.#onEntry?.(entry);
  }

  entries(): readonly Entry[] {
    return [...this.#entries];
  }
}
