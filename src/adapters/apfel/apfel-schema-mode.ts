import type { Model } from '../../core/model.js';

export type SchemaMode = 'honoured' | 'ignored' | 'unknown';

/**
 * Whether the server decodes under a schema. One started with `--mcp` ignores schemas in silence;
 * a tiny question shows it, because plain text does not begin with a brace.
 */
export async function readSchemaMode(model: Model, signal: AbortSignal): Promise<SchemaMode> {
  const reply = await model.ask(
    {
      system: 'Answer with one word.',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Is water wet?' }] }],
      maxTokens: 16,
      temperature: 0,
      schema: {
        name: 'Probe',
        schema: {
          type: 'object',
          properties: { yes: { type: 'boolean' } },
          required: ['yes'],
        },
      },
    },
    signal,
  );
  if (reply.kind !== 'answer') return 'unknown';
  return reply.text.trimStart().startsWith('{') ? 'honoured' : 'ignored';
}
