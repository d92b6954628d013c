import type { Diagnostic } from '../core/diagnostic.js';
import { type Bench, type Hand, ownerOf } from './bench.js';
import { judgeEdit, refused, type Verdict } from './judge-edit.js';
import type { Craft, Linter, Workshop } from './workshop.js';

export interface Attempt {
  readonly path: string;
  readonly after: string;
  readonly by: Hand;
  /** Of one linter and one file; lines are those of the file as it is now. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface Fixing {
  readonly shop: Workshop;
  readonly bench: Bench;
  readonly craft: Craft;
}

/**
 * An edit is kept when nothing forbids it, the linter no longer complains of what it was for, and
 * has nothing new to say. One run of one linter, on one file where it can.
 */
export async function tryEdit(attempt: Attempt, { shop, bench, craft }: Fixing): Promise<Verdict> {
  const { path, after, by, diagnostics: wanted } = attempt;
  const file = bench.file(path);
  const linter = linterFor(wanted, shop.linters);
  if (file === undefined || linter === undefined) return refused(`${path} may not be edited`);
  const before = file.text;
  const isByModel = by === 'model';
  const forbidden = craft.forbid({ path, before, after, diagnostics: wanted, isByModel });
  if (forbidden !== undefined) return refused(forbidden);
  await shop.write(path, after);
  const report = await linter.check([path], { withSuggestions: !isByModel });
  const said = bench.said(linter, [path]);
  const lineNow = craft.lineMap(before, after);
  const now = report.diagnostics;
  const verdict = report.isWhole
    ? judgeEdit({ path, wanted, wants: 'some', said, now, lineNow }, linter, craft)
    : refused(`${linter.title} can no longer judge the file: ${report.problems[0] ?? ''}`);
  if (!verdict.ok) {
    await shop.write(path, before);
    return verdict;
  }
  const owners = new Set(verdict.fixed.map(ownerOf));
  bench.keep({ path, after, by, fixed: verdict.fixed, ownersOf: () => owners });
  bench.note(linter, [path], now);
  return verdict;
}

export const linterFor = (
  [first]: readonly Diagnostic[],
  linters: readonly Linter[],
): Linter | undefined =>
  linters.find(each => each.name === first?.tool && each.files.includes(first.path));
