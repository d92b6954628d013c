import { type TrialResult, type Variant, variantKey } from './trial.js';

/** One row of `calibrate --format json`, as the contract has it. */
export interface CalibrationRow extends Variant {
  readonly runs: number;
  /** Replies with a call in them, right or wrong. */
  readonly calls: number;
  readonly faithful: number;
  readonly wrongName: number;
  readonly refused: number;
  /** On average; 0 when nothing was measured. */
  readonly ms: number;
}

export function tabulate(
  variants: readonly Variant[],
  results: readonly TrialResult[],
): CalibrationRow[] {
  const byVariant = new Map<string, TrialResult[]>(variants.map(each => [variantKey(each), []]));
  for (const result of results) byVariant.get(variantKey(result))?.push(result);
  return variants.map(variant => rowOf(variant, byVariant.get(variantKey(variant)) ?? []));
}

function rowOf(variant: Variant, results: readonly TrialResult[]): CalibrationRow {
  const count = (verdict: TrialResult['verdict']): number =>
    results.filter(result => result.verdict === verdict).length;
  const runs = results.length;
  const refused = count('refused');
  const totalMs = results.reduce((sum, { ms }) => sum + ms, 0);
  return {
    ...variant,
    runs,
    calls: runs - refused - count('no-call'),
    faithful: count('faithful'),
    wrongName: count('wrong-name'),
    refused,
    ms: runs === 0 ? 0 : Math.round(totalMs / runs),
  };
}
