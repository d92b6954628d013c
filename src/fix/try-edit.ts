import { countingKey, type Diagnostic, type Fix } from '../core/diagnostic.js';
import type { PlannedCommit } from '../git/commit-plan.js';
import type { Linter, LintSandbox } from '../lint/sandbox.js';
import { type EditSession, type EditSource, ownerOf } from './edit-session.js';

/** What becomes of the commits; works after the run was stopped, too. */
export interface CommitWriter {
  build(
    commits: readonly PlannedCommit[],
  ): Promise<{ readonly tip: string; readonly count: number }>;
  diff(tip: string): Promise<string>;
  /** Brings them into the user's repository; the name is not always the one wished for. */
  bring(tip: string): Promise<{ readonly branch: string; readonly notices: readonly string[] }>;
  /** Writes the bundle; gives its path relative to the outcome's. */
  bundle(tip: string, branch: string): Promise<string | null>;
}

/** What the room of the linters knows, handed in so that the rooms stay apart. */
export interface FixTools {
  compare(
    before: readonly Diagnostic[],
    after: readonly Diagnostic[],
    moved?: (path: string, line: number) => number | undefined,
  ): {
    readonly fixed: readonly Diagnostic[];
    readonly remaining: readonly Diagnostic[];
    readonly introduced: readonly Diagnostic[];
  };
  order(
    diagnostics: readonly Diagnostic[],
    canFix: (tool: string) => boolean,
  ): {
    readonly suggested: ReadonlyArray<{ readonly diagnostic: Diagnostic; readonly fix: Fix }>;
    readonly model: ReadonlyArray<readonly Diagnostic[]>;
  };
  /** Why an edit is refused, whatever the linter says of it. */
  forbid(edit: {
    readonly path: string;
    readonly before: string;
    readonly after: string;
    readonly diagnostics: readonly Diagnostic[];
    readonly isByModel: boolean;
  }): string | undefined;
  /** Ties diagnostics to the text they are about. */
  anchor(
    diagnostics: readonly Diagnostic[],
    textOf: (path: string) => string | undefined,
  ): Diagnostic[];
  applyFix(text: string, fix: Fix): string | undefined;
  lineChanges(before: string, after: string): LineChange[];
  /** Where a line stands after one edit; undefined when it was edited. */
  lineMap(before: string, after: string): (line: number) => number | undefined;
}

export interface LineChange {
  /** The number of the first old line, or of the one that the new ones stand before. */
  readonly oldLine: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

export interface Attempt {
  readonly path: string;
  readonly after: string;
  readonly by: EditSource;
  /** Of one linter and one file; lines are those of the file as it is now. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface Fixing {
  readonly sandbox: LintSandbox;
  readonly editSession: EditSession;
  readonly tools: FixTools;
}

/**
 * An edit is kept when nothing forbids it, the linter no longer complains of what it was for, and
 * has nothing new to say. One run of one linter, on one file where it can.
 */
export async function tryEdit(
  attempt: Attempt,
  { sandbox, editSession, tools }: Fixing,
): Promise<Verdict> {
  const { path, after, by, diagnostics: wanted } = attempt;
  const file = editSession.file(path);
  const linter = linterFor(wanted, sandbox.linters);
  if (file === undefined || linter === undefined) return refused(`${path} may not be edited`);
  const before = file.text;
  const isByModel = by === 'model';
  const forbidden = tools.forbid({ path, before, after, diagnostics: wanted, isByModel });
  if (forbidden !== undefined) return refused(forbidden);
  await sandbox.write(path, after);
  const report = await linter.check([path], { withSuggestions: !isByModel });
  const said = editSession.said(linter, [path]);
  const lineNow = tools.lineMap(before, after);
  const now = report.diagnostics;
  const verdict = report.isWhole
    ? judgeEdit({ path, wanted, wants: 'some', said, now, lineNow }, linter, tools)
    : refused(`${linter.title} can no longer judge the file: ${report.problems[0] ?? ''}`);
  if (!verdict.ok) {
    await sandbox.write(path, before);
    return verdict;
  }
  const owners = new Set(verdict.fixed.map(ownerOf));
  editSession.keep({ path, after, by, fixed: verdict.fixed, ownersOf: () => owners });
  editSession.note(linter, [path], now);
  return verdict;
}

export const linterFor = (
  [first]: readonly Diagnostic[],
  linters: readonly Linter[],
): Linter | undefined =>
  linters.find(each => each.name === first?.tool && each.files.includes(first.path));

export type Verdict =
  | { readonly ok: true; readonly fixed: readonly Diagnostic[] }
  /** Worded for whoever proposed the edit. */
  | { readonly ok: false; readonly reason: string };

export const refused = (reason: string): Verdict => ({ ok: false, reason });

export interface Judged {
  readonly path: string;
  /** What the edit was for. */
  readonly wanted: readonly Diagnostic[];
  /** All of it has to be gone, or only something of it. */
  readonly wants: 'all' | 'some';
  /** What the linter said before, and what it says now. */
  readonly said: readonly Diagnostic[];
  readonly now: readonly Diagnostic[];
  /** Where a line of before stands now; undefined when it was edited. */
  readonly lineNow: (line: number) => number | undefined;
}

/** Good is what takes a complaint away and brings none. */
export function judgeEdit(
  judged: Judged,
  linter: Pick<Linter, 'title'>,
  tools: Pick<FixTools, 'compare'>,
): Verdict {
  const { path, wanted, wants, said, now, lineNow } = judged;
  const { fixed, introduced } = tools.compare(said, now, (where, line) =>
    where === path ? lineNow(line) : line,
  );
  const [fresh] = introduced;
  if (fresh !== undefined) return refused(newComplaint(linter, fresh));
  const gone = exchangeTwins(fixed, wanted);
  const left = wanted.filter(each => !gone.has(each));
  if (left.length > (wants === 'all' ? 0 : wanted.length - 1)) {
    return refused(`${linter.title} still says: ${left[0]?.message ?? ''}`);
  }
  return { ok: true, fixed: said.filter(each => gone.has(each)) };
}

/** Of equal complaints about one line nobody can tell which is gone: then it is the one that was meant. */
function exchangeTwins(
  fixed: readonly Diagnostic[],
  wanted: readonly Diagnostic[],
): ReadonlySet<Diagnostic> {
  const gone = new Set(fixed);
  for (const each of wanted) {
    if (gone.has(each)) continue;
    const key = countingKey(each);
    const twin = [...gone].find(
      other => other.line === each.line && !wanted.includes(other) && countingKey(other) === key,
    );
    if (twin === undefined) continue;
    gone.delete(twin);
    gone.add(each);
  }
  return gone;
}

/** A complaint without a rule is about text that cannot be read as a program any more. */
export function newComplaint(linter: Pick<Linter, 'title'>, fresh: Diagnostic): string {
  const { rule, severity, path, line, message } = fresh;
  const where = line === undefined ? path : `${path}:${line}`;
  if (rule === null && severity === 'error') return `the file no longer parses: ${message}`;
  return `it brings a new complaint of ${linter.title} at ${where}: ${message}`;
}
