import type { Diagnostic } from '../core/diagnostic.js';
import { type ReportRest, reportRest, restNotices } from './report-rest.js';
import { isInScope, type Scope } from './scope.js';
import type { Fixing } from './try-edit.js';
import type { Linter } from './workshop.js';

export interface FirstLook {
  readonly before: readonly Diagnostic[];
  /** What of it is to be mended. */
  readonly own: readonly Diagnostic[];
  /** What of a ready-made report no linter here says. */
  readonly rest: ReportRest;
  /** Those that said all they had to say; the silence of the others would prove nothing. */
  readonly linters: readonly Linter[];
  /** Every file could be linted, every linter said all, and all of a ready-made report could be read. */
  readonly isWhole: boolean;
  /** Why these files may not be written. */
  readonly forbidden: ReadonlyMap<string, string>;
}

export interface Looking extends Fixing {
  readonly scope: Scope;
}

/** What every linter says of the commit. A linter that fails is told of; the others go on. */
export async function firstLook(
  { shop, bench, craft, scope }: Looking,
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
  const { unconfirmed, outside } = reportRest(scope, before);
  const paths = [...new Set([...before, ...unconfirmed].map(each => each.path))];
  const forbidden = new Map(await shop.forbidden(paths));
  const texts = new Map<string, string>();
  for (const path of paths) {
    const text = await shop.read(path);
    if (text !== undefined) texts.set(path, text);
    if (forbidden.has(path)) continue;
    if (text !== undefined) bench.open(path, text);
    else forbidden.set(path, 'it is not UTF-8 text, and would be written wrong');
  }
  const own = before.filter(each => isInScope(each, scope, (_path, line) => line));
  const rest = { unconfirmed: craft.anchor(unconfirmed, path => texts.get(path)), outside };
  const isWhole =
    shop.isWhole && linters.length === shop.linters.length && scope.only?.isWhole !== false;
  return { before, own, rest, linters, isWhole, forbidden };
}

/** When the run is stopped before: all that is known is what was handed in. */
export const nothingSeen = (scope: Scope) => (): FirstLook => ({
  before: [],
  own: [],
  rest: reportRest(scope, []),
  linters: [],
  isWhole: false,
  forbidden: new Map(),
});

/** What was left before anything was tried. */
export function lookNotices({ forbidden, rest, linters }: FirstLook, { only }: Scope): string[] {
  const isLookedAt = (path: string): boolean => linters.some(each => each.files.includes(path));
  return [
    ...[...forbidden].map(([path, reason]) => `${path} was left: ${reason}`),
    ...(only === undefined ? [] : restNotices(rest, only.file, isLookedAt)),
  ];
}
