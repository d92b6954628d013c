import { HUNK_STATES, type LedgerItem } from '../core/ledger.js';
import type { Outcome } from '../core/outcome.js';
import { count, tally } from './count.js';
import { STATE_WORDS } from './summary-line.js';
import { fixedRows, isFix, whereFixed } from './to-fix-words.js';

/** Something the reader must know that is no finding. Its text is not neutralised. */
export interface Fact {
  readonly label: string;
  readonly text: string;
  /** The things counted in the text, one by one; empty when they are too many to be read. */
  readonly items: readonly string[];
}

/** More than this are only counted, by reason. */
const MAX_LISTED = 5;

/** What was said, left out, held back or cut short: nothing of it is ever dropped in silence. */
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
        text: `${limit} ${value}`,
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
  if (complete || model.available) return [];
  return [{ label: 'no model', text: model.reason ?? 'it could not be reached', items: [] }];
}

function leftOutFacts(items: readonly LedgerItem[]): Fact[] {
  const rows = HUNK_STATES.map(state => ({
    state,
    items: items.filter(item => item.state === state),
  })).filter(row => row.items.length > 0);
  const listed = rows.map(row => listItems(row.items));
  const isShort = listed.flat().length <= MAX_LISTED;
  return rows.map((row, index) => ({
    label: `${STATE_WORDS[row.state]} ${row.items.length}`,
    text: tally(row.items.map(item => item.reason)),
    items: isShort ? (listed[index] ?? []) : [],
  }));
}

/** The counts alone, or with the things counted: a single one takes the place of its count. */
export function tellFact(fact: Fact, isBrief: boolean): Pick<Fact, 'text' | 'items'> {
  const [first, ...others] = fact.items;
  if (isBrief || first === undefined) return { text: fact.text, items: [] };
  return others.length === 0 ? { text: first, items: [] } : fact;
}

/** One line for each file and reason, so that a lockfile of forty hunks is one thing left out. */
function listItems(items: readonly LedgerItem[]): string[] {
  const groups = new Map<string, LedgerItem[]>();
  for (const item of items) {
    const key = `${item.path}\0${item.reason}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups.values()].map(group => {
    const first = group[0];
    const which = group.length === 1 ? `hunk ${first?.hunk}` : count(group.length, 'hunk');
    return `${first?.path} ${which} (${first?.reason})`;
  });
}

function rejectedFact({ rejected }: Outcome): Fact[] {
  if (rejected.length === 0) return [];
  const text = tally(rejected.map(rejection => rejection.reason));
  return [{ label: `rejected ${rejected.length}`, text, items: [] }];
}
