import type { ProtocolName } from '../model/calibration.js';
import { type ModelFacts, mayRunTools } from '../model/model.js';
import { isAtLeast } from '../platform/run-program.js';

export type { ProtocolName };

/**
 * The protocols to try, best first: what calibration found best on this machine, else what the server
 * can do. One that was asked for by name stands alone.
 */
export function chooseProtocols(
  wanted: ProtocolName | 'auto',
  facts: ModelFacts,
  preferred?: ProtocolName,
): ProtocolName[] {
  if (wanted !== 'auto') return [wanted];
  const able: ProtocolName[] = [
    ...(hasGuidance(facts) ? (['guided'] as const) : []),
    'native',
    // What keeps MCP tools out also makes apfel ask for plain text, not for our JSON.
    ...(mayRunTools(facts) ? [] : (['text'] as const)),
  ];
  const first = able.filter(name => name === preferred);
  return [...first, ...able.filter(name => name !== preferred)];
}

/**
 * apfel decodes under a schema since 1.4.0; Ollama, LM Studio, llama.cpp and vLLM do by their
 * documentation. What another server makes of it shows in its first reply.
 */
const hasGuidance = ({ isApfel, version }: ModelFacts): boolean =>
  !isApfel || (version !== undefined && isAtLeast(version, '1.4'));
