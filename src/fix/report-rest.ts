import type { Diagnostic } from '../core/diagnostic.js';
import { byPath, isSameComplaint } from './ready-made.js';
import { isInScope, type Scope } from './scope.js';

/** What of a ready-made report is not for the linters here. */
export interface ReportRest {
  /** In scope, but no linter says so: whether an edit mends it, nobody could tell. */
  readonly unconfirmed: readonly Diagnostic[];
  /** How many are out of scope, by what keeps them out. */
  readonly outside: ReadonlyMap<Bound, number>;
}

type Bound = 'paths' | 'rules' | 'change';

/** Every diagnostic of the report is one that the linters repeat, or it is in here. */
export function reportRest(scope: Scope, before: readonly Diagnostic[]): ReportRest {
  const unconfirmed: Diagnostic[] = [];
  const outside = new Map<Bound, number>();
  const said = byPath(before);
  for (const [path, listed] of scope.only?.byPath ?? []) {
    for (const each of listed) {
      const same = (said.get(path) ?? []).filter(other => isSameComplaint(each, other, other.line));
      if (same.some(other => isWithin(other, scope))) continue;
      const subject = same[0] ?? each;
      const bound = boundOf(subject, { ...scope, only: undefined });
      if (bound === undefined) unconfirmed.push(each);
      else outside.set(bound, (outside.get(bound) ?? 0) + 1);
    }
  }
  return { unconfirmed, outside };
}

const isWithin = (diagnostic: Diagnostic, scope: Scope): boolean =>
  isInScope(diagnostic, scope, (_path, line) => line);

function boundOf(diagnostic: Diagnostic, scope: Scope): Bound | undefined {
  if (!isWithin(diagnostic, { ...scope, changed: undefined, rules: [] })) return 'paths';
  if (!isWithin(diagnostic, { ...scope, changed: undefined })) return 'rules';
  return isWithin(diagnostic, scope) ? undefined : 'change';
}

const OUTSIDE: Readonly<Record<Bound, string>> = {
  paths: 'outside the paths given and left out; without paths everything is included',
  rules: 'of rules that --rule does not name and left out; without --rule all are included',
  change: 'outside the change and left out; --all includes everything',
};

/** How the rest is told; `isLookedAt` says whether a linter could be run on a file. */
export function restNotices(
  { unconfirmed, outside }: ReportRest,
  file: string,
  isLookedAt: (path: string) => boolean,
): string[] {
  const told = (which: readonly Diagnostic[], reason: string): string[] =>
    which.slice(0, 1).map(first => {
      const example = which.length === 1 ? placeOf(first) : `for example ${placeOf(first)}`;
      return `${file}: ${amountOf(which.length)} listed, but not tried (${example}): ${reason}`;
    });
  return [
    ...told(
      unconfirmed.filter(({ path }) => !isLookedAt(path)),
      'no linter could be run on the file to check an edit; name one under lint in .apfel-bot.json',
    ),
    ...told(
      unconfirmed.filter(({ path }) => isLookedAt(path)),
      'the linters here do not say so of this commit, and could not check an edit',
    ),
    ...[...outside].map(([bound, count]) => `${file}: ${amountOf(count)} ${OUTSIDE[bound]}`),
  ];
}

const amountOf = (count: number): string =>
  count === 1 ? '1 diagnostic is' : `${count} diagnostics are`;

const placeOf = ({ path, line, rule }: Diagnostic): string =>
  [line === undefined ? path : `${path}:${line}`, rule ?? ''].join(' ').trim();
