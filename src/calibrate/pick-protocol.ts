import type { CalibrationRow } from './tabulate.js';
import type { ProtocolName, ToolChoiceName } from './trial.js';

export interface PickedProtocol {
  readonly protocol: ProtocolName;
  readonly toolChoice: ToolChoiceName | null;
  readonly faithful: number;
  readonly runs: number;
  readonly ms: number;
}

/** The one whose shape the server guarantees first, the last resort last. */
const PREFERENCE: readonly ProtocolName[] = ['guided', 'native', 'text'];

/**
 * The best way to get a call out of this model, by what was measured with the prompt that names the
 * tool, as the agent's own prompts do. Where the rates are too close to tell, the preferred protocol
 * wins, then the faster variant. Undefined when no way gave a single faithful call.
 */
export function pickProtocol(rows: readonly CalibrationRow[]): PickedProtocol | undefined {
  const candidates = rows.filter(
    ({ prompt, toolChoice, faithful }) =>
      // The agent cannot name the next tool: choosing it is the model's part.
      prompt === 'directive' && toolChoice !== 'named' && faithful > 0,
  );
  const [best] = candidates.sort((one, other) => rate(other) - rate(one));
  if (best === undefined) return undefined;
  const [picked = best] = candidates.filter(row => isAsGood(row, best)).sort(byPreference);
  const { protocol, toolChoice, faithful, runs, ms } = picked;
  return { protocol, toolChoice, faithful, runs, ms };
}

const rate = ({ faithful, runs }: CalibrationRow): number => faithful / runs;

/** Within one standard error of the difference: 13 of 15 against 14 of 15 says nothing. */
const isAsGood = (row: CalibrationRow, best: CalibrationRow): boolean =>
  rate(best) - rate(row) <= Math.sqrt(variance(row) + variance(best));

/** With one run more of each kind, so that 15 of 15 is not taken for certainty. */
function variance({ faithful, runs }: CalibrationRow): number {
  const likely = (faithful + 1) / (runs + 2);
  return (likely * (1 - likely)) / runs;
}

const byPreference = (one: CalibrationRow, other: CalibrationRow): number =>
  PREFERENCE.indexOf(one.protocol) - PREFERENCE.indexOf(other.protocol) ||
  rate(other) - rate(one) ||
  one.ms - other.ms;
