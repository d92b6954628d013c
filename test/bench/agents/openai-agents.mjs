import { Agent, OpenAIChatCompletionsModel, run, setTracingDisabled, tool } from '@openai/agents';
import { OpenAI } from 'openai';
import { zodSchema } from './zod-schema.mjs';

export const name = '@openai/agents';
export const packages = ['@openai/agents'];
export const imports = ['@openai/agents', 'openai', 'zod'];

setTracingDisabled(true);

export async function solve({ baseUrl, model, system, opening, tools, mostRequests }) {
  const client = new OpenAI({ baseURL: baseUrl, apiKey: 'none' });
  const agent = new Agent({
    name: 'worker',
    instructions: system,
    model: new OpenAIChatCompletionsModel(client, model),
    tools: tools.map(({ name, description, parameters, run: execute }) =>
      tool({
        name,
        description,
        // Its strict mode wants optional parameters to be nullable as well.
        parameters: zodSchema(parameters, type => type.nullish()),
        execute,
      }),
    ),
  });
  const { finalOutput } = await run(agent, opening, { maxTurns: mostRequests });
  return finalOutput;
}
