import type { Diagnostic } from '../core/diagnostic.js';
import { type Bench, type Hand, ownerOf } from './bench.js';
import type { Craft, Linter, Workshop } from './workshop.js';

export interface Attempt {
  readonly path: string;
  readonly after: string;
  readonly by: Hand;
  /** Of one linter and one file; lines are those of the file as it is now. */
  readonly diagnostics: readonly Diagnostic[];
}

export type Verdict =
  | { readonly ok: true; readonly fixed: readonly Diagnostic[] }
  /** Worded for whoever proposed the edit. */
  | { readonly ok: false; readonly reason: string };

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
  const { path, after, by, diagnostics } = attempt;
  const file = bench.file(path);
  const linter = linterFor(diagnostics, shop.linters);
  if (file === undefined || linter === undefined) return refused(`${path} may not be edited`);
  const before = file.text;
  const forbidden = craft.forbid({ path, before, after, diagnostics });
  if (forbidden !== undefined) return refused(forbidden);
  await shop.write(path, after);
  const report = await linter.check([path], { withSuggestions: by !== 'model' });
  const verdict = report.isWhole
    ? judge(linter, bench.said(linter, [path]), { attempt, before, now: report.diagnostics, craft })
    : refused(`${linter.title} can no longer judge the file: ${report.problems[0] ?? ''}`);
  if (!verdict.ok) {
    await shop.write(path, before);
    return verdict;
  }
  const owners = new Set(verdict.fixed.map(ownerOf));
  bench.keep({ path, after, by, fixed: verdict.fixed, ownersOf: () => owners });
  bench.note(linter, [path], report.diagnostics);
  return verdict;
}

export const linterFor = (
  [first]: readonly Diagnostic[],
  linters: readonly Linter[],
): Linter | undefined =>
  linters.find(each => each.name === first?.tool && each.files.includes(first.path));

interface Case {
  readonly attempt: Attempt;
  readonly before: string;
  readonly now: readonly Diagnostic[];
  readonly craft: Craft;
}

function judge(linter: Linter, then: readonly Diagnostic[], about: Case): Verdict {
  const { attempt, before, now, craft } = about;
  const map = craft.lineMap(before, attempt.after);
  const { fixed, introduced } = craft.compare(then, now, (path, line) =>
    path === attempt.path ? map(line) : line,
  );
  const [fresh] = introduced;
  if (fresh !== undefined) return refused(newComplaint(linter, fresh));
  const gone = new Set(fixed);
  const mended = attempt.diagnostics.filter(each => gone.has(each));
  if (mended.length === 0) {
    return refused(`${linter.title} still says: ${attempt.diagnostics[0]?.message ?? ''}`);
  }
  return { ok: true, fixed };
}

/** A complaint without a rule is about text that cannot be read as a program any more. */
export function newComplaint(linter: Pick<Linter, 'title'>, fresh: Diagnostic): string {
  const { rule, severity, path, line, message } = fresh;
  const where = line === undefined ? path : `${path}:${line}`;
  if (rule === null && severity === 'error') return `the file no longer parses: ${message}`;
  return `it brings a new complaint of ${linter.title} at ${where}: ${message}`;
}

const refused = (reason: string): Verdict => ({ ok: false, reason });
