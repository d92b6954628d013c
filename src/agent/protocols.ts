import type { ProtocolName } from '../model/calibration.js';
import { type ModelFacts, mayRunTools } from '../model/model.js';
import { isAtLeast } from '../platform/run-program.js';

export type { ProtocolName };

/**
 * The protocols to try, best first: what calibration found best on this machine, otherwise what the
 * server supports. One requested by name is the only one.
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
    // The setting that keeps MCP tools out also makes apfel ask for plain text instead of our JSON.
    ...(mayRunTools(facts) ? [] : (['text'] as const)),
  ];
  const first = able.filter(name => name === preferred);
  return [...first, ...able.filter(name => name !== preferred)];
}

/**
 * apfel decodes under a schema since 1.4.0; Ollama, LM Studio, llama.cpp and vLLM do according to
 * their documentation. For other servers the first reply shows it.
 */
const hasGuidance = ({ isApfel, version }: ModelFacts): boolean =>
  !isApfel || (version !== undefined && isAtLeast(version, '1.4'));
