import { DOCUMENTED_RATES } from '../../../fixtures/apfel/rates.js';
import type { StandInOptions } from '../../../fixtures/apfel/stand-in.js';
import { type Kind, simulatedTask } from '../../agent/simulation/tasks.js';

export interface Setting {
  readonly name: string;
  readonly note: string;
  readonly standIn: StandInOptions;
  /** Ours gets more: a rate near 100 % needs them. Both begin with the same ones. */
  readonly tasks: { readonly ours: number; readonly others: number };
  readonly firstSeed: number;
  readonly kinds?: readonly Kind[];
  readonly readsWhole?: boolean;
}

const documented: StandInOptions = { quirks: DOCUMENTED_RATES, seed: 3 };
const FAR: readonly Kind[] = ['far-read', 'far-edit'];

/** Task sets that no test of the loop uses: it was not tuned to them. */
export const SETTINGS: readonly Setting[] = [
  {
    name: 'A model that makes no mistake',
    note: 'The control: every loop has to complete everything here, or it was set up wrongly.',
    standIn: {},
    tasks: { ours: 100, others: 60 },
    firstSeed: 70_000,
  },
  {
    name: 'Documented rates',
    note: 'Every failure of apfel that was published with a rate, at that rate.',
    standIn: documented,
    tasks: { ours: 200, others: 120 },
    firstSeed: 71_000,
  },
  {
    name: 'Documented rates, failures repeat',
    note: 'The same conversation sent again meets the same fate four times out of five.',
    standIn: { ...documented, repeatFailures: 0.8 },
    tasks: { ours: 200, others: 120 },
    firstSeed: 72_000,
  },
  {
    name: 'Files larger than the window, read in pages',
    note: 'Documented rates. Everybody has our read_file, which shows 800 tokens at a time.',
    standIn: documented,
    tasks: { ours: 100, others: 60 },
    firstSeed: 73_000,
    kinds: FAR,
  },
  {
    name: 'Files larger than the window, read whole',
    note: 'Documented rates. Everybody has a read_file that returns the whole file; what becomes of it is up to the loop.',
    standIn: documented,
    tasks: { ours: 100, others: 60 },
    firstSeed: 74_000,
    kinds: FAR,
    readsWhole: true,
  },
  {
    name: 'Repeated call ids',
    note: 'Every call has the id call_1; nothing else goes wrong.',
    standIn: { quirks: { 'repeated-call-ids': 1 }, seed: 6 },
    tasks: { ours: 100, others: 60 },
    firstSeed: 75_000,
  },
];

export const taskAt = (setting: Setting, at: number) =>
  simulatedTask(setting.firstSeed + at, setting.kinds);
