import { count } from '../core/count.js';
import type { Diagnostic } from '../core/diagnostic.js';
import { groupBy } from '../core/group-by.js';
import { suggestion } from '../core/nearest.js';
import type { LinterRun } from '../core/outcome.js';
import { usage } from '../core/task.js';
import { anchorDiagnostics } from '../lint/anchor.js';
import type { FilesReport, Linter, LintSandbox } from '../lint/sandbox.js';
import type { EditSession } from './edit-session.js';
import { isInScope, isSameDiagnostic, namesOf, type Scope } from './scope.js';

export interface InitialLint {
  readonly before: readonly Diagnostic[];
  /** Those that are to be fixed. */
  readonly own: readonly Diagnostic[];
  /** What only the `--diagnostics` report lists. */
  readonly rest: ReportRest;
  /** Linters that gave a complete report; silence from the others would prove nothing. */
  readonly linters: readonly Linter[];
  /** Each linter that applies, and how it ended. */
  readonly runs: readonly LinterRun[];
  /**
   * Every file could be linted, every report is complete, and all of `--diagnostics` could be read.
   */
  readonly isWhole: boolean;
  /** Why these files may not be written. */
  readonly forbidden: ReadonlyMap<string, string>;
}

/**
 * What every linter reports about the commit. If one fails, that is reported, and the others still
 * run.
 */
export async function initialLint(
  {
    sandbox,
    editSession,
    scope,
    part,
  }: {
    readonly sandbox: LintSandbox;
    readonly editSession: EditSession;
    readonly scope: Scope;
    /** Shows the result of one linter. */
    readonly part: (text: string) => void;
  },
  say: (notice: string) => void,
): Promise<InitialLint> {
  const linters: Linter[] = [];
  const runs: LinterRun[] = [];
  for (const linter of sandbox.linters) {
    const report = await linter.check(linter.files, { withSuggestions: true });
    linter.leaveOut([...report.notLinted, ...report.lost]);
    runs.push(runOf(linter, report));
    part(`${linter.title}: ${count(report.diagnostics.length, 'problem')}`);
    for (const problem of report.problems) say(problem);
    if (report.isWhole || linter.files.length > 0) linters.push(linter);
    editSession.setReported(linter, linter.files, report.diagnostics);
  }
  const before = editSession.all();
  await checkRules(scope, { before, linters: sandbox.linters }, say);
  const { unconfirmed, outside } = reportRest(scope, before);
  const paths = [...new Set([...before, ...unconfirmed].map(each => each.path))];
  const forbidden = new Map(await sandbox.forbidden(paths));
  const texts = new Map<string, string>();
  for (const path of paths) {
    const text = await sandbox.read(path);
    if (text !== undefined) texts.set(path, text);
    if (forbidden.has(path)) continue;
    if (text !== undefined) editSession.open(path, text);
    else forbidden.set(path, "it isn't UTF-8 text, so an edit would damage it");
  }
  const own = before.filter(each => isWithin(each, scope));
  const rest = { unconfirmed: anchorDiagnostics(unconfirmed, path => texts.get(path)), outside };
  const isWhole =
    sandbox.isWhole && runs.every(each => each.finished) && scope.only?.isWhole !== false;
  return { before, own, rest, linters, runs, isWhole, forbidden };
}

function runOf(
  linter: Linter,
  {
    lost,
    problems,
    isWhole,
    isElsewhere,
  }: Pick<FilesReport, 'lost' | 'problems' | 'isWhole' | 'isElsewhere'>,
): LinterRun {
  const { name, title, command, folder, source, files } = linter;
  const total = new Set([...files, ...lost]).size;
  const others = lost.length === 1 ? '' : ` and ${lost.length - 1} more of ${total} files`;
  const problem = problems[0] ?? `${title}: its report is incomplete`;
  const isPart = lost.length > 0 && lost.length < total;
  const reason = `${problem}${isPart ? `: ${lost[0]}${others}` : ''}`;
  // The project's own run fails, so this one must not look as if there were nothing to fix.
  const finished = isWhole && isElsewhere !== true;
  return {
    name,
    command,
    folder,
    files: total,
    source,
    finished,
    ...(!finished && { reason }),
  };
}

/** For a run stopped before linting: only the `--diagnostics` report is known. */
export const nothingLinted = (
  { scope, sandbox }: { readonly scope: Scope; readonly sandbox: LintSandbox },
  reason: string,
): InitialLint => ({
  before: [],
  own: [],
  rest: reportRest(scope, []),
  linters: [],
  runs: sandbox.linters.map(linter =>
    runOf(linter, { lost: linter.files, problems: [reason], isWhole: false }),
  ),
  isWhole: false,
  forbidden: new Map(),
});

/** Notices about what was not tried. */
export function lintNotices({ forbidden, rest, linters }: InitialLint, { only }: Scope): string[] {
  const isLinted = (path: string): boolean => linters.some(each => each.has(path));
  return [
    ...[...forbidden].map(([path, reason]) => `${path} was left alone: ${reason}`),
    ...(only === undefined ? [] : restNotices(rest, only.file, isLinted)),
  ];
}

/** A rule that no linter here can have is an error; one that isn't reported gets a notice. */
async function checkRules(
  { rules, only }: Scope,
  { before, linters }: { before: readonly Diagnostic[]; linters: readonly Linter[] },
  say: (notice: string) => void,
): Promise<void> {
  const all = [...before, ...[...(only?.byPath.values() ?? [])].flat()];
  const known = new Set(all.flatMap(({ rule, tool }) => namesOf(rule, tool)));
  for (const rule of rules.filter(each => !known.has(each))) {
    const others = await Promise.all(linters.map(each => each.rulesInsteadOf(rule)));
    const meant = suggestion(rule, [...known, ...others.flatMap(each => each ?? [])]);
    if (others.length > 0 && !others.includes(undefined))
      throw usage(`--rule: no linter here has the rule ${rule}${meant}`);
    say(`--rule: no diagnostic has the rule ${rule}${meant}`);
  }
}

/** What in a `--diagnostics` report can't be fixed with the linters here. */
interface ReportRest {
  /** In scope, but no linter reports it, so an edit could not be checked. */
  readonly unconfirmed: readonly Diagnostic[];
  /** How many are out of scope, by reason. */
  readonly outside: ReadonlyMap<Bound, number>;
}

type Bound = 'paths' | 'rules' | 'change';

/** The diagnostics of the report that the linters don't repeat. */
export function reportRest(scope: Scope, before: readonly Diagnostic[]): ReportRest {
  const unconfirmed: Diagnostic[] = [];
  const outside = new Map<Bound, number>();
  const reported = groupBy(before, ({ path }) => path);
  for (const [path, listed] of scope.only?.byPath ?? []) {
    for (const each of listed) {
      const same = (reported.get(path) ?? []).filter(other =>
        isSameDiagnostic(each, other, other.line),
      );
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

/** `isLinted` returns whether a linter could be run on a file. */
export function restNotices(
  { unconfirmed, outside }: ReportRest,
  file: string,
  isLinted: (path: string) => boolean,
): string[] {
  const notice = (which: readonly Diagnostic[], reason: string): string[] =>
    which.slice(0, 1).map(first => {
      const example = which.length === 1 ? placeOf(first) : `for example ${placeOf(first)}`;
      return `${file}: ${amountOf(which.length)} listed, but not tried (${example}): ${reason}`;
    });
  return [
    ...notice(
      unconfirmed.filter(({ path }) => !isLinted(path)),
      'no linter could be run on the file to check an edit; name one under lint in .apfel-bot.json',
    ),
    ...notice(
      unconfirmed.filter(({ path }) => isLinted(path)),
      "the linters here don't report it for this commit, so they can't check an edit; if its own is missing, name it under lint in .apfel-bot.json",
    ),
    ...[...outside].map(([bound, count]) => `${file}: ${amountOf(count)} ${OUTSIDE[bound]}`),
  ];
}

const amountOf = (count: number): string =>
  count === 1 ? '1 diagnostic is' : `${count} diagnostics are`;

const placeOf = ({ path, line, rule }: Diagnostic): string =>
  [line === undefined ? path : `${path}:${line}`, rule ?? ''].join(' ').trim();
