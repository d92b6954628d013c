import { type ModelFacts, mayRunTools } from '../model/model.js';
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

/** apfel decodes under a schema since 1.4.0; elsewhere the word is not to be relied on. */
function hasGuidance({ isApfel, version }: ModelFacts): boolean {
  const [major, minor] = (version ?? '').split('.').map(Number);
  if (!isApfel || major === undefined || minor === undefined) return false;
  return major > 1 || (major === 1 && minor >= 4);
}
