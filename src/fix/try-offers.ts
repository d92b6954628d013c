import type { Diagnostic, Fix } from '../core/diagnostic.js';
import { ownerOf } from './bench.js';
import { judgeEdit, refused, type Verdict } from './judge-edit.js';
import type { Fixing } from './try-edit.js';
import type { Linter, LintReport } from './workshop.js';

/** An edit that a linter offers for one of its complaints. */
export interface Offer {
  readonly diagnostic: Diagnostic;
  readonly fix: Fix;
  /** What the fix covers in the file as it is now. */
  readonly span: { readonly start: number; readonly end: number };
}

/** Offers by file; those of one file do not overlap. */
export type Batch = ReadonlyMap<string, readonly Offer[]>;

/**
 * Takes many offers and runs their linter once. A file is kept with all of its offers when each of
 * them took its complaint away and nothing new came; else it is put back as it was.
 */
export async function tryOffers(
  batch: Batch,
  linter: Linter,
  fixing: Fixing,
): Promise<Map<string, Verdict>> {
  const { shop, bench } = fixing;
  const trials = new Map([...batch].map(([path, offers]) => [path, trialOf(path, offers, fixing)]));
  for (const [path, { after }] of trials) await shop.write(path, after);
  const report = await linter.check([...batch.keys()], { withSuggestions: true });
  const verdicts = new Map<string, Verdict>();
  for (const [path, trial] of trials) {
    const verdict = judge(trial, report, { path, linter, fixing });
    verdicts.set(path, verdict);
    if (verdict.ok) keep(path, trial, { fixed: verdict.fixed, fixing });
    else await shop.write(path, trial.before);
    if (!verdict.ok) continue;
    const said = linter.isForAll ? report.diagnostics : about(path, report.diagnostics);
    bench.note(linter, [path], said);
  }
  return report.isWhole || batch.size === 1 ? verdicts : oneByOne(batch, linter, fixing);
}

/** Some file keeps the linter from judging; alone, each of the others can be judged. */
async function oneByOne(
  batch: Batch,
  linter: Linter,
  fixing: Fixing,
): Promise<Map<string, Verdict>> {
  const verdicts = new Map<string, Verdict>();
  for (const entry of batch) {
    for (const [path, verdict] of await tryOffers(new Map([entry]), linter, fixing)) {
      verdicts.set(path, verdict);
    }
  }
  return verdicts;
}

interface Trial {
  readonly before: string;
  readonly after: string;
  readonly steps: ReadonlyArray<{ readonly offer: Offer; readonly after: string }>;
  readonly lineNow: (line: number) => number | undefined;
}

/** From the end of the file to its start, so that no offer moves the place of the next. */
function trialOf(path: string, offers: readonly Offer[], { bench, craft }: Fixing): Trial {
  const before = bench.file(path)?.text ?? '';
  const steps: Array<{ offer: Offer; after: string }> = [];
  const maps: Array<(line: number) => number | undefined> = [];
  let text = before;
  for (const offer of [...offers].sort((one, other) => other.span.start - one.span.start)) {
    const after = craft.applyFix(text, offer.fix) ?? text;
    maps.push(craft.lineMap(text, after));
    steps.push({ offer, after });
    text = after;
  }
  const lineNow = (line: number): number | undefined =>
    maps.reduce<number | undefined>((at, map) => (at === undefined ? at : map(at)), line);
  return { before, after: text, steps, lineNow };
}

interface Place {
  readonly path: string;
  readonly linter: Linter;
  readonly fixing: Fixing;
}

function judge(trial: Trial, report: LintReport, { path, linter, fixing }: Place): Verdict {
  if (!report.isWhole) {
    return refused(`${linter.title} can no longer judge the file: ${report.problems[0] ?? ''}`);
  }
  const of = (all: readonly Diagnostic[]): readonly Diagnostic[] =>
    linter.isForAll ? all : about(path, all);
  const judged = {
    path,
    wanted: trial.steps.map(({ offer }) => offer.diagnostic),
    wants: 'all' as const,
    said: of(fixing.bench.said(linter, [path])),
    now: of(report.diagnostics),
    lineNow: trial.lineNow,
  };
  return judgeEdit(judged, linter, fixing.craft);
}

const about = (path: string, all: readonly Diagnostic[]): Diagnostic[] =>
  all.filter(each => each.path === path);

/** Each offer is an edit of its own; what went away besides counts for the nearest. */
function keep(
  path: string,
  { steps }: Trial,
  { fixed, fixing }: { readonly fixed: readonly Diagnostic[]; readonly fixing: Fixing },
): void {
  const own = new Set(steps.map(({ offer }) => offer.diagnostic));
  const besides = new Map<Offer, Diagnostic[]>();
  for (const each of fixed.filter(one => !own.has(one))) {
    const nearest = steps.map(({ offer }) => offer).sort(byDistance(each))[0];
    if (nearest !== undefined) besides.set(nearest, [...(besides.get(nearest) ?? []), each]);
  }
  for (const { offer, after } of steps) {
    const mended = [offer.diagnostic, ...(besides.get(offer) ?? [])];
    const owners = new Set(mended.map(ownerOf));
    const by = offer.fix === offer.diagnostic.fix ? 'linter' : 'suggestion';
    fixing.bench.keep({ path, after, by, fixed: mended, ownersOf: () => owners });
  }
}

const byDistance =
  ({ line = 0 }: Diagnostic) =>
  (one: Offer, other: Offer): number =>
    Math.abs((one.diagnostic.line ?? 0) - line) - Math.abs((other.diagnostic.line ?? 0) - line);
