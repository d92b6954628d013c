import type { Diagnostic } from '../core/diagnostic.js';
import { compareDiagnostics } from '../lint/compare.js';
import type { Linter } from '../lint/sandbox.js';
import { type EditRecord, type EditSession, ruleKey } from './edit-session.js';
import { isInScope, type Scope } from './scope.js';
import type { Fixing } from './try-edit.js';

interface TogetherOptions extends Omit<Fixing, 'formatters'> {
  /** What the linters reported about the commit. */
  readonly before: readonly Diagnostic[];
  readonly commands: ReadonlyArray<readonly string[]>;
  readonly say: (notice: string) => void;
}

/**
 * The last check: every linter runs on the whole task again, then the project's own commands run.
 * Edits that cause a new diagnostic or break a command are dropped. Returns the linters for which
 * there was not enough time; then the commands didn't run.
 */
export async function verifyTogether(options: TogetherOptions): Promise<readonly Linter[]> {
  if (options.editSession.edited().length === 0) return [];
  const late = await verifyLint(options);
  if (late.length > 0) return late;
  if (options.commands.length > 0 && options.editSession.edited().length > 0) {
    await verifyCommands(options);
  }
  return [];
}

/** Lints the branch's commit, unless it is what was linted last. */
export async function lintCommit(commit: string, options: TogetherOptions): Promise<void> {
  if (!(await options.sandbox.checkOut(commit))) await lintAll(options);
}

/** The notice for edits that were kept without this check. */
export const notVerifiedTogether = (hasCommands: boolean): string =>
  [
    'each edit was verified on its own, but the run was stopped before the linters checked everything again',
    ...(hasCommands ? ['the commands of verify.commands did not run'] : []),
  ].join('; ');

/** How many rules to drop one by one before dropping whole files. */
const MAX_CULPRITS = 3;

async function verifyLint(options: TogetherOptions): Promise<readonly Linter[]> {
  const { editSession } = options;
  const first = await lintAll(options);
  // Each edit was verified on its own, so a linter that needs longer is no reason to drop any.
  const late = first.flatMap(each => each.late ?? []);
  if (late.length === first.length) return late;
  const [worst] = first;
  const more = first.length > 1 ? ` and ${first.length - 1} more` : '';
  options.say(`edits dropped: together they cause ${worst?.message ?? ''}${more}`);
  const reason = 'together with the other edits it causes a new diagnostic';
  const isHit = (path: string): boolean => first.some(({ isAbout }) => isAbout(path));
  await unlessDone(options, reason, async () => {
    const holds = async (): Promise<boolean> => (await lintAll(options)).length === 0;
    for (let turn = 1; turn <= MAX_CULPRITS; turn += 1) {
      const culprit = await findCulprit(rulesNow(editSession), options, holds);
      if (culprit === undefined) break;
      editSession.drop((_path, owners) => isOfRule(owners, culprit), reason);
      await writeBack(options);
      if (await holds()) return;
    }
    editSession.drop(isHit, reason);
    await writeBack(options);
    if (await holds()) return;
    // A diagnostic in an unedited file could come from any edit.
    editSession.drop(() => true, reason);
    await writeBack(options);
    await lintAll(options);
  });
  return [];
}

const rulesNow = (editSession: EditSession): string[] => [
  ...new Set(editSession.records.filter(({ status }) => status === 'kept').map(ruleKey)),
];

const isOfRule = (owners: ReadonlySet<EditRecord>, rule: string): boolean =>
  [...owners].some(each => ruleKey(each) === rule);

/** A reason to drop edits. */
interface Objection {
  readonly message: string;
  readonly isAbout: (path: string) => boolean;
  /** The linter, if it didn't finish in time. */
  readonly late?: Linter;
}

/** Runs each linter on all of its files. */
async function lintAll(options: TogetherOptions): Promise<Objection[]> {
  const { linters, editSession, before } = options;
  const objections: Objection[] = [];
  for (const linter of linters) {
    // About an unedited file, such a linter would report the same again.
    const paths = linter.isPerFile
      ? linter.files.filter(path => editSession.file(path)?.isEdited)
      : linter.files;
    if (paths.length === 0) {
      editSession.setReported(
        linter,
        linter.files,
        before.filter(each => isOf(linter, each)),
      );
      continue;
    }
    const checked = new Set(paths);
    const report = await linter.check(paths, { isLast: true });
    const then = before.filter(
      each => isOf(linter, each) && (linter.isForAll || checked.has(each.path)),
    );
    const { introduced } = compareDiagnostics(then, report.diagnostics, movedLine(editSession));
    for (const { path, message: text } of introduced) {
      const message = `a new diagnostic from ${linter.title}, ${path}: ${text}`;
      objections.push({ message, isAbout: each => each === path });
    }
    if (report.isWhole) {
      const others = before.filter(each => isOf(linter, each) && !checked.has(each.path));
      const now = linter.isForAll ? report.diagnostics : [...others, ...report.diagnostics];
      editSession.setReported(linter, linter.files, now);
    }
    // It worked before the edits; its silence now proves nothing.
    else if (editSession.edited().some(([path]) => isLinted(linter, { path }))) {
      const message = `${linter.title} to fail: ${report.problems[0] ?? 'its report is incomplete'}`;
      const late = report.isLate === true ? { late: linter } : {};
      objections.push({ message, isAbout: path => isLinted(linter, { path }), ...late });
    }
  }
  return objections;
}

const isOf = (linter: Linter, diagnostic: Diagnostic): boolean =>
  diagnostic.tool === linter.name && isLinted(linter, diagnostic);

const isLinted = (linter: Linter, { path }: Pick<Diagnostic, 'path'>): boolean =>
  linter.isForAll || linter.has(path);

async function verifyCommands(options: TogetherOptions): Promise<void> {
  const failure = await runAll(options);
  if (failure === undefined) return;
  await unlessDone(options, failure, () => blame(failure, options));
  await lintAll(options);
}

/** If the run is stopped before the cause of a failure is found, no edit is kept. */
async function unlessDone<Value>(
  { editSession, say }: TogetherOptions,
  reason: string,
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await work();
  } catch (thrown) {
    say(`all edits were dropped: ${reason}, and the run was stopped before the cause was found`);
    editSession.drop(() => true, reason);
    throw thrown;
  }
}

/** Drops the rule whose edits make the commands fail, or everything if that doesn't help. */
async function blame(failure: string, options: TogetherOptions): Promise<void> {
  const { editSession } = options;
  const holds = async (): Promise<boolean> => (await runAll(options)) === undefined;
  const culprit = await findCulprit(rulesNow(editSession), options, holds);
  if (culprit === undefined) {
    options.say(`nothing could be verified: ${failure}, even without any edit`);
    editSession.drop(() => true, `not verified: ${failure} on the commit itself`);
    await writeBack(options);
    return;
  }
  options.say(`the edits for ${culprit.split('\0', 1)[0]} were dropped: with them ${failure}`);
  editSession.drop(
    (_path, each) => isOfRule(each, culprit),
    `with the edits for its rule ${failure}`,
  );
  await writeBack(options);
  const again = editSession.edited().length === 0 ? undefined : await runAll(options);
  if (again !== undefined) {
    options.say(`all other edits were dropped as well: without those ${again}`);
    editSession.drop(() => true, again);
    await writeBack(options);
  }
}

async function runAll({ sandbox, commands }: TogetherOptions): Promise<string | undefined> {
  for (const command of commands) {
    const failure = await sandbox.verify(command);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

/**
 * The rule whose edits turn success into failure, by halving; undefined if it fails without any.
 */
async function findCulprit(
  rules: readonly string[],
  options: TogetherOptions,
  isGood: () => Promise<boolean>,
): Promise<string | undefined> {
  const holds = async (count: number): Promise<boolean> => {
    const taken = new Set(rules.slice(0, count));
    await writeBack(options, owners => [...owners].every(each => taken.has(ruleKey(each))));
    return isGood();
  };
  if (!(await holds(0))) return undefined;
  let [good, bad] = [0, rules.length];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (await holds(middle)) good = middle;
    else bad = middle;
  }
  return rules[bad - 1];
}

/** Writes the edit session's files into the sandbox, with only the wanted edits if given. */
async function writeBack(
  { sandbox, editSession }: TogetherOptions,
  isWanted?: (owners: ReadonlySet<EditRecord>) => boolean,
): Promise<void> {
  const paths = new Set([
    ...editSession.edited().map(([path]) => path),
    ...(await sandbox.changed()),
  ]);
  for (const path of paths) {
    const file = editSession.file(path);
    const text = isWanted === undefined ? file?.text : file?.textWith(isWanted);
    if (file === undefined || text === undefined || text === file.base) await sandbox.reset(path);
    else await sandbox.write(path, text);
  }
}

/** What may still be fixed: in scope, in a file that may be written, up to `--max-fixes`. */
export const stillWanted = (scope: Scope, editSession: EditSession): Diagnostic[] =>
  editSession
    .all()
    .filter(
      each => editSession.file(each.path) !== undefined && isWantedNow(each, scope, editSession),
    )
    .slice(0, Math.max(0, scope.maxFixes - editSession.fixed));

const isWantedNow = (diagnostic: Diagnostic, scope: Scope, editSession: EditSession): boolean =>
  isInScope(diagnostic, scope, (path, line) => {
    const file = editSession.file(path);
    return file === undefined ? line : file.originOf(line);
  });

/** The current number of the commit's line; undefined if it was edited. */
export const movedLine =
  (editSession: EditSession) =>
  (path: string, line: number): number | undefined => {
    const file = editSession.file(path);
    return file === undefined ? line : file.lineNow(line);
  };

/** Linting again takes as long as the first time, and writing about a second. */
const WRITING_MS = 1500;
/** However little time there is, more than half of it is for fixing. */
const MAX_SHARE = 0.4;

/** When to stop trying, so that what was fixed can be verified and written in time. */
export function latestEnd(
  { startedAt, deadlineMs }: { readonly startedAt: number; readonly deadlineMs: number },
  lintedAt: number,
): number {
  const reserveMs = (lintedAt - startedAt) * 1.5 + WRITING_MS;
  return startedAt + deadlineMs - Math.min(deadlineMs * MAX_SHARE, reserveMs);
}
