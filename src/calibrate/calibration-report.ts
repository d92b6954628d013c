import type { ModelFacts } from '../core/model.js';
import type { PickedProtocol } from './pick-protocol.js';
import type { CalibrationRow } from './tabulate.js';

/** What was measured, complete or not. */
export interface CalibrationReport {
  readonly server: Pick<ModelFacts, 'name' | 'baseUrl' | 'isApfel' | 'version'>;
  readonly rows: readonly CalibrationRow[];
  /** Asked for, for each row. */
  readonly wantedRuns: number;
  /** Measured in all, those remembered included. */
  readonly done: number;
  readonly remembered: number;
  readonly total: number;
  /** Why it is not complete; undefined when it is. */
  readonly stopped: string | undefined;
  readonly picked: PickedProtocol | undefined;
  /** Whether `auto` will know of it. */
  readonly isRemembered: boolean;
}
