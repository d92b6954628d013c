import { type ModelFacts, mayRunTools } from '../model/model.js';
import { isAtLeast } from '../platform/run-program.js';
import type { Protocol, ProtocolName } from './protocol.js';
import { guided } from './protocol-guided.js';
import { native } from './protocol-native.js';
import { plainText } from './protocol-text.js';

/**
 * The protocols to try, best first: what calibration found best on this machine, else what the server
 * can do. One that was asked for by name stands alone.
 */
export function chooseProtocols(
  wanted: ProtocolName | 'auto',
  facts: ModelFacts,
  preferred?: ProtocolName,
): Protocol[] {
  if (wanted !== 'auto') return [PROTOCOLS[wanted]];
  const able = [
    ...(hasGuidance(facts) ? [guided] : []),
    native,
    // What keeps MCP tools out also makes apfel ask for plain text, not for our JSON.
    ...(mayRunTools(facts) ? [] : [plainText]),
  ];
  const first = able.find(protocol => protocol.name === preferred);
  return first === undefined ? able : [first, ...able.filter(protocol => protocol !== first)];
}

const PROTOCOLS: Readonly<Record<ProtocolName, Protocol>> = { guided, native, text: plainText };

/**
 * apfel decodes under a schema since 1.4.0; Ollama, LM Studio, llama.cpp and vLLM do by their
 * documentation. What another server makes of it shows in its first reply.
 */
const hasGuidance = ({ isApfel, version }: ModelFacts): boolean =>
  !isApfel || (version !== undefined && isAtLeast(version, '1.4'));
