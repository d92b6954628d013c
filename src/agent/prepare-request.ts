import type { ModelFacts, ModelRequest } from '../core/model.js';
import { exampleOf } from './check-input.js';
import {
  type Compaction,
  type Exchange,
  fitConversation,
  restateConversation,
} from './conversation.js';
import { nextPrompt, nudgeOf, wordingOf } from './prompt.js';
import type { Protocol } from './protocol.js';
import type { Registry } from './registry.js';
import type { TokenMeter } from './token-meter.js';

/** Everything the next request is made of. */
export interface Draft {
  readonly task: { readonly system: string; readonly opening: string };
  readonly exchanges: readonly Exchange[];
  readonly tools: Registry;
  readonly protocol: Protocol;
  readonly facts: ModelFacts;
  readonly meter: TokenMeter;
  readonly replyTokens: number;
  /** What was wrong with the last reply; empty when nothing was. */
  readonly nudge: string;
  readonly isLastTurn: boolean;
  /** 0 for the task's own words. */
  readonly wording: number;
  /** Replies that could not be used so far. */
  readonly failures: number;
  /** Of those, the ones since the last good one. */
  readonly streak: number;
  readonly seed: number;
}

export interface Prepared {
  readonly request: ModelRequest;
  readonly estimatedTokens: number;
  /** What the window leaves for a request. */
  readonly availableTokens: number;
  readonly compaction: Compaction;
  readonly wholeFrom: number;
}

/** The next request, made to fit the window; undefined when not even the instructions do. */
export function prepareRequest(draft: Draft): Prepared | undefined {
  const { task, exchanges, tools, protocol, meter } = draft;
  const turn = {
    system: [wordingOf(draft.wording), task.system].filter(text => text !== '').join('\n'),
    prompt: promptOf(draft),
    tools,
    maxTokens: draft.replyTokens,
    seed: draft.seed,
  };
  // With no messages the protocol sends the prompt alone: the cost of all but the conversation.
  const bare = protocol.request({ ...turn, messages: [] });
  const frame = meter.frame(bare);
  const fixed = frame + meter.messages(bare.messages);
  const available = roomFor(draft);
  if (available - fixed < LEAST_ROOM) return undefined;
  // After refusals by the server ever less is sent, but never nothing.
  const room = Math.max(LEAST_ROOM, Math.floor(available / meter.scale) - fixed);
  const history = { opening: task.opening, exchanges };
  const fitted =
    draft.streak >= RESTATED_FROM && exchanges.length > 0
      ? restateConversation(history, room)
      : fitConversation(history, room, meter);
  const request = protocol.request({ ...turn, messages: fitted.messages });
  const { compaction, wholeFrom } = fitted;
  const estimatedTokens = frame + meter.messages(request.messages);
  return { request, estimatedTokens, availableTokens: available, compaction, wholeFrom };
}

/** Less than this is no conversation: a few lines of the task and of one result. */
const LEAST_ROOM = 150;
/** What the server itself keeps free for the reply, whatever `max_tokens` says. */
const SERVER_RESERVE = 512;
/** Whatever is wrong may hang on the shape of the conversation: from this failure on, it is retold. */
const RESTATED_FROM = 3;

const roomFor = ({ facts, replyTokens }: Draft): number =>
  facts.contextWindow - Math.max(SERVER_RESERVE, replyTokens);

function promptOf({ nudge, failures, exchanges, tools, isLastTurn }: Draft): string {
  const next = exchanges.length === 0 ? '' : nextPrompt(tools.names, isLastTurn);
  const [first] = tools.tools;
  const said = nudgeOf(nudge, failures, first === undefined ? '' : exampleOf(first));
  return [said, next].filter(text => text !== '').join(' ');
}

/** Words are shown as they come. An action is not: half of one is nothing to act on. */
export function streamedTo(
  onText: ((delta: string) => void) | undefined,
  request: ModelRequest,
): ModelRequest {
  const isWords = request.schema === undefined && request.tools === undefined;
  return onText !== undefined && isWords ? { ...request, onText } : request;
}
