import { nearest } from '../core/nearest.js';
import { checkInput, exampleOf } from './check-input.js';
import { cutText } from './cut-text.js';
import type { Registry } from './registry.js';
import { failed, type Tool, type ToolContext, type ToolInput, type ToolOutcome } from './tool.js';

/** `hasRun` is false when the call itself was wrong: no such tool, or arguments that do not fit. */
export interface Called {
  readonly hasRun: boolean;
  readonly outcome: ToolOutcome;
}

/** Validates, runs and bounds one call. Never throws: whatever goes wrong is a result. */
export async function callTool(
  call: { readonly name: string; readonly input: unknown },
  tools: Registry,
  context: ToolContext,
): Promise<Called> {
  const tool = tools.find(call.name);
  if (tool === undefined) return refuse(unknownTool(call.name, tools));
  const problem = await checkInput(tool, call.input);
  if (problem !== undefined) return refuse(problem);
  const outcome = await runSafely(tool, call.input, context);
  const { text, isCut } = cutText(outcome.text, context.maxTokens, 'ask for less');
  return { hasRun: true, outcome: isCut ? { ...outcome, text } : outcome };
}

const refuse = (problem: string): Called => ({ hasRun: false, outcome: failed(problem) });

function unknownTool(said: string, tools: Registry): string {
  const name = said.slice(0, LONGEST_NAME);
  const meant = nearest(name, tools.names);
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
  const example = tools.find(meant ?? '') ?? tools.tools[0];
  const shown = example === undefined ? '' : ` Example: ${exampleOf(example)}`;
  return `there is no tool "${name}". Use one of: ${tools.names.join(', ')}.${hint}${shown}`;
}

const LONGEST_NAME = 60;

async function runSafely(tool: Tool, input: unknown, context: ToolContext): Promise<ToolOutcome> {
  try {
    // The schema has just said that it is an object.
    return await tool.run(input as ToolInput, context);
  } catch (thrown) {
    if (context.signal.aborted) return failed(`${tool.name} was stopped`);
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return failed(`${tool.name} failed: ${message.slice(0, 200)}. Try another way.`, {
      thrown: thrown instanceof Error ? (thrown.stack ?? message) : message,
    });
  }
}
