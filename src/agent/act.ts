import type { ToolCallBlock } from '../core/message.js';
import { type Called, callTool } from './call-tool.js';
import { conclude, isDone } from './conclude.js';
import type { Answered } from './exchange.js';
import { type RepairedCall, repairCall, type SaidCall } from './repair.js';
import type { End } from './setup.js';
import type { Step } from './step.js';
import type { Talk } from './talk.js';
import { failed } from './tool.js';

/** Carries out the first call of a reply. Whatever else it asks for is answered, not dropped. */
export async function actOn(
  talk: Talk,
  step: Extract<Step, { kind: 'calls' }>,
): Promise<End | undefined> {
  const [first, ...others] = step.calls;
  if (first === undefined) return talk.climb('bad-reply', 'the reply held no call');
  const repaired = repairCall(first, talk.setup.tools);
  const call = blockOf(talk, repaired.name, repaired.input);
  talk.noteCall(call, [...step.repairs, ...repaired.repairs]);
  const { hasRun, outcome } = await carryOut(talk, call, repaired);
  if (outcome.answer !== undefined) return conclude(talk, outcome.answer, 'finish');
  talk.append([{ call, outcome }, ...others.map(other => postponed(talk, other))]);
  if (!hasRun) return talk.climb('bad-call', outcome.text);
  talk.settle({ call, outcome });
  return isDone(talk) ? { reason: 'finished', message: 'the task is done' } : undefined;
}

async function carryOut(talk: Talk, call: ToolCallBlock, said: RepairedCall): Promise<Called> {
  const { tools, limits, signal } = talk.setup;
  if (said.problem !== undefined) return refuse(said.problem);
  if (talk.hasJustSeen(call)) {
    talk.counts.repeatedCalls += 1;
    return refuse(
      `${call.name} was already called with these arguments and its result is above. Use it, or do something else.`,
    );
  }
  const called = await callTool(call, tools, { maxTokens: limits.resultTokens, signal });
  if (called.hasRun || said.dropped.length === 0) return called;
  const unknown = said.dropped.slice(0, 5).join(', ');
  const text = `${called.outcome.text}. It does not know: ${unknown}`;
  return { ...called, outcome: { ...called.outcome, text } };
}

const refuse = (problem: string): Called => ({ hasRun: false, outcome: failed(problem) });

/** The model cannot call in parallel; when it tries, it is told so for each call that waits. */
function postponed(talk: Talk, said: SaidCall): Answered {
  talk.counts.extraCalls += 1;
  const repaired = repairCall(said, talk.setup.tools);
  return {
    call: blockOf(talk, repaired.name, repaired.input),
    outcome: failed('one call at a time. This one was not carried out; call it again if needed.'),
  };
}

const blockOf = (talk: Talk, name: string, input: unknown): ToolCallBlock => ({
  type: 'toolCall',
  id: talk.nextCallId(),
  name,
  input,
});
