import { count } from '../core/count.js';
import { SEVERITIES, type Severity } from '../core/finding.js';
import { HUNK_STATES, type HunkState, type Ledger, type LedgerItem } from '../core/ledger.js';
import { NO_MODEL_WANTED, type Outcome } from '../core/outcome.js';
import { fixedRows, fixVerdict, isFix, whereFixed } from './fix.js';
import { tally, worstOf } from './style.js';

interface Summary {
  /** The verdict on the change. `clean` only if everything was checked. */
  readonly verdict: string;
  readonly tone: 'good' | Severity;
  /** How much was checked, by what, and how long it took. */
  readonly coverage: readonly string[];
}

/** The one line that every reader sees, whatever else is cut. Contains no untrusted text. */
export function summaryLine(outcome: Outcome): string {
  const { verdict, coverage } = summarise(outcome);
  return [verdict, ...coverage].join(' · ');
}

export function summarise(outcome: Outcome): Summary {
  // It reviews no hunks: the diagnostics are what counts.
  if (isFix(outcome)) {
    const { requests, available } = outcome.model;
    const asked = available ? `${count(requests, 'request')} to the model` : 'no model';
    const coverage = [asked, duration(outcome.durationMs)];
    return { verdict: fixVerdict(outcome), tone: toneOf(outcome), coverage };
  }
  const found = foundWords(outcome);
  const verdict = [found, incompleteWords(outcome)].filter(part => part !== '').join(' · ');
  return {
    verdict: verdict || (seen(outcome.ledger) === 0 ? 'nothing to check' : 'clean'),
    tone: toneOf(outcome),
    coverage: [
      outcome.shard === undefined ? '' : `shard ${outcome.shard}`,
      coverageWords(outcome),
      checksOnlyWords(outcome),
      duration(outcome.durationMs),
    ].filter(part => part !== ''),
  };
}

function foundWords(outcome: Outcome): string {
  return SEVERITIES.toReversed()
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

function toneOf(outcome: Outcome): Summary['tone'] {
  const worst = worstOf(outcome.findings);
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

/** Every format says so if only checks ran. */
function checksOnlyWords(outcome: Outcome): string {
  const { checked } = outcome.ledger;
  if (checked === 0) return '';
  if (isChecksOnly(outcome)) return 'checks only';
  return outcome.complete && outcome.model.available
    ? ''
    : `checks only for ${count(checked, 'hunk')}`;
}

export const isChecksOnly = ({ ledger }: Pick<Outcome, 'ledger'>): boolean =>
  ledger.checked > 0 && ledger.reviewed + ledger.cached === 0;

const seen = (ledger: Ledger): number => ledger.reviewed + ledger.cached + ledger.checked;

function duration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 0.1) return `${seconds.toFixed(2)} s`;
  // Above this it would round to `60.0 s`.
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** Something the reader must know that isn't a finding. Its text isn't made safe. */
export interface Fact {
  readonly label: string;
  readonly text: string;
  /** The things counted in the text, one by one; empty if there are too many to read. */
  readonly items: readonly string[];
}

/** More than this are only counted, by reason. */
const MAX_LISTED = 5;

/** What was noted, left out, rejected or cut short: nothing is dropped silently. */
export function listFacts(outcome: Outcome): Fact[] {
  return [
    ...fixFacts(outcome),
    ...outcome.notices.map(text => ({ label: 'note', text, items: [] })),
    ...modelFact(outcome),
    ...leftOutFacts(outcome.ledger.items),
    ...rejectedFact(outcome),
    ...outcome.limits
      .filter(limit => limit.hit)
      .map(({ limit, value }) => ({
        label: 'limit reached',
        text: limit === 'badReplies' ? `${value} bad replies in a row` : `${limit} ${value}`,
        items: [],
      })),
  ];
}

const fixFacts = (outcome: Outcome): Fact[] =>
  isFix(outcome)
    ? [
        ...fixedRows(outcome).map(text => ({ label: 'fixed', text, items: [] })),
        ...whereFixed(outcome).map(text => ({ label: 'see', text, items: [] })),
      ]
    : [];

function modelFact({ model, complete }: Outcome): Fact[] {
  if (complete || model.available || model.reason === NO_MODEL_WANTED) return [];
  return [{ label: 'no model', text: model.reason ?? 'it could not be reached', items: [] }];
}

function leftOutFacts(items: readonly LedgerItem[]): Fact[] {
  const rows = HUNK_STATES.map(state => ({
    state,
    items: items.filter(item => item.state === state),
  })).filter(row => row.items.length > 0);
  const listed = rows.map(row => listItems(row.items));
  const isShort = listed.flat().length <= MAX_LISTED;
  return rows.map(({ state, items: of }, index) => {
    const reasons = of.map(({ reason }) => reason);
    const [first = '', ...others] = new Set(reasons);
    return {
      label: `${STATE_WORDS[state]} ${of.length}`,
      text:
        others.length === 0 ? first : state === 'skipped' ? tally(reasons) : tallyClauses(reasons),
      items: isShort ? (listed[index] ?? []) : [],
    };
  });
}

/** Counts in front of clauses would read like a part of them. */
const tallyClauses = (reasons: readonly string[]): string =>
  [...new Set(reasons)]
    .map(reason => `${reason} (${reasons.filter(each => each === reason).length})`)
    .join(', ');

/** The counts alone, or with the things counted: a single thing replaces its count. */
export function factLine(fact: Fact, isBrief: boolean): Pick<Fact, 'text' | 'items'> {
  const [first, ...others] = fact.items;
  if (isBrief || first === undefined) return { text: fact.text, items: [] };
  return others.length === 0 ? { text: first, items: [] } : fact;
}

/** One line per file and reason, so that a lockfile of forty hunks is one item. */
function listItems(items: readonly LedgerItem[]): string[] {
  const groups = new Map<string, LedgerItem[]>();
  for (const item of items) {
    const key = `${item.path}\0${item.reason}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  // One reason that several items share is said once, before them.
  const isSaid = groups.size > 1 && new Set(items.map(({ reason }) => reason)).size === 1;
  return [...groups.values()].map(group => {
    const first = group[0];
    const which = group.length === 1 ? `hunk ${first?.hunk}` : count(group.length, 'hunk');
    return `${first?.path} ${which}${isSaid ? '' : ` (${first?.reason})`}`;
  });
}

/** What the author silenced wasn't wrong, so it is counted separately. */
function rejectedFact({ rejected }: Outcome): Fact[] {
  const ignored = rejected.filter(({ reason }) => reason === 'ignored-inline');
  const others = rejected.filter(({ reason }) => reason !== 'ignored-inline');
  const fact = (word: string, of: Outcome['rejected'], names: string[]): Fact[] =>
    of.length === 0 ? [] : [{ label: `${word} ${of.length}`, text: tally(names), items: [] }];
  return [
    ...fact(
      'ignored',
      ignored,
      ignored.map(({ finding }) => finding.rule),
    ),
    ...fact(
      'rejected',
      others,
      others.map(({ reason }) => reason),
    ),
  ];
}
