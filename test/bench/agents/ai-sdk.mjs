import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, stepCountIs, tool } from 'ai';
import { zodSchema } from './zod-schema.mjs';

export const name = 'AI SDK generateText';
export const packages = ['ai', '@ai-sdk/openai-compatible'];
export const imports = ['ai', '@ai-sdk/openai-compatible', 'zod'];

globalThis.AI_SDK_LOG_WARNINGS = false;

export async function solve({ baseUrl, model, system, opening, tools, mostRequests }) {
  const provider = createOpenAICompatible({ name: 'apfel', baseURL: baseUrl });
  const { text } = await generateText({
    model: provider(model),
    system,
    prompt: opening,
    tools: Object.fromEntries(
      tools.map(({ name, description, parameters, run }) => [
        name,
        tool({ description, inputSchema: zodSchema(parameters), execute: run }),
      ]),
    ),
    stopWhen: stepCountIs(mostRequests),
  });
  return text;
}
