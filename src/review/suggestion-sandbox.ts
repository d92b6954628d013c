import { syntaxOf } from '../checks/invalid-syntax.js';
import { knownRules } from '../checks/rules.js';
import { findConfig } from '../config/find.js';
import { isBotError } from '../core/bot-error.js';
import type { Diagnostic } from '../core/diagnostic.js';
import { type Git, userGitContext } from '../git/git.js';
import { listRemotes } from '../git/isolated-remote.js';
import { protectedPath } from '../git/protected-path.js';
import { openScratch, type ScratchRepository } from '../git/scratch.js';
import { runGit } from '../git/spawn.js';
import { startRun, sweepRuns } from '../git/sweep.js';
import { compareDiagnostics, lineMap } from '../lint/compare.js';
import { type LinterSpec, linterFiles } from '../lint/find.js';
import { forbidEdit } from '../lint/forbid-edit.js';
import { MANIFEST, planLinters } from '../lint/project-linters.js';
import { temporaryFolder } from '../lint/run.js';
import { type StdinLinter, stdinLinter } from '../lint/stdin.js';
import { endingAfter } from '../platform/clock.js';
import { syntaxError } from '../platform/syntax.js';
import { isInHook, type Session } from '../session.js';
import type { Opened } from './work.js';

/** Where a proposed text is tried: the reviewed files and the linters that may run on them. */
export interface SuggestionSandbox {
  /** The file as reviewed; undefined if no linter could judge another version of it. */
  text(path: string): Promise<string | undefined>;
  /** Undefined if the linters report nothing new; otherwise what they report. */
  judge(path: string, after: string): Promise<string | undefined>;
  close(): Promise<void>;
}

export interface SandboxOptions {
  readonly base: string | null;
  readonly head: string;
  readonly paths: readonly string[];
  /** How long it may be used. */
  readonly forMs: number;
}

/**
 * There is no sandbox if no linter is configured for the files, or none may run; see the notices.
 */
export interface FoundSandbox {
  readonly sandbox: SuggestionSandbox | undefined;
  readonly notices: readonly string[];
}

interface SandboxContext {
  readonly session: Session;
  readonly opened: Opened;
}

const NOTHING: FoundSandbox = { sandbox: undefined, notices: [] };

/**
 * A copy of a commit of the default branch, with its linters. All that a linter runs or reads comes
 * from that commit; the reviewed text reaches it on standard input.
 */
export async function openSuggestionSandbox(
  options: SandboxOptions,
  place: SandboxContext,
): Promise<FoundSandbox> {
  const { git } = place.opened;
  const { base } = options;
  const paths = options.paths.filter(path => protectedPath(path) === undefined);
  if (git === undefined || base === null || paths.length === 0) return NOTHING;
  try {
    const trusted = await trustedCommit(base, place);
    if (trusted.commit === undefined) return without(trusted.why);
    const { commit } = trusted;
    const { usable, others } = await lintersFor({ paths, head: options.head }, commit, place);
    const notices = others.map(title => notAsked(title));
    if (usable.length === 0) return { sandbox: undefined, notices };
    const texts = await reviewedTexts(git, options.head, paths);
    const opening = { commit, texts, specs: usable, git, forMs: options.forMs };
    return { sandbox: await open(opening, place), notices };
  } catch (thrown) {
    // Without a sandbox there are no suggestions; the review is valid without them.
    if (isBotError(thrown) || place.session.signal.aborted) return NOTHING;
    throw thrown;
  }
}

const without = (why: string | undefined): FoundSandbox => ({
  sandbox: undefined,
  notices: why === undefined ? [] : [`no linter was asked about suggestions: ${why}`],
});

const notAsked = (title: string): string =>
  `${title} was not asked about suggestions: a review hands the text over on standard input, which it is not known to read (see lint[].stdin)`;

/** A linter, and the files of the change that it checks. */
type Usable = readonly [spec: LinterSpec, files: readonly string[]];

interface Linters {
  readonly usable: readonly Usable[];
  /** The names of those that can't be used. */
  readonly others: readonly string[];
}

/** As named by the commit's lint commands or configuration files; needs no copy of the project. */
async function lintersFor(
  { paths, head }: Pick<SandboxOptions, 'paths' | 'head'>,
  commit: string,
  { opened }: SandboxContext,
): Promise<Linters> {
  const { git } = opened;
  const rules = knownRules();
  const place = { file: undefined, base: commit, git, knownRules: rules };
  const { lint } = await findConfig(place);
  const tracked = (await git?.listPaths(commit)) ?? [];
  const manifests = new Map<string, string>();
  const depth = (path: string): number => path.split('/').length;
  const found = tracked.filter(each => MANIFEST.test(each));
  const nearest = found.toSorted((one, other) => depth(one) - depth(other));
  for (const path of nearest.slice(0, MAX_MANIFESTS)) {
    const bytes = await git?.readFile(commit, path);
    manifests.set(path, new TextDecoder().decode(bytes));
  }
  const readFile = async (path: string) => git?.readFile(head, path);
  const usable: Usable[] = [];
  const others = new Set<string>();
  const { specs } = await planLinters({ paths: tracked, manifests }, lint);
  for (const spec of specs.filter(({ formatter }) => formatter === undefined)) {
    const files = await linterFiles(spec, paths, readFile);
    if (files.length === 0) continue;
    if (spec.stdin === undefined) others.add(spec.title);
    else usable.push([spec, files]);
  }
  return { usable, others: [...others] };
}

/** Each takes a request to git. */
const MAX_MANIFESTS = 50;

async function reviewedTexts(
  git: Git,
  head: string,
  paths: readonly string[],
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const path of paths) {
    const bytes = await git.readFile(head, path);
    const text = bytes && Buffer.from(bytes).toString('utf8');
    // A suggestion in any other encoding would be wrong.
    if (text !== undefined && Buffer.from(text).equals(bytes ?? Buffer.alloc(0))) {
      texts.set(path, text);
    }
  }
  return texts;
}

interface Opening {
  readonly commit: string;
  readonly texts: ReadonlyMap<string, string>;
  readonly specs: readonly Usable[];
  readonly git: Git;
  readonly forMs: number;
}

async function open(
  { commit, texts, specs, git, forMs }: Opening,
  { session, opened: { context } }: SandboxContext,
): Promise<SuggestionSandbox> {
  const { repository } = git;
  const { env } = session;
  const signal = endingAfter(session.signal, forMs);
  await sweepRuns(repository.commonDir, context.clock.now());
  const record = await startRun(repository.commonDir, context.clock.runId());
  let scratch: ScratchRepository | undefined;
  const close = async (): Promise<void> => {
    await scratch?.remove();
    await record.end();
  };
  try {
    const [temp, announce] = [temporaryFolder(), record.addScratch];
    scratch = await openScratch({ repository, env, signal, commit, temp, announce });
    const linters: StdinLinter[] = [];
    for (const [spec, files] of specs) {
      const linter = await stdinLinter(spec, files, { dir: scratch.dir, env, signal });
      if (linter !== undefined) linters.push(linter);
    }
    return { ...judgeText({ linters, texts, signal }), close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

/** The commit whose linters a review may start, or why there is none. */
type Trusted =
  | { readonly commit: string }
  | { readonly commit: undefined; readonly why: string | undefined };

/**
 * A linter is a program, and its configuration decides what it runs. A review takes both from the
 * default branch: from the commit where the change branched off, no matter who made it.
 */
async function trustedCommit(base: string, { session, opened }: SandboxContext): Promise<Trusted> {
  const { git, task } = opened;
  const { head, top } = git?.repository ?? {};
  // A hook has no time for it, and without a work tree nothing is installed.
  if (git === undefined || head === undefined || top === undefined || isInHook(session)) {
    return none(undefined);
  }
  const main =
    task.configBase ??
    (await defaultBranch(git)) ??
    (isInCi(session) || (await listRemotes({ ...session, repository: git.repository })).size > 0
      ? undefined
      : head);
  if (main === undefined) return none('the default branch is not known here');
  const commit = await git.mergeBase(main, base);
  if (commit === undefined)
    return none('the change has no commit in common with the default branch');
  // What is installed belongs to what is checked out.
  if ((await git.mergeBase(commit, head)) !== commit) return none('the change is not checked out');
  const file = await installationFile(git, { session, from: commit, to: head });
  return file === undefined ? { commit } : none(`${file} may have changed what is installed here`);
}

const none = (why: string | undefined): Trusted => ({ commit: undefined, why });

/** In CI the checkout may be anybody's. */
const isInCi = ({ env }: Session): boolean => env['CI'] !== undefined || !!env['GITHUB_EVENT_PATH'];

const DEFAULT_BRANCHES = [
  'refs/remotes/origin/HEAD',
  'refs/remotes/origin/main',
  'refs/remotes/origin/master',
  'refs/heads/main',
  'refs/heads/master',
];

async function defaultBranch(git: Git): Promise<string | undefined> {
  for (const name of DEFAULT_BRANCHES) {
    try {
      return await git.resolve(name);
    } catch (thrown) {
      if (!isBotError(thrown)) throw thrown;
    }
  }
  return undefined;
}

/**
 * Files that decide what a package manager installs; matched without case, for disks that ignore
 * it.
 */
const INSTALLS =
  /(?:^|\/)(?:package\.json|package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|pnpm-workspace\.yaml|\.pnpmfile\.cjs|bun\.lockb?|\.npmrc|\.yarnrc(?:\.yml)?|bunfig\.toml)$|(?:^|\/)\.yarn\//i;
const INSTALLED = /(?:^|\/)node_modules(?:\/|$)/i;

/** A file through which the checkout could supply its own linter, or choose another. */
async function installationFile(
  git: Git,
  { session, from, to }: { readonly session: Session; readonly from: string; readonly to: string },
): Promise<string | undefined> {
  const tracked = (await git.listPaths('index')).find(path => INSTALLED.test(path));
  if (tracked !== undefined) return tracked;
  const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', from, to];
  const { code, stdout } = await runGit(userGitContext(session), args);
  if (code !== 0) return 'a file';
  const changed = stdout.toString('utf8').split('\0');
  return changed.find(path => INSTALLS.test(path) || INSTALLED.test(path));
}

interface Judging {
  readonly linter: StdinLinter;
  readonly before: readonly Diagnostic[];
}

interface JudgeContext {
  readonly linters: readonly StdinLinter[];
  /** The files as reviewed. */
  readonly texts: ReadonlyMap<string, string>;
  readonly signal: AbortSignal;
}

/**
 * Judges another version of a file: it must parse and hide nothing, and no linter may report more
 * than before.
 */
function judgeText(place: JudgeContext): Pick<SuggestionSandbox, 'text' | 'judge'> {
  const { linters, texts, signal } = place;
  const judges = new Map<string, Judging[]>();
  const judgesOf = async (path: string, text: string): Promise<Judging[]> => {
    const known = judges.get(path) ?? (await readyFor(path, text, linters));
    judges.set(path, known);
    return known;
  };
  const look = async (path: string): Promise<string | undefined> => {
    const text = texts.get(path);
    if (text === undefined || !linters.some(linter => linter.isFor(path))) return undefined;
    return (await judgesOf(path, text)).length === 0 ? undefined : text;
  };
  const judge = async (path: string, after: string): Promise<string | undefined> => {
    const before = texts.get(path);
    if (before === undefined) return `${path} can't be read`;
    const objection =
      forbidEdit({ path, before, after, diagnostics: [] }) ?? (await brokenSyntax(path, after));
    if (objection !== undefined) return objection;
    return firstObjection(await judgesOf(path, before), { path, before, after });
  };
  return {
    text: path => unlessStopped(signal, look(path), () => undefined),
    judge: (path, after) => unlessStopped(signal, judge(path, after), reason => reason),
  };
}

/** A full disk or the deadline loses a suggestion, not the review. */
async function unlessStopped<Value>(
  signal: AbortSignal,
  work: Promise<Value>,
  otherwise: (reason: string) => Value,
): Promise<Value> {
  try {
    return await work;
  } catch (thrown) {
    if (signal.aborted) return otherwise('there is no time left to try it');
    if (isBotError(thrown)) return otherwise(thrown.message);
    throw thrown;
  }
}

/** Linters that can check the whole file; silence from the others proves nothing. */
async function readyFor(
  path: string,
  text: string,
  linters: readonly StdinLinter[],
): Promise<Judging[]> {
  const ready: Judging[] = [];
  for (const linter of linters.filter(each => each.isFor(path))) {
    const { isWhole, diagnostics } = await linter.check(path, text);
    if (isWhole) ready.push({ linter, before: diagnostics });
  }
  return ready;
}

async function brokenSyntax(path: string, after: string): Promise<string | undefined> {
  const kind = syntaxOf(path);
  const problem = kind === undefined ? undefined : await syntaxError(kind, after);
  return problem && `the file no longer parses: ${problem.message}`;
}

async function firstObjection(
  judges: readonly Judging[],
  { path, before, after }: { path: string; before: string; after: string },
): Promise<string | undefined> {
  const map = lineMap(before, after);
  const lineNow = (where: string, line: number): number | undefined =>
    where === path ? map(line) : line;
  for (const { linter, before } of judges) {
    const { isWhole, diagnostics, problems } = await linter.check(path, after);
    if (!isWhole) return `${linter.title} can no longer judge the file: ${problems[0] ?? ''}`;
    const [fresh] = compareDiagnostics(before, diagnostics, lineNow).introduced;
    if (fresh !== undefined) {
      return `${linter.title} reports in line ${fresh.line ?? 1}: ${fresh.message}`;
    }
  }
  return undefined;
}
