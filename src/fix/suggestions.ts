import { type Diagnostic, type Fix, isOffsetRange } from '../core/diagnostic.js';
import type { LineChange } from '../lint/compare.js';
import { forbidEdit } from '../lint/forbid-edit.js';
import { halves } from '../lint/hung-files.js';
import type { Linter } from '../lint/sandbox.js';
import { unsafeEdit } from '../lint/unsafe-edit.js';
import { untried } from './edit-session.js';
import { applyFix, suggested } from './order.js';
import { type Settled, settle } from './settle.js';
import {
  accept,
  type EditVerdict,
  type Fixing,
  judgeEdit,
  judgesElsewhere,
  linterFor,
  restore,
} from './try-edit.js';

interface Suggesting extends Fixing {
  readonly wanted: () => readonly Diagnostic[];
  readonly hasTime: () => boolean;
  readonly update: (text: string) => void;
}

/** Applies the fixes in the linters' reports, then their suggestions where there is exactly one. */
export async function takeSuggestions(suggesting: Suggesting): Promise<void> {
  const tried = new Set<string>();
  for (const by of ['linter', 'suggestion'] as const) {
    await takeOffers(suggesting, { by, tried, max: new Map() });
  }
}

/** Those that don't overlap share one run of the linter; if some fail, fewer are tried together. */
async function takeOffers(suggesting: Suggesting, state: State): Promise<void> {
  const { editSession, hasTime, update } = suggesting;
  const { by } = state;
  while (hasTime()) {
    const round = nextRound(suggesting, state);
    if (round === undefined) return;
    update(`${editSession.fixed} fixed so far`);
    const verdicts = await tryOffers(round.batch, by, suggesting);
    for (const [path, offers] of round.batch) {
      const verdict = verdicts.get(path);
      const [alone] = offers;
      const isAlone = offers.length === 1 && alone !== undefined;
      if (verdict?.ok) widen(state.max, path);
      else if (!isAlone) state.max.set(path, { count: Math.ceil(offers.length / 2), successes: 0 });
      else {
        state.max.delete(path);
        state.tried.add(round.keys.get(alone.diagnostic) ?? '');
        editSession.reject([alone.diagnostic], by, verdict?.reason ?? '');
      }
    }
  }
}

type Maker = 'linter' | 'suggestion';

interface State {
  /** Who made the offers. */
  readonly by: Maker;
  /** Keys of rejected offers. A fixed diagnostic's key may pass to an equal one. */
  readonly tried: Set<string>;
  /** How many to try together in a file after a failure. */
  readonly max: Map<string, Most>;
}

interface Most {
  readonly count: number;
  /** How often in a row this many succeeded. */
  readonly successes: number;
}

/** After one success the bad one is near; after two, more can be tried together. */
function widen(max: Map<string, Most>, path: string): void {
  const known = max.get(path);
  if (known === undefined) return;
  const successes = known.successes + 1;
  max.set(path, { count: successes > 1 ? known.count * 2 : known.count, successes });
}

interface Round {
  readonly batch: Map<string, Offer[]>;
  readonly keys: ReadonlyMap<Diagnostic, string>;
}

/** The offers of one linter that can be taken together; undefined if none is left. */
function nextRound(suggesting: Suggesting, state: State): Round | undefined {
  const { editSession, wanted } = suggesting;
  const keys = untried(wanted(), state.tried);
  const batch = new Map<string, Offer[]>();
  let linter: Linter | undefined;
  for (const { diagnostic, fix } of suggested(keys.keys())) {
    if (state.by === 'linter' && fix !== diagnostic.fix) continue;
    const { path } = diagnostic;
    const own = linterFor([diagnostic], suggesting);
    if (own === undefined || (linter !== undefined && linter !== own)) continue;
    const offers = batch.get(path) ?? [];
    // The effects of edits in two files couldn't be separated.
    if (own.isForAll && batch.size > 0 && offers.length === 0) continue;
    const offer = { diagnostic, fix, span: spanOf(fix) };
    if (offers.length >= (state.max.get(path)?.count ?? Number.POSITIVE_INFINITY)) continue;
    if (offers.some(each => overlaps(each, offer))) continue;
    const refusal = whyNot(offer, state.by, suggesting);
    if (refusal === undefined) {
      linter = own;
      batch.set(path, [...offers, offer]);
    } else {
      state.tried.add(keys.get(diagnostic) ?? '');
      if (refusal !== '') editSession.reject([diagnostic], state.by, refusal);
    }
  }
  return batch.size === 0 ? undefined : { batch, keys };
}

/** Undefined if the offer can be tried; empty if it changes nothing. */
function whyNot(
  { diagnostic, fix }: Offer,
  by: Maker,
  { editSession }: Suggesting,
): string | undefined {
  const { path } = diagnostic;
  const before = editSession.file(path)?.text;
  const after = before === undefined ? undefined : applyFix(before, fix);
  if (before === undefined || after === undefined || after === before) return '';
  const edit = { path, before, after, diagnostics: [diagnostic] };
  return forbidEdit(edit) ?? (by === 'linter' ? undefined : unsafeEdit(edit));
}

function spanOf({ edits }: Fix): Offer['span'] {
  const ranges = edits.flatMap(({ range }) => (isOffsetRange(range) ? [range] : []));
  return {
    start: Math.min(...ranges.map(({ start }) => start)),
    end: Math.max(...ranges.map(({ end }) => end)),
  };
}

/** Adjacent counts as overlapping: the order of two insertions at one place is undefined. */
const overlaps = ({ span: one }: Offer, { span: other }: Offer): boolean =>
  one.start <= other.end && other.start <= one.end;

/** An edit that a linter suggests for one of its diagnostics. */
interface Offer {
  readonly diagnostic: Diagnostic;
  readonly fix: Fix;
  /** The part of the current file that the fix covers. */
  readonly span: { readonly start: number; readonly end: number };
}

/** Offers by file; those of one file do not overlap. */
type Batch = ReadonlyMap<string, readonly Offer[]>;

/**
 * Applies many offers and checks them together. A file keeps its offers if each fixed its
 * diagnostic and nothing new is reported; otherwise it is restored.
 */
async function tryOffers(
  batch: Batch,
  by: Maker,
  fixing: Fixing,
): Promise<Map<string, EditVerdict>> {
  const { sandbox } = fixing;
  const trials = new Map([...batch].map(([path, offers]) => [path, trialOf(path, offers, fixing)]));
  for (const [path, { after }] of trials) await sandbox.write(path, after);
  const paths = [...batch.keys()];
  const settled = await settle(paths, fixing, { isForPeople: true });
  if (paths.length > 1 && judgesElsewhere(settled, fixing) !== undefined) {
    await restore(paths, fixing);
    // If one file makes a linter fail, the others can be checked without it.
    const verdicts: Array<[string, EditVerdict]> = [];
    for (const half of halves([...batch])) {
      verdicts.push(...(await tryOffers(new Map(half), by, fixing)));
    }
    return new Map(verdicts);
  }
  const verdicts = new Map<string, EditVerdict>();
  for (const [path, trial] of trials) {
    const wanted = trial.steps.map(({ offer }) => offer.diagnostic);
    const verdict = judgeEdit({ path, wanted, wants: 'all' }, settled, fixing);
    verdicts.set(path, verdict);
    if (verdict.ok) keep(path, trial, { by, fixed: verdict.fixed, settled, fixing });
    else await restore([path], fixing);
  }
  return verdicts;
}

interface Trial {
  readonly after: string;
  readonly steps: ReadonlyArray<{ readonly offer: Offer; readonly after: string }>;
}

/** Applied from the end of the file to the start, so that no offer moves the next one. */
function trialOf(path: string, offers: readonly Offer[], { editSession }: Fixing): Trial {
  const steps: Array<{ offer: Offer; after: string }> = [];
  let text = editSession.file(path)?.text ?? '';
  for (const offer of [...offers].sort((one, other) => other.span.start - one.span.start)) {
    text = applyFix(text, offer.fix) ?? text;
    steps.push({ offer, after: text });
  }
  return { after: text, steps };
}

interface Keeping {
  readonly by: Maker;
  readonly fixed: readonly Diagnostic[];
  readonly settled: Settled;
  readonly fixing: Fixing;
}

/**
 * Each offer is a separate edit; other diagnostics that disappeared count for the nearest offer.
 */
function keep(path: string, { steps, after }: Trial, keeping: Keeping): void {
  const { by, fixed, settled, fixing } = keeping;
  const own = new Set(steps.map(({ offer }) => offer.diagnostic));
  const nearest = (place: Pick<Diagnostic, 'line'>): Offer | undefined =>
    steps.map(({ offer }) => offer).sort(byDistance(place))[0];
  const besides = fixed.filter(each => !own.has(each));
  for (const { offer, after: text } of steps) {
    const also = besides.filter(each => nearest(each) === offer);
    const repaired = [offer.diagnostic, ...also];
    fixing.editSession.keep({ path, after: text, by, fixed: repaired });
  }
  // Changes by the formatter and further fixes belong to the nearest offer.
  const causesOf = ({ oldLine }: LineChange): readonly Diagnostic[] => {
    const offer = nearest({ line: oldLine });
    return offer === undefined ? [] : [offer.diagnostic];
  };
  const settledText = settled.texts.get(path) ?? after;
  accept({ path, after: settledText, by, fixed: [], causesOf }, { settled, fixing });
}

const byDistance =
  ({ line = 0 }: Pick<Diagnostic, 'line'>) =>
  (one: Offer, other: Offer): number =>
    Math.abs((one.diagnostic.line ?? 0) - line) - Math.abs((other.diagnostic.line ?? 0) - line);
