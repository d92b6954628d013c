import type { Protocol } from '../../agent/protocol.js';
import { guided } from '../../agent/protocol-guided.js';
import { native } from '../../agent/protocol-native.js';
import { plainText } from '../../agent/protocol-text.js';
import { type Registry, registry } from '../../agent/registry.js';
import { stepOf } from '../../agent/step.js';
import { failed } from '../../agent/tool.js';
import type { MeasuredProtocol, Reading, WordedReply } from '../../calibrate/measured-protocol.js';
import { QUESTION_TOOLS, type Question } from '../../calibrate/questions.js';
import type { ToolChoiceName, Trial } from '../../calibrate/trial.js';
import type { ModelRequest, ToolChoice } from '../../core/model.js';

/** The agent's own protocols, as `calibrate` measures them. */
export function measuredProtocols(): MeasuredProtocol[] {
  const tools = registry(
    QUESTION_TOOLS.map(tool => ({
      ...tool,
      run: () => Promise.resolve(failed('nothing is carried out in a calibration')),
    })),
  );
  const measured = (protocol: Protocol, toolChoices: readonly ToolChoiceName[]) => ({
    name: protocol.name,
    toolChoices,
    request: (trial: Trial, question: Question) => requestFor(protocol, { trial, question, tools }),
    read: (reply: WordedReply) => readReply(reply, protocol, tools),
  });
  return [
    measured(guided, []),
    measured(native, ['auto', 'required', 'named']),
    measured(plainText, []),
  ];
}

/** A call of these tools takes some 60 tokens. */
const MAX_TOKENS = 200;

function requestFor(
  protocol: Protocol,
  asked: { readonly trial: Trial; readonly question: Question; readonly tools: Registry },
): ModelRequest {
  const { trial, question, tools } = asked;
  const prompt = question[trial.prompt];
  const { seed } = trial;
  const turn = { system: '', messages: [], prompt, tools, maxTokens: MAX_TOKENS, seed };
  const request = protocol.request(turn);
  return {
    ...request,
    // With the neutral prompt no words name the tool, as in the published experiment. The text
    // protocol has nothing but words to say what there is.
    system: trial.prompt === 'neutral' && protocol.name !== 'text' ? '' : request.system.trim(),
    ...(trial.toolChoice && { toolChoice: choiceOf(trial.toolChoice, question) }),
  };
}

const choiceOf = (choice: ToolChoiceName, { tool }: Question): ToolChoice =>
  choice === 'named' ? { name: tool.name } : choice;

function readReply(reply: WordedReply, protocol: Protocol, tools: Registry): Reading {
  const step = stepOf(reply, protocol, tools);
  if (step.kind === 'calls') return { kind: 'calls', calls: step.calls };
  const isRefusal = step.kind === 'trouble' && step.trouble === 'refused';
  return { kind: isRefusal ? 'refusal' : 'no-call' };
}
