import type { ModelReply, ModelRequest, ToolResultMessage } from '../model/model.js';
import type { ProtocolName } from './protocols.js';

/** How older messages were shortened so that a request fits. */
export type Compaction = 'none' | 'shrunk' | 'cut';

/** One line of the transcript. Requests are kept exactly as sent. */
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
      readonly repairs: readonly string[];
    }
  | { readonly type: 'result'; readonly durationMs: number; readonly message: ToolResultMessage }
  | {
      readonly type: 'recovery';
      readonly action: 'reword' | 'fall-back' | 'stop';
      readonly problem: string;
      readonly message: string;
    }
  | { readonly type: 'end'; readonly reason: string; readonly message: string };
