import type { ToolContext } from '../../../src/agent/tool.js';

/** What a tool is run with when the test is not about that. */
export const toolContext = (maxTokens = 800): ToolContext => ({
  maxTokens,
  signal: new AbortController().signal,
});
