import { OpenAI } from 'openai';

export const name = 'openai runTools';
export const packages = ['openai'];
export const imports = ['openai'];

export async function solve({ baseUrl, model, system, opening, tools, mostRequests }) {
  const client = new OpenAI({ baseURL: baseUrl, apiKey: 'none' });
  const runner = client.chat.completions.runTools(
    {
      model,
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: opening },
      ],
      tools: tools.map(({ name, description, parameters, run }) => ({
        type: 'function',
        function: { name, description, parameters, parse: JSON.parse, function: run },
      })),
    },
    { maxChatCompletions: mostRequests },
  );
  return await runner.finalContent();
}
