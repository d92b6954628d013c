import { platform, release } from 'node:os';
import type { PickedProtocol } from '../../calibrate/pick-protocol.js';
import { machineKey, type Remembered, readRemembered } from '../../calibrate/remembered.js';
import type { ModelFacts } from '../../core/model.js';
import { correctScale, type TokenScale, UNSCALED } from '../../core/tokens.js';
import { field } from '../openai/openai-fields.js';
import type { UserCache } from '../records/user-cache.js';

/** `calibration.json` in the user's cache: what is known of each model that was measured here. */
export interface CalibrationMemory {
  recall(facts: ModelFacts): Promise<Remembered>;
  /** Changes what is given and leaves the rest; false when it could not be written. */
  remember(facts: ModelFacts, changes: Partial<Remembered>): Promise<boolean>;
}

const FILE = 'calibration.json';
/** Old servers and systems drop out; nobody has more of them at a time. */
const MOST_MACHINES = 20;

export function openCalibrationMemory(cache: UserCache, system = systemName()): CalibrationMemory {
  return {
    recall: async facts => {
      const machines = await readMachines(cache);
      return readRemembered(machines.get(machineKey(facts, system)));
    },
    remember: async (facts, changes) => {
      const key = machineKey(facts, system);
      // Read anew each time: another process may have written about another machine.
      const machines = await readMachines(cache);
      const entry = { ...readRemembered(machines.get(key)), ...changes };
      machines.delete(key);
      machines.set(key, entry);
      const kept = [...machines].slice(-MOST_MACHINES);
      return cache.write(FILE, { version: 1, machines: Object.fromEntries(kept) });
    },
  };
}

/** What `--protocol auto` should use; undefined when this model was never calibrated. */
export async function rememberedProtocol(
  facts: ModelFacts,
  cache: UserCache,
): Promise<PickedProtocol | undefined> {
  return (await openCalibrationMemory(cache).recall(facts)).picked;
}

/** How far this server's counts are from our estimates, by its own word. */
export async function rememberedTokenScale(
  facts: ModelFacts,
  cache: UserCache,
): Promise<TokenScale> {
  const { tokens } = await openCalibrationMemory(cache).recall(facts);
  return tokens.reduce(correctScale, UNSCALED);
}

async function readMachines(cache: UserCache): Promise<Map<string, unknown>> {
  const held = await cache.read(FILE);
  const machines = field(held, 'version') === 1 ? field(held, 'machines') : undefined;
  return new Map(Object.entries(Object(machines ?? {})));
}

/** Without the last figure: security updates leave the model as it is. */
const systemName = (): string => `${platform()} ${release().split('.').slice(0, 2).join('.')}`;
