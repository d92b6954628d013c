import { Agent } from '@earendil-works/pi-agent-core';
import { Type } from 'typebox';

export const name = 'pi agent';
export const packages = ['@earendil-works/pi-agent-core'];
/** The last one is loaded with the first request otherwise. */
export const imports = [
  '@earendil-works/pi-agent-core',
  'typebox',
  '@earendil-works/pi-ai/openai-completions',
];

export async function solve({ baseUrl, model, system, opening, tools, mostRequests, window }) {
  const agent = new Agent({
    initialState: {
      systemPrompt: system,
      model: modelAt(baseUrl, model, window),
      tools: tools.map(agentTool),
    },
    getApiKey: () => 'none',
  });
  let turns = 0;
  agent.subscribe(event => {
    if (event.type !== 'turn_end') return;
    turns += 1;
    if (turns >= mostRequests) agent.abort();
  });
  await agent.prompt(opening);
  if (agent.state.errorMessage !== undefined) throw new Error(agent.state.errorMessage);
  const last = agent.state.messages.findLast(message => message.role === 'assistant');
  const parts = last?.stopReason === 'stop' ? last.content : [];
  return parts.map(part => (part.type === 'text' ? part.text : '')).join('');
}

const modelAt = (baseUrl, id, contextWindow) => ({
  id,
  name: id,
  api: 'openai-completions',
  provider: 'apfel',
  baseUrl,
  reasoning: false,
  input: ['text'],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow,
  maxTokens: 512,
  compat: { supportsStore: false },
});

const agentTool = ({ name, description, parameters, run }) => ({
  name,
  label: name,
  description,
  parameters: Type.Object(
    Object.fromEntries(
      Object.entries(parameters.properties).map(([key, { type, description: text }]) => {
        const base = (type === 'integer' ? Type.Integer : Type.String)({ description: text });
        return [key, parameters.required.includes(key) ? base : Type.Optional(base)];
      }),
    ),
  ),
  execute: async (_id, input) => ({
    content: [{ type: 'text', text: await run(input) }],
    details: {},
  }),
});
