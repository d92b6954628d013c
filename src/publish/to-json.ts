import { joinPieces } from '../core/json-pieces.js';
import type { Outcome } from '../core/outcome.js';
import type { Clock } from '../world.js';
import { jsonTextPieces } from './json-text.js';

/** The whole outcome, as the contract promises for `--format json` and `--out`. */
export const toJson = (outcome: Outcome, { breathe }: Pick<Clock, 'breathe'>): Promise<string> =>
  joinPieces(jsonTextPieces(outcome), breathe);
