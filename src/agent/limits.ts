import type { Clock } from '../platform/clock.js';

/** Every bound of one conversation. All are configurable, and the one that was hit is reported. */
export interface Limits {
  /** Wall clock for the conversation. */
  readonly deadlineMs: number;
  /** Calls of the model's that were carried out. */
  readonly turns: number;
  /** Requests, retries and reworded ones included. */
  readonly requests: number;
  /** So many unusable replies in a row end a protocol, and the conversation when none is left. */
  readonly badReplies: number;
  /** Prompt and completion together, as the server counts them. */
  readonly tokens: number;
  /** What one tool result may cost. */
  readonly resultTokens: number;
  /** What one reply may cost; a reply that was cut gets twice as much. */
  readonly replyTokens: number;
}

interface Spent {
  readonly startedAt: number;
  readonly turns: number;
  readonly requests: number;
  readonly tokens: number;
}

export type LimitName = 'deadline' | 'turns' | 'requests' | 'tokens';

interface LimitHit {
  readonly reason: LimitName;
  readonly message: string;
}

/** Asked before each request. Consecutive bad replies are the ladder's to count. */
export function reachedLimit(
  spent: Spent,
  limits: Limits,
  clock: Pick<Clock, 'now'>,
): LimitHit | undefined {
  const used = clock.now() - spent.startedAt;
  if (used >= limits.deadlineMs) return hit('deadline', `${limits.deadlineMs} ms are over`);
  if (spent.requests >= limits.requests) return hit('requests', `${limits.requests} were made`);
  if (spent.turns >= limits.turns) return hit('turns', `${limits.turns} were taken`);
  if (spent.tokens >= limits.tokens) return hit('tokens', `${spent.tokens} were used`);
  return undefined;
}

const hit = (reason: LimitName, what: string): LimitHit => ({
  reason,
  message: `the limit of ${reason} is reached: ${what}`,
});
