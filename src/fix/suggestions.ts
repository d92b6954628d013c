import { type Diagnostic, type Fix, isOffsetRange } from '../core/diagnostic.js';
import { withKeys } from './bench.js';
import { type Fixing, linterFor } from './try-edit.js';
import { type Offer, tryOffers } from './try-offers.js';
import type { Linter } from './workshop.js';

export interface Suggesting extends Fixing {
  readonly wanted: () => readonly Diagnostic[];
  readonly hasTime: () => boolean;
  readonly tell: (text: string) => void;
}

/**
 * Takes what a linter offers where it offers one thing only. As many as do not get into each other's
 * way go into one run of the linter; where they do not all hold, fewer are tried together.
 */
export async function takeSuggestions(suggesting: Suggesting): Promise<void> {
  const { bench, hasTime, tell } = suggesting;
  const state: State = { tried: new Set(), most: new Map() };
  while (hasTime()) {
    const round = nextRound(suggesting, state);
    if (round === undefined) return;
    tell(`${state.tried.size} tried, ${bench.fixed} fixed`);
    const verdicts = await tryOffers(round.batch, round.linter, suggesting);
    for (const [path, offers] of round.batch) {
      const verdict = verdicts.get(path);
      const [alone] = offers;
      const isAlone = offers.length === 1 && alone !== undefined;
      if (verdict?.ok) widen(state.most, path);
      else if (!isAlone) state.most.set(path, { count: Math.ceil(offers.length / 2), held: 0 });
      else {
        state.most.delete(path);
        state.tried.add(round.keys.get(alone.diagnostic) ?? '');
        bench.reject([alone.diagnostic], handOf(alone), verdict?.reason ?? '');
      }
    }
  }
}

interface State {
  /** By key: they were turned down. What was kept is gone, and its key may pass to an equal one. */
  readonly tried: Set<string>;
  /** How many to try together in a file, once some did not hold. */
  readonly most: Map<string, Most>;
}

interface Most {
  readonly count: number;
  /** So often in a row that many held. */
  readonly held: number;
}

/** The bad one is near after one success; after two it is worth looking further. */
function widen(most: Map<string, Most>, path: string): void {
  const known = most.get(path);
  if (known === undefined) return;
  const held = known.held + 1;
  most.set(path, { count: held > 1 ? known.count * 2 : known.count, held });
}

interface Round {
  readonly linter: Linter;
  readonly batch: Map<string, Offer[]>;
  readonly keys: ReadonlyMap<Diagnostic, string>;
}

/** The offers of one linter that can be taken together; undefined when none is left. */
function nextRound(suggesting: Suggesting, state: State): Round | undefined {
  const { bench, craft, shop, wanted } = suggesting;
  const open = withKeys(wanted()).filter(({ key }) => !state.tried.has(key));
  const keys = new Map(open.map(({ diagnostic, key }) => [diagnostic, key]));
  const batch = new Map<string, Offer[]>();
  let linter: Linter | undefined;
  for (const { diagnostic, fix } of craft.order([...keys.keys()], () => false).suggested) {
    const { path } = diagnostic;
    const own = linterFor([diagnostic], shop.linters);
    if (own === undefined || (linter !== undefined && linter !== own)) continue;
    const offers = batch.get(path) ?? [];
    // What one edit does elsewhere cannot be told from what another does there.
    if (own.isForAll && batch.size > 0 && offers.length === 0) continue;
    const offer = { diagnostic, fix, span: spanOf(fix) };
    if (offers.length >= (state.most.get(path)?.count ?? Number.POSITIVE_INFINITY)) continue;
    if (offers.some(each => isInTheWay(each, offer))) continue;
    const refusal = whyNot(offer, suggesting);
    if (refusal === undefined) {
      linter = own;
      batch.set(path, [...offers, offer]);
    } else {
      state.tried.add(keys.get(diagnostic) ?? '');
      if (refusal !== '') bench.reject([diagnostic], handOf(offer), refusal);
    }
  }
  return linter === undefined || batch.size === 0 ? undefined : { linter, batch, keys };
}

/** Undefined when the offer can be tried; no words when it changes nothing. */
function whyNot({ diagnostic, fix }: Offer, { bench, craft }: Suggesting): string | undefined {
  const { path } = diagnostic;
  const before = bench.file(path)?.text;
  const after = before === undefined ? undefined : craft.applyFix(before, fix);
  if (before === undefined || after === undefined || after === before) return '';
  return craft.forbid({ path, before, after, diagnostics: [diagnostic], isByModel: false });
}

function spanOf({ edits }: Fix): Offer['span'] {
  const ranges = edits.flatMap(({ range }) => (isOffsetRange(range) ? [range] : []));
  return {
    start: Math.min(...ranges.map(({ start }) => start)),
    end: Math.max(...ranges.map(({ end }) => end)),
  };
}

/** Touching counts: the order of two insertions at one place is not ours to choose. */
const isInTheWay = ({ span: one }: Offer, { span: other }: Offer): boolean =>
  one.start <= other.end && other.start <= one.end;

const handOf = ({ fix, diagnostic }: Offer): 'linter' | 'suggestion' =>
  fix === diagnostic.fix ? 'linter' : 'suggestion';
