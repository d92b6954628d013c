import { SEVERITIES, type Severity } from '../core/finding.js';
import { HUNK_STATES, type HunkState, type Ledger } from '../core/ledger.js';
import type { Outcome } from '../core/outcome.js';
import { count } from './count.js';
import { fixVerdict, isFix } from './to-fix-words.js';

export interface Summary {
  /** What the run says of the change. `clean` only when everything was looked at. */
  readonly verdict: string;
  readonly mood: 'good' | Severity;
  /** How much was looked at, by whom, and how long it took. */
  readonly coverage: readonly string[];
}

/** The one line that every reader sees, whatever else is cut. Holds no text from outside. */
export function summaryLine(outcome: Outcome): string {
  const { verdict, coverage } = summarise(outcome);
  return [verdict, ...coverage].join(' · ');
}

export function summarise(outcome: Outcome): Summary {
  // No hunk is looked at there: the diagnostics are what counts.
  if (isFix(outcome)) {
    const { requests, available } = outcome.model;
    const asked = available ? `${count(requests, 'request')} to the model` : 'no model';
    const coverage = [asked, duration(outcome.durationMs)];
    return { verdict: fixVerdict(outcome), mood: moodOf(outcome), coverage };
  }
  const found = foundWords(outcome);
  const verdict = [found, incompleteWords(outcome)].filter(part => part !== '').join(' · ');
  return {
    verdict: verdict || (seen(outcome.ledger) === 0 ? 'nothing to check' : 'clean'),
    mood: moodOf(outcome),
    coverage: [
      coverageWords(outcome),
      checksOnlyWords(outcome),
      duration(outcome.durationMs),
    ].filter(part => part !== ''),
  };
}

function foundWords(outcome: Outcome): string {
  return [...SEVERITIES]
    .reverse()
    .map(severity => {
      const amount = outcome.findings.filter(finding => finding.severity === severity).length;
      if (amount === 0) return '';
      return severity === 'info' ? `${amount} info` : count(amount, severity);
    })
    .filter(part => part !== '')
    .join(', ');
}

function incompleteWords(outcome: Outcome): string {
  if (outcome.complete) return '';
  const { ledger } = outcome;
  const left = ledger.outOfTime + ledger.refused + ledger.failed;
  if (left > 0) return `incomplete: ${count(left, 'hunk')} not done`;
  if (ledger.checked === 0) return 'incomplete';
  return outcome.model.available ? 'incomplete: not all seen by the model' : 'incomplete: no model';
}

function moodOf(outcome: Outcome): Summary['mood'] {
  const worst = [...SEVERITIES]
    .reverse()
    .find(severity => outcome.findings.some(finding => finding.severity === severity));
  if (!outcome.complete) return worst === 'error' ? 'error' : 'warning';
  return worst ?? 'good';
}

export const STATE_WORDS: Readonly<Record<HunkState, string>> = {
  reviewed: 'reviewed',
  cached: 'cached',
  checked: 'checked',
  skipped: 'skipped',
  outOfTime: 'out of time',
  refused: 'refused',
  failed: 'failed',
};

function coverageWords({ ledger, change }: Outcome): string {
  if (ledger.total === 0) return change.files === 0 ? 'no changes' : 'no changed lines';
  const states = HUNK_STATES.filter(state => ledger[state] > 0).map(
    state => `${ledger[state]} ${STATE_WORDS[state]}`,
  );
  return `${count(ledger.total, 'hunk')} in ${count(change.files, 'file')}: ${states.join(', ')}`;
}

/** The contract: every sink says so when checks are all there was. */
function checksOnlyWords(outcome: Outcome): string {
  const { checked } = outcome.ledger;
  if (checked === 0) return '';
  if (isChecksOnly(outcome)) return 'checks only';
  return outcome.complete && outcome.model.available
    ? ''
    : `checks only for ${count(checked, 'hunk')}`;
}

export const isChecksOnly = ({ ledger }: Outcome): boolean =>
  ledger.checked > 0 && ledger.reviewed + ledger.cached === 0;

const seen = (ledger: Ledger): number => ledger.reviewed + ledger.cached + ledger.checked;

function duration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 0.1) return `${seconds.toFixed(2)} s`;
  // From here on it would round to `60.0 s`.
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
