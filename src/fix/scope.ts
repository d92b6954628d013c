import { BotError } from '../core/bot-error.js';
import type { DiffEvent, Line } from '../core/change.js';
import type { Diagnostic } from '../core/diagnostic.js';
import { groupBy } from '../core/group-by.js';
import type { ChangeSummary } from '../core/outcome.js';
import { type ParsedArguments, usage } from '../core/task.js';
import { gather } from '../diff/gather.js';
import type { Git } from '../git/git.js';
import { readExternalReport } from '../lint/parse-report.js';
import { GENERAL_FORMATS } from '../lint/report.js';
import { readText } from '../platform/files.js';
import type { Opened } from '../review/work.js';

/** What the run may lint and fix. */
export interface Scope {
  /** Changed lines by path; undefined for whole files. */
  readonly changed: ReadonlyMap<string, ReadonlySet<number>> | undefined;
  /** Literal paths from the root; empty for all. */
  readonly paths: readonly string[];
  /** Empty for all. */
  readonly rules: readonly string[];
  /** Only what this report lists. */
  readonly only: ExternalDiagnostics | undefined;
  readonly maxFixes: number;
}

/** A range of up to this many lines is a place; of a longer one only the start counts. */
const TIGHT_LINES = 3;

export function isPathInScope(path: string, { changed, paths, only }: Scope): boolean {
  if (changed !== undefined && !changed.has(path)) return false;
  if (only !== undefined && !only.byPath.has(path)) return false;
  return paths.length === 0 || paths.some(each => isAtOrBelow(path, each));
}

const isAtOrBelow = (path: string, place: string): boolean =>
  place === '.' || path === place || path.startsWith(`${place}/`);

/** `originOf` returns the line in the commit; an edited line is in scope. */
export function isInScope(
  diagnostic: Diagnostic,
  scope: Scope,
  originOf: (path: string, line: number) => number | undefined,
): boolean {
  const { path, line, rule, tool } = diagnostic;
  if (!isPathInScope(path, scope)) return false;
  if (scope.rules.length > 0 && !namesOf(rule, tool).some(name => scope.rules.includes(name))) {
    return false;
  }
  const origins = linesOf(diagnostic).map(each => originOf(path, each));
  if (scope.only !== undefined && !isListed(diagnostic, scope.only, origins[0])) return false;
  const changed = scope.changed?.get(path);
  if (changed === undefined || line === undefined) return true;
  return origins.some(origin => origin === undefined || changed.has(origin));
}

export const namesOf = (rule: string | null, tool: string): string[] =>
  rule === null ? [tool] : [rule, `${tool}/${rule}`, tool];

/** The lines that a diagnostic is about; none if it is about the whole file. */
export function linesOf(diagnostic: Diagnostic): number[] {
  const { line } = diagnostic;
  const endLine = lastLine(diagnostic);
  if (line === undefined || endLine === undefined) return [];
  const length = endLine - line < TIGHT_LINES ? endLine - line + 1 : 1;
  return Array.from({ length: Math.max(1, length) }, (_, at) => line + at);
}

/** A range that ends at the first column of a line doesn't include that line. */
export function lastLine({ line, endLine = line, endColumn }: Diagnostic): number | undefined {
  if (line === undefined || endLine === undefined) return undefined;
  return endColumn === 1 && endLine > line ? endLine - 1 : endLine;
}

/** The lines that a change touches, and its size. */
interface ChangedLines {
  /** New lines by path; a file that only lost lines has an empty set. */
  readonly lines: ReadonlyMap<string, ReadonlySet<number>>;
  readonly size: Readonly<Record<'files' | 'hunks' | 'added' | 'removed', number>>;
}

export async function changedLines(
  events: AsyncIterable<readonly DiffEvent[]>,
): Promise<ChangedLines> {
  const changed = new Map<string, Set<number>>();
  const size = { files: 0, hunks: 0, added: 0, removed: 0 };
  let lines = new Set<number>();
  const count = (line: Line): void => {
    if (line.kind === 'added') lines.add(line.newLine);
    if (line.kind !== 'context') size[line.kind] += 1;
  };
  for await (const batch of events) {
    for (const event of batch) {
      if (event.type === 'file') {
        lines = new Set();
        size.files += 1;
        if (event.file.status !== 'deleted') changed.set(event.file.path, lines);
      }
      if (event.type === 'hunk') size.hunks += 1;
      if (event.type === 'lines') event.lines.forEach(count);
    }
  }
  return { lines: changed, size };
}

/** What the command line asks for, and on which commit. */
export interface FixScopeRequest {
  readonly commit: string;
  readonly scope: Scope;
  readonly change: ChangeSummary;
  readonly notices: readonly string[];
}

/** The range's head with its changed lines, or HEAD with everything, narrowed by the options. */
export async function fixAsked(parsed: ParsedArguments, opened: Opened): Promise<FixScopeRequest> {
  const { git, task } = opened;
  if (git === undefined) throw new BotError('bug', 'fix-lint needs a repository');
  const { selector, paths, repository, pull } = task;
  const isRange = selector.kind === 'range';
  const change = isRange ? await gather({ selector, paths }, git) : undefined;
  const commit = change?.head ?? git.repository.head;
  if (commit === undefined) {
    throw new BotError('git', 'this repository has no commit yet', {
      hint: 'fix-lint works on a commit, never on the work tree',
    });
  }
  const touched = change === undefined ? undefined : await changedLines(change.events);
  const external = await externalDiagnostics(parsed, { commit, git });
  const rules = parsed.values.get('rule')?.split(',').filter(Boolean) ?? [];
  const changed = parsed.switches.has('all') ? undefined : touched?.lines;
  const only = external?.diagnostics;
  return {
    commit,
    scope: { changed, paths, rules, only, maxFixes: maxFixes(parsed.values.get('max-fixes')) },
    change: {
      base: change?.base ?? null,
      head: commit,
      repository,
      pull,
      ...(touched?.size ?? NOTHING_CHANGED),
    },
    notices: [
      ...(change?.notices ?? (await unmatched(paths, { commit, git }))),
      ...(external?.notices ?? []),
    ],
  };
}

/** A typo in a path must not look like a clean commit. */
async function unmatched(
  paths: readonly string[],
  { commit, git }: { readonly commit: string; readonly git: Git },
): Promise<string[]> {
  if (paths.length === 0) return [];
  const files = await git.listPaths(commit);
  const left = paths.filter(place => !files.some(path => isAtOrBelow(path, place)));
  return left.length === 0 ? [] : [`no file of the commit matches ${left.join(', ')}`];
}

/** Without a range there is a commit, but no change. */
const NOTHING_CHANGED = { files: 0, hunks: 0, added: 0, removed: 0 };

/** `--diagnostics FILE`: which diagnostics to fix; the linter still decides about each edit. */
async function externalDiagnostics(
  { values }: ParsedArguments,
  { commit, git }: { readonly commit: string; readonly git: Git },
): Promise<{ diagnostics: ExternalDiagnostics; notices: readonly string[] } | undefined> {
  const file = values.get('diagnostics');
  if (file === undefined) return undefined;
  const text = await readText(file);
  if (text === undefined) throw noReport(file, "which doesn't exist");
  const { top, prefix } = git.repository;
  const files = new Set(await git.listPaths(commit));
  // A linter writes paths relative to where it was started: here, or at the top.
  const read = [...new Set([prefix.replace(/\/$/, ''), ''])].map(folder =>
    readExternalReport(text, { root: top ?? '/', files, folder }),
  );
  const reports = read.flatMap(each => (each.ok ? [each.report] : []));
  const [report] = reports.toSorted((one, other) => one.lost - other.lost);
  if (report === undefined) {
    const [problem] = read.flatMap(each => (each.ok ? [] : [each.problem]));
    throw noReport(file, `which cannot be read as a report: ${problem}`);
  }
  const { diagnostics, problems, isWhole, lost } = report;
  const isEmpty = diagnostics.length + problems.length === 0;
  return {
    diagnostics: {
      file,
      byPath: groupBy(diagnostics, ({ path }) => path),
      isWhole: isWhole && lost === 0,
    },
    notices: isEmpty
      ? [`${file} lists no diagnostics`]
      : problems.map(problem => `${file}: ${problem}`),
  };
}

const noReport = (file: string, problem: string): BotError =>
  new BotError('usage', `--diagnostics names ${file}, ${problem}`, {
    hint: `It takes a report in one of these formats: ${GENERAL_FORMATS.join(', ')}`,
  });

function maxFixes(text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY;
  const max = Number(text);
  if (Number.isInteger(max) && max >= 1) return max;
  throw usage(`--max-fixes must be a whole number of at least 1, found ${JSON.stringify(text)}`);
}

/** A report of another linter run: only what it lists is fixed. */
interface ExternalDiagnostics {
  /** As the command line names it. */
  readonly file: string;
  readonly byPath: ReadonlyMap<string, readonly Diagnostic[]>;
  /** False if part of it can't be read or isn't about a file of the commit. */
  readonly isWhole: boolean;
}

/** Whether the report lists a linter's diagnostic. */
export const isListed = (
  reported: Diagnostic,
  external: ExternalDiagnostics,
  line: number | undefined,
): boolean =>
  (external.byPath.get(reported.path) ?? []).some(listed =>
    isSameDiagnostic(listed, reported, line),
  );

/** For one file. `line` is the commit's; if either has none, any line matches. */
export const isSameDiagnostic = (
  listed: Diagnostic,
  reported: Diagnostic,
  line: number | undefined,
): boolean =>
  (line === undefined || listed.line === undefined || listed.line === line) &&
  isSameRule(listed, reported);

type Identity = Pick<Diagnostic, 'tool' | 'rule' | 'message'>;

/**
 * A report may lack the linter's name, or spell the rule differently: `eslint.rules.semi`,
 * `Error/semi`. Then the end of the name or the message decides.
 */
function isSameRule(listed: Identity, reported: Identity): boolean {
  if (listed.rule === reported.rule && (reported.rule !== null || listed.tool === reported.tool))
    return true;
  if (listed.tool === reported.tool) return false;
  if (listed.rule !== null && reported.rule !== null) {
    return ['/', '.'].some(mark => listed.rule?.endsWith(`${mark}${reported.rule}`));
  }
  return reported.message !== '' && listed.message.startsWith(reported.message);
}
