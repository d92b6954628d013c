export const name = 'naive loop';
export const packages = [];
export const imports = [];

/** What is written in an afternoon: call what the model wants called until it says something. */
export async function solve({ baseUrl, model, system, opening, tools, mostRequests }) {
  const messages = [
    { role: 'system', content: system },
    { role: 'user', content: opening },
  ];
  for (let request = 0; request < mostRequests; request += 1) {
    const response = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages, tools: tools.map(definitionOf) }),
    });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    const { choices } = await response.json();
    const { message } = choices[0];
    if (!message.tool_calls?.length) return message.content;
    messages.push(message);
    for (const call of message.tool_calls) {
      const content = await resultOf(call, tools);
      messages.push({ role: 'tool', tool_call_id: call.id, content });
    }
  }
  return undefined;
}

const definitionOf = ({ name, description, parameters }) => ({
  type: 'function',
  function: { name, description, parameters },
});

async function resultOf({ function: called }, tools) {
  try {
    const tool = tools.find(({ name }) => name === called.name);
    if (tool === undefined) return `error: no tool ${called.name}`;
    return await tool.run(JSON.parse(called.arguments));
  } catch (error) {
    return `error: ${error.message}`;
  }
}
