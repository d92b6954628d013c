import type { Outcome } from '../core/outcome.js';
import { jsonText } from './json-text.js';

/** The whole outcome, as the contract promises for `--format json` and `--out`. */
export const toJson = (outcome: Outcome): string => jsonText(outcome);
