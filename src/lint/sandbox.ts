import { join } from 'node:path';
import type { Diagnostic } from '../core/diagnostic.js';
import { pathFromBytes } from '../core/path-bytes.js';
import { whyNotCommittable } from '../git/blob-form.js';
import { protectedPath } from '../git/protected-path.js';
import type { Scratch, ScratchRepository } from '../git/scratch.js';
import { usableFiles } from '../git/scratch-files.js';
import { askGit } from '../git/spawn.js';
import { listTree, type TreeEntry } from '../git/tree.js';
import type { Globs } from '../platform/globs.js';
import type { Environment } from '../platform/processes.js';
import { anchorDiagnostics } from './anchor.js';
import {
  findLinters,
  isBelow,
  type LintCommand,
  type LinterSpec,
  type UserLinter,
} from './find.js';
import { addSuggestions } from './read-fix.js';
import type { ParsedReport } from './report.js';
import { type LintRun, lintCommand, linterEnvironment, readRun, runLinter } from './run.js';

/** What a linter reported about some files, with places that fit their text. */
export interface LintReport {
  readonly diagnostics: readonly Diagnostic[];
  /** One line each, for people. */
  readonly problems: readonly string[];
  /** False when something is missing: then a diagnostic that isn't there proves nothing. */
  readonly isWhole: boolean;
}

/** The slowest linters take a minute on a large project. */
const LINTER_MS = 180_000;
/** A project's test suite may take longer. */
const VERIFY_MS = 600_000;

interface LintSandboxOptions {
  readonly scratch: ScratchRepository;
  readonly env: Environment;
  readonly globs: Globs;
  readonly signal: AbortSignal;
  readonly entries: readonly UserLinter[];
  readonly protect: readonly string[];
  /** Whether a path belongs to the task at all. */
  readonly isInTask: (path: string) => boolean;
  readonly say: (notice: string) => void;
}

/** A copy of the commit, and the linters that the commit configures. */
export async function openLintSandbox(options: LintSandboxOptions): Promise<LintSandbox> {
  const { scratch, globs, protect } = options;
  const tree = await listTree(scratch.context, scratch.commit);
  const sandbox = new LintSandbox(options, tree, await globs.matcher(protect));
  sandbox.linters = await openLinters(sandbox, options);
  return sandbox;
}

/** A copy of the commit in which linters and commands run. */
export class LintSandbox {
  readonly commit: string;
  /** False when the copy lacks files of the task. */
  readonly isWhole: boolean;
  /** Regular files of the commit, without links and submodules. */
  readonly tracked: ReadonlySet<string>;
  linters: readonly Linter[] = [];
  readonly #scratch: ScratchRepository;
  readonly #env: Environment;
  readonly #signal: AbortSignal;
  readonly #tree: ReadonlyMap<string, TreeEntry>;
  readonly #isProtected: (path: string) => boolean;

  constructor(
    { scratch, env, signal, isInTask }: LintSandboxOptions,
    tree: ReadonlyMap<string, TreeEntry>,
    isProtected: (path: string) => boolean,
  ) {
    this.commit = scratch.commit;
    this.isWhole = ![...scratch.clashing.keys()].some(isInTask);
    this.tracked = new Set(usableFiles(tree, scratch.clashing));
    this.#scratch = scratch;
    this.#env = env;
    this.#signal = signal;
    this.#tree = tree;
    this.#isProtected = isProtected;
  }

  /** The text as it is on disk; undefined when the file is missing or isn't UTF-8. */
  async read(path: string): Promise<string | undefined> {
    const bytes = await this.#scratch.readFile(path);
    if (bytes === undefined) return undefined;
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      // In another encoding it would be read and written wrong.
      return undefined;
    }
  }

  write(path: string, text: string): Promise<void> {
    return this.#scratch.writeFile(path, Buffer.from(text, 'utf8'));
  }

  /** Restores the file from the commit. */
  reset(path: string): Promise<void> {
    return this.#scratch.reset(path);
  }

  /** Regular files that differ from the commit. */
  async changed(): Promise<readonly string[]> {
    const args = ['diff-files', '--name-only', '-z', '--ignore-submodules=all'];
    const listing = await askGit(this.#scratch.context, args);
    const paths: string[] = [];
    for (let from = 0; from < listing.length; ) {
      const end = listing.indexOf(0, from);
      paths.push(pathFromBytes(listing.subarray(from, end)));
      from = end + 1;
    }
    return paths.filter(path => this.tracked.has(path));
  }

  /** Why the bot may not write these paths; those that it may write are left out. */
  async forbidden(paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const reasons = new Map(await whyNotCommittable(this.#scratch.context, this.#tree, paths));
    for (const path of paths) {
      const source =
        protectedPath(path) ?? (this.#isProtected(path) ? 'branch.protect' : undefined);
      if (source !== undefined) reasons.set(path, `it is protected (${source})`);
    }
    return reasons;
  }

  /** Runs a command of `verify.commands`: undefined when it succeeds, else one line. */
  async verify(command: readonly string[]): Promise<string | undefined> {
    return failureOf(command, await this.run(command, '', VERIFY_MS));
  }

  run(argv: readonly string[], folder: string, timeoutMs: number): Promise<LintRun> {
    const root = this.#scratch.dir;
    const bins = [...new Set([folder, ''])].map(each => join(root, each, 'node_modules', '.bin'));
    const env = linterEnvironment(this.#env, bins);
    return runLinter({ argv, root, folder, env, timeoutMs, signal: this.#signal });
  }

  /** Runs a linter, as often as the length of command lines demands, and merges the reports. */
  async lint(
    spec: LinterSpec,
    command: LintCommand,
    paths: readonly string[],
  ): Promise<ParsedReport> {
    const { dir: root, givenDir } = this.#scratch;
    const context = { root, aliases: [givenDir], files: this.tracked };
    const parts: ParsedReport[] = [];
    for (const argv of lintCommand(spec, command.argv, paths)) {
      const run = await this.run(argv, spec.folder, LINTER_MS);
      parts.push(readRun(spec, command, { run, context }));
    }
    return {
      diagnostics: parts.flatMap(part => part.diagnostics),
      problems: parts.flatMap(part => part.problems),
      notLinted: parts.flatMap(part => part.notLinted),
      isWhole: parts.every(part => part.isWhole),
    };
  }
}

function failureOf(
  command: readonly string[],
  { end, stdout, stderr }: LintRun,
): string | undefined {
  const name = command.join(' ').slice(0, 100);
  if (end.kind === 'missing') return `${name} cannot be started`;
  if (end.kind === 'time-up') return `${name} does not finish within ${end.afterMs / 1000} s`;
  if (end.kind === 'signal') return `${name} is stopped by ${end.signal}`;
  if (end.code === 0) return undefined;
  const last = `${stdout}\n${stderr}`.trim().split('\n').at(-1)?.trim().slice(0, 200) ?? '';
  return `${name} ends with exit code ${end.code}${last === '' ? '' : ` (${last})`}`;
}

const MANIFEST = /(?:^|\/)(?:package\.json|pyproject\.toml|Gemfile\.lock)$/;

async function openLinters(
  sandbox: LintSandbox,
  options: LintSandboxOptions,
): Promise<readonly Linter[]> {
  const paths = [...sandbox.tracked];
  const manifests = new Map<string, string>();
  for (const path of paths.filter(each => MANIFEST.test(each))) {
    manifests.set(path, (await sandbox.read(path)) ?? '');
  }
  const specs = findLinters({ paths, manifests }, options.entries);
  if (specs.length === 0) options.say('no linter is configured in this commit');
  const inTask = paths.filter(options.isInTask);
  const linters: Linter[] = [];
  for (const spec of specs) {
    const files = await linterFiles(spec, inTask, options);
    const where = spec.folder === '' ? '' : ` in ${spec.folder}`;
    if (files.length > 0) linters.push(new Linter(spec, files, sandbox));
    else
      options.say(
        `${spec.title}${where}: it checks none of the ${inTask.length} files in question`,
      );
  }
  return linters;
}

/** One of the project's linters, in the sandbox. */
export class Linter {
  readonly name: string;
  readonly title: string;
  /** The files of the task that it checks. */
  readonly files: readonly string[];
  /** It checks the whole project, whatever paths it is given. */
  readonly isForAll: boolean;
  readonly canFix: boolean;
  readonly #spec: LinterSpec;
  readonly #sandbox: LintSandbox;
  /** The command that gave a report is used from then on. */
  #command: LintCommand;

  constructor(spec: LinterSpec, files: readonly string[], sandbox: LintSandbox) {
    this.name = spec.name;
    this.title = spec.title;
    this.files = files;
    this.isForAll = spec.scope === 'project';
    this.canFix = spec.fix !== undefined;
    this.#spec = spec;
    this.#sandbox = sandbox;
    this.#command = spec.check;
  }

  async check(
    paths: readonly string[],
    options?: { readonly withSuggestions: boolean },
  ): Promise<LintReport> {
    const { check, otherwise, suggest } = this.#spec;
    let parsed = await this.#sandbox.lint(this.#spec, this.#command, paths);
    if (isEmpty(parsed) && otherwise !== undefined && this.#command === check) {
      const second = await this.#sandbox.lint(this.#spec, otherwise, paths);
      if (!isEmpty(second)) {
        this.#command = otherwise;
        parsed = second;
      }
    }
    const report = await this.#anchored(parsed);
    if (suggest === undefined || options?.withSuggestions !== true) return report;
    if (report.diagnostics.length === 0) return report;
    const richer = await this.#anchored(await this.#sandbox.lint(this.#spec, suggest, paths));
    return { ...report, diagnostics: addSuggestions(report.diagnostics, richer.diagnostics) };
  }

  /** Writes its own fixes into the files; returns what went wrong, if anything. */
  async fix(paths: readonly string[]): Promise<string | undefined> {
    const { fix = [], folder } = this.#spec;
    for (const argv of lintCommand(this.#spec, fix, paths)) {
      const { end, isCut } = await this.#sandbox.run(argv, folder, LINTER_MS);
      if (isCut) return `${this.title}: its own fix printed more than is read`;
      if (end.kind === 'missing') return `${this.title}: its own fix could not be started`;
      if (end.kind === 'signal') return `${this.title}: its own fix was stopped by ${end.signal}`;
      if (end.kind === 'time-up') return `${this.title}: its own fix did not finish in time`;
    }
    return undefined;
  }

  async #anchored({ diagnostics, problems, isWhole }: ParsedReport): Promise<LintReport> {
    const texts = new Map<string, string | undefined>();
    for (const { path } of diagnostics) {
      if (!texts.has(path)) texts.set(path, await this.#sandbox.read(path));
    }
    const anchored = anchorDiagnostics(diagnostics, path => texts.get(path));
    return { diagnostics: anchored, problems, isWhole };
  }
}

const isEmpty = ({ isWhole, diagnostics }: ParsedReport): boolean =>
  !isWhole && diagnostics.length === 0;

/** Enough for a first line that names its program. */
const SHEBANG_BYTES = 200;

/** The paths that a linter checks: by their names, or scripts by their first line. */
async function linterFiles(
  spec: LinterSpec,
  paths: readonly string[],
  { globs, scratch }: { readonly globs: Globs; readonly scratch: Pick<Scratch, 'readFile'> },
): Promise<string[]> {
  const isNamed = await globs.matcher(spec.files);
  const chosen: string[] = [];
  for (const path of paths) {
    if (!isBelow(path, spec.folder)) continue;
    if (isNamed(path) || (await isScript(path, spec, scratch))) chosen.push(path);
  }
  return chosen;
}

async function isScript(
  path: string,
  { interpreters }: LinterSpec,
  scratch: Pick<Scratch, 'readFile'>,
): Promise<boolean> {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (interpreters === undefined || name.includes('.')) return false;
  const bytes = await scratch.readFile(path).catch(() => undefined);
  const head = Buffer.from(bytes?.subarray(0, SHEBANG_BYTES) ?? []).toString('latin1');
  const [, program, argument] = /^#![ \t]*(\S+)(?:[ \t]+(?:-S[ \t]+)?(\S+))?/.exec(head) ?? [];
  const base = program?.slice(program.lastIndexOf('/') + 1);
  return interpreters.includes((base === 'env' ? argument : base) ?? '');
}
