import { join } from 'node:path';
import type { Diagnostic } from '../core/diagnostic.js';
import { pathFromBytes } from '../core/path-bytes.js';
import { whyNotCommittable } from '../git/blob-form.js';
import { protectedPath } from '../git/protected-path.js';
import type { Scratch, ScratchRepository } from '../git/scratch.js';
import { usableFiles } from '../git/scratch-files.js';
import { askGit } from '../git/spawn.js';
import { listTree } from '../git/tree.js';
import type { Globs } from '../platform/globs.js';
import type { Environment } from '../platform/processes.js';
import { anchorDiagnostics } from './anchor.js';
import { findLinters, isBelow, type LintCommand, type LinterSpec } from './find.js';
import { addSuggestions } from './read-fix.js';
import type { ParsedReport } from './report.js';
import { type LintRun, lintCommand, linterEnvironment, readRun, runLinter } from './run.js';

/** What a linter said of some files, tied to their text. */
export interface LintReport {
  readonly diagnostics: readonly Diagnostic[];
  /** One line each, for people. */
  readonly problems: readonly string[];
  /** False when something is missing: then the absence of a complaint says nothing. */
  readonly isWhole: boolean;
}

/** One linter of the project, ready to run in the scratch copy. */
export interface Linter {
  readonly name: string;
  readonly title: string;
  /** The files of the task that it looks at. */
  readonly files: readonly string[];
  /** It looks at everything, whatever it is asked. */
  readonly isForAll: boolean;
  readonly canFix: boolean;
  check(
    paths: readonly string[],
    options?: { readonly withSuggestions: boolean },
  ): Promise<LintReport>;
  /** Writes its own fixes into the files; gives what went wrong, if anything. */
  fix(paths: readonly string[]): Promise<string | undefined>;
}

/** Where the work is done: a copy of the commit, and what runs in it. */
export interface LintSandbox {
  readonly commit: string;
  readonly linters: readonly Linter[];
  /** False when the copy lacks files of the task. */
  readonly isWhole: boolean;
  /** As it is on disk there; undefined when it is gone or no UTF-8 text. */
  read(path: string): Promise<string | undefined>;
  write(path: string, text: string): Promise<void>;
  /** Makes the file what the commit has. */
  reset(path: string): Promise<void>;
  /** Files that are not as the commit has them. */
  changed(): Promise<readonly string[]>;
  /** Why the bot may not write these; paths that it may are left out. */
  forbidden(paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** A command of `verify.commands`: undefined when it ended well, else one line. */
  verify(command: readonly string[]): Promise<string | undefined>;
}

/** The slowest linters take a minute on a large project. */
const LINTER_MS = 180_000;
/** A test suite of the project's may take longer. */
const VERIFY_MS = 600_000;

export interface LintSandboxOptions {
  readonly scratch: ScratchRepository;
  readonly env: Environment;
  readonly globs: Globs;
  readonly signal: AbortSignal;
  readonly entries: Parameters<typeof findLinters>[1];
  readonly protect: readonly string[];
  /** Whether a path belongs to the task at all. */
  readonly isInTask: (path: string) => boolean;
  readonly say: (notice: string) => void;
}

/** The linters that the commit configures, in a copy of the commit. */
export async function openLintSandbox(options: LintSandboxOptions): Promise<LintSandbox> {
  const { scratch, protect } = options;
  const tree = await listTree(scratch.context, scratch.commit);
  const tracked = usableFiles(tree, scratch.clashing);
  const run = runnerIn(options);
  const read = (path: string): Promise<string | undefined> => readText(scratch, path);
  const lintFolder: LintFolder = {
    root: scratch.dir,
    aliases: [scratch.givenDir],
    tracked: new Set(tracked),
    run: (argv, folder) => run(argv, folder, LINTER_MS),
    read,
  };
  const isProtected = await options.globs.matcher(protect);
  return {
    commit: scratch.commit,
    linters: await openLinters(await specsFor(options, tracked), { options, tracked, lintFolder }),
    isWhole: ![...scratch.clashing.keys()].some(options.isInTask),
    read,
    write: (path, text) => scratch.writeFile(path, Buffer.from(text, 'utf8')),
    reset: path => scratch.reset(path),
    // Links and submodules are none of ours, whatever a linter did to them.
    changed: async () => (await changedFiles(scratch)).filter(path => lintFolder.tracked.has(path)),
    forbidden: async paths => {
      const reasons = new Map(await whyNotCommittable(scratch.context, tree, paths));
      for (const path of paths) {
        const ground = protectedPath(path) ?? (isProtected(path) ? 'branch.protect' : undefined);
        if (ground !== undefined) reasons.set(path, `it is protected (${ground})`);
      }
      return reasons;
    },
    verify: async command => verdictOf(command, await run(command, '', VERIFY_MS)),
  };
}

type Runner = (argv: readonly string[], folder: string, timeoutMs: number) => Promise<LintRun>;

const runnerIn =
  ({ scratch, env, signal }: LintSandboxOptions): Runner =>
  (argv, folder, timeoutMs) => {
    const bins = [...new Set([folder, ''])].map(each =>
      join(scratch.dir, each, 'node_modules', '.bin'),
    );
    const clean = linterEnvironment(env, bins);
    return runLinter({ argv, root: scratch.dir, folder, env: clean, timeoutMs, signal });
  };

const MANIFEST = /(?:^|\/)(?:package\.json|pyproject\.toml|Gemfile\.lock)$/;

async function specsFor(
  options: LintSandboxOptions,
  tracked: readonly string[],
): Promise<LinterSpec[]> {
  const manifests = new Map<string, string>();
  for (const path of tracked.filter(each => MANIFEST.test(each))) {
    manifests.set(path, (await readText(options.scratch, path)) ?? '');
  }
  const found = findLinters({ paths: tracked, manifests }, options.entries);
  if (found.length === 0) options.say('no linter is configured in this commit');
  return found;
}

async function openLinters(
  specs: readonly LinterSpec[],
  {
    options,
    tracked,
    lintFolder,
  }: { options: LintSandboxOptions; tracked: readonly string[]; lintFolder: LintFolder },
): Promise<LintSandbox['linters']> {
  const inTask = tracked.filter(options.isInTask);
  const linters: Array<LintSandbox['linters'][number]> = [];
  for (const spec of specs) {
    const files = await linterFiles(spec, inTask, options);
    const where = spec.folder === '' ? '' : ` in ${spec.folder}`;
    if (files.length > 0) linters.push(linterSession(spec, files, lintFolder));
    else
      options.say(
        `${spec.title}${where}: none of the ${inTask.length} files in question is for it`,
      );
  }
  return linters;
}

async function readText(scratch: ScratchRepository, path: string): Promise<string | undefined> {
  const bytes = await scratch.readFile(path);
  if (bytes === undefined) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Some other encoding: read wrong it would be written wrong.
    return undefined;
  }
}

async function changedFiles({ context }: ScratchRepository): Promise<string[]> {
  const asked = ['diff-files', '--name-only', '-z', '--ignore-submodules=all'];
  const listing = await askGit(context, asked);
  const paths: string[] = [];
  for (let from = 0; from < listing.length; ) {
    const end = listing.indexOf(0, from);
    paths.push(pathFromBytes(listing.subarray(from, end)));
    from = end + 1;
  }
  return paths;
}

function verdictOf(
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

/** What a linter needs of the scratch copy. */
export interface LintFolder {
  /** Absolute names of the copy: free of links, and as the temporary folder was given. */
  readonly root: string;
  readonly aliases: readonly string[];
  readonly tracked: ReadonlySet<string>;
  run(argv: readonly string[], folder: string): Promise<LintRun>;
  read(path: string): Promise<string | undefined>;
}

/** One linter of the project, asked as often as one likes. */
export function linterSession(
  spec: LinterSpec,
  files: readonly string[],
  lintFolder: LintFolder,
): Linter {
  // The way that gave a report is the way from then on.
  let way: LintCommand = spec.check;
  return {
    name: spec.name,
    title: spec.title,
    files,
    isForAll: spec.scope === 'project',
    canFix: spec.fix !== undefined,
    check: async (paths, options) => {
      let parsed = await ask(spec, way, { paths, lintFolder });
      if (isSilent(parsed) && spec.otherwise !== undefined && way === spec.check) {
        const second = await ask(spec, spec.otherwise, { paths, lintFolder });
        if (!isSilent(second)) {
          way = spec.otherwise;
          parsed = second;
        }
      }
      const report = await anchored(parsed, lintFolder);
      if (spec.suggest === undefined || options?.withSuggestions !== true) return report;
      if (report.diagnostics.length === 0) return report;
      const richer = await anchored(
        await ask(spec, spec.suggest, { paths, lintFolder }),
        lintFolder,
      );
      return { ...report, diagnostics: addSuggestions(report.diagnostics, richer.diagnostics) };
    },
    fix: async paths => {
      for (const argv of lintCommand(spec, spec.fix ?? [], paths)) {
        const { end, isCut } = await lintFolder.run(argv, spec.folder);
        if (isCut) return `${spec.title}: its own fix printed more than is read`;
        if (end.kind !== 'exit') return `${spec.title}: its own fix ${endingWords(end)}`;
      }
      return undefined;
    },
  };
}

const isSilent = ({ isWhole, diagnostics }: ParsedReport): boolean =>
  !isWhole && diagnostics.length === 0;

function endingWords(end: Exclude<LintRun['end'], { kind: 'exit' }>): string {
  if (end.kind === 'missing') return 'could not be started';
  return end.kind === 'signal' ? `was stopped by ${end.signal}` : 'did not finish in time';
}

/** One report out of as many runs as the command line needs. */
async function ask(
  spec: LinterSpec,
  command: LintCommand,
  { paths, lintFolder }: { readonly paths: readonly string[]; readonly lintFolder: LintFolder },
): Promise<ParsedReport> {
  const context = { root: lintFolder.root, aliases: lintFolder.aliases, files: lintFolder.tracked };
  const parts: ParsedReport[] = [];
  for (const argv of lintCommand(spec, command.argv, paths)) {
    const run = await lintFolder.run(argv, spec.folder);
    parts.push(readRun(spec, command, { run, context }));
  }
  return {
    diagnostics: parts.flatMap(part => part.diagnostics),
    problems: parts.flatMap(part => part.problems),
    notLinted: parts.flatMap(part => part.notLinted),
    isWhole: parts.every(part => part.isWhole),
  };
}

async function anchored(parsed: ParsedReport, lintFolder: LintFolder): Promise<LintReport> {
  const texts = new Map<string, string | undefined>();
  for (const { path } of parsed.diagnostics) {
    if (!texts.has(path)) texts.set(path, await lintFolder.read(path));
  }
  const diagnostics: readonly Diagnostic[] = anchorDiagnostics(parsed.diagnostics, path =>
    texts.get(path),
  );
  return { diagnostics, problems: parsed.problems, isWhole: parsed.isWhole };
}

/** A first line that names its program is short. */
const SHEBANG_BYTES = 200;

/** Those of the paths that a linter looks at: by their names, or scripts by their first line. */
export async function linterFiles(
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
