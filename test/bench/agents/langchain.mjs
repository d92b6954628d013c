import { ChatOpenAI } from '@langchain/openai';
import { createAgent, tool } from 'langchain';
import { zodSchema } from './zod-schema.mjs';

export const name = 'LangChain createAgent';
export const packages = ['langchain', '@langchain/openai'];
export const imports = ['langchain', '@langchain/openai', 'zod'];

export async function solve({ baseUrl, model, system, opening, tools, mostRequests }) {
  const agent = createAgent({
    model: new ChatOpenAI({ model, apiKey: 'none', configuration: { baseURL: baseUrl } }),
    systemPrompt: system,
    tools: tools.map(({ name, description, parameters, run }) =>
      tool(run, { name, description, schema: zodSchema(parameters) }),
    ),
  });
  const { messages } = await agent.invoke(
    { messages: [{ role: 'user', content: opening }] },
    // A request and its tool are two steps.
    { recursionLimit: 2 * mostRequests },
  );
  return messages.at(-1)?.text;
}
