import { REPAIR_TYPES, type RepairType } from './repair-type.js';

/** What a conversation took, rung by rung. */
export interface Counts {
  requests: number;
  /** Calls that were carried out. */
  turns: number;
  promptTokens: number;
  completionTokens: number;
  readonly repairs: Record<RepairType, number>;
  /** Requests made again for any reason. */
  retries: number;
  /** Guardrail blocks, refusals, and apologies in plain text. */
  refusals: number;
  nudges: number;
  rewordings: number;
  protocolFalls: number;
  /** Requests in which something older was shortened, folded or cut. */
  compactions: number;
  /** Requests that the server refused as too long. */
  overflows: number;
  badCalls: number;
  repeatedCalls: number;
  /** Calls beside the first one of a reply. */
  extraCalls: number;
}

export const noCounts = (): Counts => ({
  requests: 0,
  turns: 0,
  promptTokens: 0,
  completionTokens: 0,
  // Object.fromEntries forgets which keys there were.
  repairs: Object.fromEntries(REPAIR_TYPES.map(type => [type, 0])) as Record<RepairType, number>,
  retries: 0,
  refusals: 0,
  nudges: 0,
  rewordings: 0,
  protocolFalls: 0,
  compactions: 0,
  overflows: 0,
  badCalls: 0,
  repeatedCalls: 0,
  extraCalls: 0,
});

export const totalRepairs = (counts: Counts): number =>
  Object.values(counts.repairs).reduce((sum, count) => sum + count, 0);
