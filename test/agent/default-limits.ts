import type { Limits } from '../../src/agent/question.js';

/** The limits of a conversation where the test isn't about them. */
export const DEFAULT_LIMITS: Limits = {
  deadlineMs: 600_000,
  turns: 8,
  requests: 12,
  badReplies: 3,
  tokens: 100_000,
  resultTokens: 800,
  replyTokens: 512,
};
