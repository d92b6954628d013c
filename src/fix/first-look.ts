import type { Diagnostic } from '../core/diagnostic.js';
import type { Fixing } from './try-edit.js';
import type { Linter } from './workshop.js';

export interface FirstLook {
  readonly before: readonly Diagnostic[];
  /** Those that said all they had to say; the silence of the others would prove nothing. */
  readonly linters: readonly Linter[];
  /** Why these files may not be written. */
  readonly forbidden: ReadonlyMap<string, string>;
}

/** What every linter says of the commit. A linter that fails is told of; the others go on. */
export async function firstLook(
  { shop, bench }: Fixing,
  say: (notice: string) => void,
): Promise<FirstLook> {
  const linters: Linter[] = [];
  for (const linter of shop.linters) {
    const report = await linter.check(linter.files, { withSuggestions: true });
    for (const problem of report.problems) say(problem);
    if (report.isWhole) linters.push(linter);
    bench.note(linter, linter.files, report.diagnostics);
  }
  const before = bench.all();
  const paths = [...new Set(before.map(each => each.path))];
  const forbidden = new Map(await shop.forbidden(paths));
  for (const path of paths) {
    if (forbidden.has(path)) continue;
    const text = await shop.read(path);
    if (text !== undefined) bench.open(path, text);
    else forbidden.set(path, 'it is not UTF-8 text, and would be written wrong');
  }
  return { before, linters, forbidden };
}
