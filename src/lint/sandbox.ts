import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { countingKey, type Diagnostic } from '../core/diagnostic.js';
import { objectOf, parseJson } from '../core/json-fields.js';
import { pathFromBytes } from '../core/path-bytes.js';
import { type Select, selectFiles } from '../diff/select-files.js';
import { whyNotCommittable } from '../git/commit.js';
import { protectedPath } from '../git/protected-path.js';
import { type ScratchRepository, usableFiles, writeIndexed } from '../git/scratch.js';
import { askGit } from '../git/spawn.js';
import { listTree, type TreeEntry } from '../git/tree.js';
import { globMatcher } from '../platform/globs.js';
import type { Environment } from '../platform/processes.js';
import { shellWord } from '../platform/shell-word.js';
import { anchorDiagnostics } from './anchor.js';
import {
  isBelow,
  type LintCommand,
  type LinterSpec,
  linterFiles,
  type UserLinter,
} from './find.js';
import { runAroundHung, type Timing } from './hung-files.js';
import { ESLINT_CONFIG, ESLINT_PROGRAM, TSC_PROGRAM } from './known-linters.js';
import { LinterProcess } from './linter-process.js';
import { ESLINT_SERVER, TSC_SERVER } from './linter-servers.js';
import { MANIFEST, planLinters } from './project-linters.js';
import { addSuggestions } from './read-fix.js';
import type { ParsedReport, ReportFormat } from './report.js';
import {
  eslintRules,
  findProgram,
  inPortions,
  isOnPath,
  type LintRun,
  lintCommand,
  linterEnvironment,
  notInstalled,
  readRun,
  runLinter,
} from './run.js';
import { folderOf, joinPath } from './shell-words.js';

/** A linter's report about some files, with locations that fit their text. */
export interface LintReport {
  readonly diagnostics: readonly Diagnostic[];
  /** One line each, for the user. */
  readonly problems: readonly string[];
  /** It was stopped because it took too long. */
  readonly isLate?: boolean;
  /** False if something is missing: then the absence of a diagnostic proves nothing. */
  readonly isWhole: boolean;
}

/** A linter's report about the files it was given. */
export interface FilesReport extends LintReport {
  /** Files that it didn't finish. */
  readonly lost: readonly string[];
  /** Files that its configuration excludes. */
  readonly notLinted: readonly string[];
  /** It found something, but nothing in files of the commit. */
  readonly isElsewhere?: boolean;
  /** Each file's report depends on that file only; absent if unknown. */
  readonly isPerFile?: boolean;
}

/** A relative path, unlike a package's name. */
const RELATIVE_PATH = /['"`](\.\.?(?:\/[^'"`\n]*)?)['"`]/g;
/** What Node appends to the path of a module. */
const MODULE_ENDINGS = ['', '.js', '.cjs', '.mjs', '.ts', '/index.js', '/index.cjs', '/index.mjs'];

/** What every rule looks like in reports of these formats. */
const RULE_FORMS: Partial<Readonly<Record<ReportFormat, RegExp>>> = {
  tsc: /^TS\d+$/,
  'shellcheck-json': /^SC\d{4}$/,
  prettier: /^format$/,
  unformatted: /^format$/,
};

/** The slowest linters take a minute on a large project; where the run may take long, so may they. */
const LINTER_MS = 180_000;
const LINTER_SHARE = 0.25;
/** A line has no room for more. */
const MAX_NAMED = 5;
/** Tools put their marker at the top. */
const OPENING_LINES = 10;
/** A project's test suite may take longer. */
const VERIFY_MS = 600_000;

interface LintSandboxOptions {
  readonly scratch: ScratchRepository;
  readonly env: Environment;
  readonly signal: AbortSignal;
  readonly entries: readonly UserLinter[];
  readonly protect: readonly string[];
  /** Whether a path belongs to the task at all. */
  readonly isInTask: (path: string) => boolean;
  readonly timing: Timing;
}

/** A copy of the commit, and the linters that the commit configures. */
export async function openLintSandbox(options: LintSandboxOptions): Promise<LintSandbox> {
  const { scratch, protect } = options;
  const tree = await listTree(scratch.context, scratch.commit);
  const sandbox = new LintSandbox(options, tree, await globMatcher(protect));
  const { linters, unread, left } = await openLinters(sandbox, options);
  sandbox.linters = linters.filter(({ formatter }) => formatter === undefined);
  sandbox.formatters = linters.filter(({ formatter }) => formatter !== undefined);
  sandbox.unread = unread;
  sandbox.left = left;
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
  /** They report nothing, but format edited files. */
  formatters: readonly Linter[] = [];
  /** The time spent on linters that didn't finish. */
  lateMs = 0;
  /** Lint commands of the project that could not be read. */
  unread: readonly string[] = [];
  /** Linters that are configured, but that no lint command names. */
  left: readonly string[] = [];
  readonly #scratch: ScratchRepository;
  readonly #env: Environment;
  readonly #signal: AbortSignal;
  readonly #timing: Timing;
  readonly #tree: ReadonlyMap<string, TreeEntry>;
  readonly #isProtected: (path: string) => boolean;
  #select: Select | undefined;
  /** By program, folder and environment. */
  readonly #processes = new Map<string, LinterProcess | undefined>();
  /** The commit that is in the index. */
  #indexed: string;

  constructor(
    { scratch, env, signal, isInTask, timing }: LintSandboxOptions,
    tree: ReadonlyMap<string, TreeEntry>,
    isProtected: (path: string) => boolean,
  ) {
    this.commit = scratch.commit;
    this.#indexed = scratch.commit;
    this.isWhole = ![...scratch.clashing.keys()].some(isInTask);
    this.tracked = new Set(usableFiles(tree, scratch.clashing));
    this.#scratch = scratch;
    this.#env = env;
    this.#signal = signal;
    this.#timing = timing;
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
      // In another encoding it would be read and written wrongly.
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

  /** Regular files that differ from the commit. A mode that a linter changed is restored. */
  async changed(): Promise<readonly string[]> {
    const files = await this.#differing();
    await this.restoreModes(files);
    return files.map(({ path }) => path);
  }

  /**
   * A mode is never committed, so a linter must not see a changed one. Returns the files that had
   * one.
   */
  async restoreModes(files?: readonly Differing[]): Promise<string[]> {
    const all = files ?? (await this.#differing());
    const paths = all.flatMap(({ path, hasMode }) => (hasMode ? [] : [path]));
    for (const path of paths) {
      const bytes = await this.#scratch.readFile(path);
      await this.#scratch.reset(path);
      if (bytes !== undefined) await this.#scratch.writeFile(path, bytes);
    }
    return paths;
  }

  /** Regular files that may differ from the commit. */
  async #differing(): Promise<Differing[]> {
    const args = ['diff-files', '--raw', '-z', '--ignore-submodules=all'];
    const listing = await askGit(this.#scratch.context, args);
    const files: Differing[] = [];
    for (let from = 0; from < listing.length; ) {
      const split = listing.indexOf(0, from);
      const end = listing.indexOf(0, split + 1);
      const [before, after] = listing.toString('latin1', from + 1, split).split(' ');
      const path = pathFromBytes(listing.subarray(split + 1, end));
      from = end + 1;
      if (this.tracked.has(path)) files.push({ path, hasMode: before === after });
    }
    return files;
  }

  /** Makes the copy equal to the branch's commit; returns whether it already was. */
  async checkOut(commit: string): Promise<boolean> {
    const { context } = this.#scratch;
    await askGit(context, ['read-tree', '--reset', commit]);
    this.#indexed = commit;
    // Files with the commit's content were written by us; only their times differ.
    await askGit(context, ['update-index', '-q', '--refresh', '--ignore-submodules']).catch(
      () => undefined,
    );
    const args = ['diff-files', '--name-only', '--ignore-submodules=all'];
    if ((await askGit(context, args)).length === 0) return true;
    await writeIndexed(context);
    return false;
  }

  /** Changes whenever a tracked file does. */
  async state(): Promise<string> {
    const hash = createHash('sha256').update(this.#indexed);
    for (const path of await this.changed()) {
      const bytes = await this.#scratch.readFile(path);
      hash.update(`\0${path}\0${bytes?.length}\0`).update(bytes ?? '');
    }
    return hash.digest('hex');
  }

  /** Why the bot may not write these paths; without those that it may write. */
  async forbidden(paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const reasons = new Map(await whyNotCommittable(this.#scratch.context, this.#tree, paths));
    for (const path of paths) {
      const source =
        protectedPath(path) ?? (this.#isProtected(path) ? 'branch.protect' : undefined);
      if (source !== undefined) reasons.set(path, `it is protected (${source})`);
      else if (!reasons.has(path)) {
        const kind = await this.#notEditable(path);
        if (kind !== undefined) reasons.set(path, `it ${kind}`);
      }
    }
    return reasons;
  }

  /**
   * An edit of a generated, minified or vendored file would be lost; one that may hold secrets is
   * never shown to the model.
   */
  async #notEditable(path: string): Promise<string | undefined> {
    const text = (await this.read(path)) ?? '';
    const lines = text.split('\n');
    const blobs = {
      oldMode: undefined,
      newMode: undefined,
      oldBlob: undefined,
      newBlob: undefined,
    };
    const file = { path, oldPath: path, status: 'modified' as const, isBinary: false, ...blobs };
    this.#select ??= await this.#selection();
    const kind = this.#select(file, {
      opening: lines.slice(0, OPENING_LINES).join('\n'),
      longestLine: lines.reduce((longest, line) => Math.max(longest, line.length), 0),
      changedBytes: 0,
      lines: lines.length,
    });
    if (kind === 'may hold secrets') return kind;
    return kind !== undefined && /^(?:generated|minified|vendored)$/.test(kind)
      ? `is ${kind}`
      : undefined;
  }

  async #selection(): Promise<Select> {
    const attributeFiles: Array<{ folder: string; text: string }> = [];
    for (const path of this.tracked) {
      if (!/(?:^|\/)\.gitattributes$/.test(path)) continue;
      const folder = path.slice(0, -'.gitattributes'.length);
      attributeFiles.push({ folder, text: (await this.read(path)) ?? '' });
    }
    return selectFiles({ attributeFiles, ignore: [] });
  }

  eslintRules(folder: string): Promise<readonly string[]> {
    return eslintRules(this.#scratch.dir, folder);
  }

  /** Undefined if it is installed. */
  async whyMissing(program: string, folder: string): Promise<string | undefined> {
    const { dir: root } = this.#scratch;
    const path = await findProgram(program, { root, folder });
    const isThere = path !== undefined && (path.includes('/') || (await this.hasProgram(path)));
    return isThere ? undefined : notInstalled(program, root);
  }

  /** Runs a command of `verify.commands`: undefined if it succeeds, otherwise one line. */
  async verify(command: readonly string[]): Promise<string | undefined> {
    return failureOf(command, await this.run(command, { folder: '', timeoutMs: VERIFY_MS }));
  }

  async run(
    argv: readonly string[],
    {
      folder,
      timeoutMs,
      env: more = {},
    }: {
      readonly folder: string;
      readonly timeoutMs: number;
      readonly env?: Readonly<Record<string, string>> | undefined;
    },
  ): Promise<LintRun> {
    const root = this.#scratch.dir;
    const bins = [...new Set([folder, ''])].map(each => join(root, each, 'node_modules', '.bin'));
    const env = { ...linterEnvironment(this.#env, bins), ...more };
    const request = { argv, root, folder, env, timeoutMs, signal: this.#signal };
    const loaded = await this.#process(argv, folder, more);
    return (await loaded?.run(request)) ?? runLinter(request);
  }

  async #process(
    argv: readonly string[],
    folder: string,
    env: Readonly<Record<string, string>>,
  ): Promise<LinterProcess | undefined> {
    const [program] = argv;
    const isTsc = program === TSC_PROGRAM && argv.includes('--incremental');
    if (!isTsc && program !== ESLINT_PROGRAM) return undefined;
    const key = JSON.stringify([program, folder, env]);
    if (!this.#processes.has(key)) {
      const isLoadedOnce = isTsc || (await this.#isLoadedOnce(argv, folder));
      const server = isTsc ? TSC_SERVER : ESLINT_SERVER;
      this.#processes.set(key, isLoadedOnce ? new LinterProcess(server) : undefined);
    }
    return this.#processes.get(key);
  }

  /**
   * Files that a configuration loads from the project might be edited, and would not be loaded
   * again. The first run covers all files, so it shows which configurations matter.
   */
  async #isLoadedOnce(argv: readonly string[], folder: string): Promise<boolean> {
    const at = argv.findIndex(word => /^(?:-c$|--config\b)/.test(word));
    const config = argv[at]?.includes('=') ? argv[at] : argv[at + 1];
    const linted = argv.flatMap(word => joinPath(folder, word) ?? []);
    const names = await this.#packageNames();
    for (const path of this.tracked) {
      const [place, name] = [folderOf(path), basename(path)];
      const isFor = ESLINT_CONFIG.test(name) && linted.some(each => isBelow(each, place));
      if (!isFor && config?.endsWith(name) !== true) continue;
      const text = (await this.read(path)) ?? '';
      const loads = [...text.matchAll(RELATIVE_PATH)].some(([, each = '']) =>
        this.#isModule(joinPath(place, each)),
      );
      if (loads || names.some(each => text.includes(each))) return false;
    }
    return true;
  }

  /** An edit of JSON can only change its formatting. */
  #isModule(path: string | undefined): boolean {
    return (
      path !== undefined &&
      !path.endsWith('.json') &&
      MODULE_ENDINGS.some(ending => this.tracked.has(`${path}${ending}`))
    );
  }

  /** How a configuration refers to packages of the project itself. */
  async #packageNames(): Promise<string[]> {
    const names: string[] = [];
    for (const path of this.tracked) {
      if (!/(?:^|\/)package\.json$/.test(path)) continue;
      const { name } = objectOf(parseJson((await this.read(path)) ?? ''));
      if (typeof name !== 'string') continue;
      for (const quote of `'"`) names.push(quote + name + quote, `${quote}${name}/`);
    }
    return names;
  }

  /** Ends the processes that are kept running between linter runs. */
  close(): void {
    for (const each of this.#processes.values()) each?.close();
  }

  /** Whether a program can be started at all. */
  hasProgram(program: string): Promise<boolean> {
    return isOnPath(program, linterEnvironment(this.#env, []));
  }

  /** Runs a linter in as many portions as needed, and merges the reports. */
  async lint(
    spec: LinterSpec,
    command: LintCommand,
    paths: readonly string[],
  ): Promise<FilesReport> {
    const { dir: root, givenDir } = this.#scratch;
    const context = { root, aliases: [givenDir], files: this.tracked };
    const { folder, env } = spec;
    const timeoutMs = this.limitMs(spec);
    const parts: ParsedReport[] = [];
    const lost: string[] = [];
    let isPerFile = true;
    let isLate = false;
    const run = async (files: readonly string[], mostMs: number): Promise<LintRun[]> => {
      const runs: LintRun[] = [];
      for (const argv of lintCommand(spec, command.argv, files)) {
        const each = await this.run(argv, { folder, env, timeoutMs: mostMs });
        if (each.end.kind === 'time-up') this.lateMs += each.end.afterMs;
        runs.push(each);
      }
      return runs;
    };
    const timing = { ...this.#timing, limitMs: timeoutMs, canSplit: spec.scope !== 'project' };
    for (const portion of await this.portions(spec, paths)) {
      for (const { files, runs } of await runAroundHung(portion, timing, run)) {
        const read = runs.map(each => readRun(spec, command, { run: each, context }));
        if (read.some(each => !each.isWhole)) lost.push(...files);
        else lost.push(...read.flatMap(each => each.unfinished));
        parts.push(...read);
        isPerFile &&= runs.every(each => each.isPerFile === true);
        isLate ||= runs.some(({ end }) => end.kind === 'time-up');
      }
    }
    return {
      diagnostics: parts.flatMap(part => part.diagnostics),
      problems: [...new Set(parts.flatMap(part => part.problems))],
      notLinted: parts.flatMap(part => part.notLinted),
      lost,
      isWhole: lost.length === 0,
      isLate,
      isElsewhere: parts.some(part => part.isElsewhere),
      isPerFile,
    };
  }

  /** How long one run of a linter may take. */
  limitMs({ timeoutMs }: LinterSpec): number {
    const { deadlineAt, now } = this.#timing;
    return timeoutMs ?? Math.max(LINTER_MS, (deadlineAt - now()) * LINTER_SHARE);
  }

  /** For a linter that needs a lot of memory: a few files at a time, a large one alone. */
  async portions({ batchBytes }: LinterSpec, paths: readonly string[]): Promise<string[][]> {
    if (batchBytes === undefined) return [[...paths]];
    const bytes = new Map<string, number>();
    for (const path of paths) {
      bytes.set(path, (await this.#scratch.readFile(path))?.length ?? 0);
    }
    return inPortions(paths, path => bytes.get(path) ?? 0, batchBytes);
  }
}

interface Differing {
  readonly path: string;
  /** Its mode is the commit's. */
  readonly hasMode: boolean;
}

function failureOf(
  command: readonly string[],
  { end, stdout, stderr }: LintRun,
): string | undefined {
  const name = command.join(' ').slice(0, 100);
  if (end.kind === 'missing') return `${name} can't be started`;
  if (end.kind === 'time-up') return `${name} does not finish within ${end.afterMs / 1000} s`;
  if (end.kind === 'signal') return `${name} is stopped by ${end.signal}`;
  if (end.code === 0) return undefined;
  const last = `${stdout}\n${stderr}`.trim().split('\n').at(-1)?.trim().slice(0, 200) ?? '';
  return `${name} ends with exit code ${end.code}${last === '' ? '' : ` (${last})`}`;
}

async function openLinters(
  sandbox: LintSandbox,
  options: LintSandboxOptions,
): Promise<{ linters: Linter[]; unread: readonly string[]; left: readonly string[] }> {
  const paths = [...sandbox.tracked];
  const manifests = new Map<string, string>();
  for (const path of paths.filter(each => MANIFEST.test(each))) {
    manifests.set(path, (await sandbox.read(path)) ?? '');
  }
  const { specs, unread, left } = await planLinters({ paths, manifests }, options.entries);
  const inTask = paths.filter(options.isInTask);
  const linters: Linter[] = [];
  const taken = new Map<string, Set<string>>();
  for (const spec of specs) {
    // Scripts alone don't justify asking for a linter that isn't installed.
    if (spec.foundBy === 'files' && !(await sandbox.hasProgram(spec.check.argv[0] ?? ''))) continue;
    const seen = taken.get(spec.name) ?? new Set();
    taken.set(spec.name, seen);
    // A file may belong to several projects of tsc; each may report something else about it.
    const files = (await linterFiles(spec, inTask, options.scratch.readFile)).filter(
      path => spec.scope === 'project' || !seen.has(path),
    );
    for (const path of files) seen.add(path);
    if (files.length > 0) linters.push(new Linter(spec, files, sandbox));
  }
  return { linters, unread, left };
}

/** One of the project's linters, in the sandbox. */
export class Linter {
  readonly name: string;
  readonly title: string;
  /** Where the command was found. */
  readonly source: string;
  readonly folder: string;
  /** It checks the whole project, whatever paths it gets. */
  readonly isForAll: boolean;
  readonly canFix: boolean;
  readonly isFormatter: boolean;
  readonly formatter: LinterSpec['formatter'];
  /** Files whose mode its own fix would change, and what it reports about them then, if it says. */
  readonly #otherModes = new Map<string, readonly Diagnostic[] | undefined>();
  readonly #spec: LinterSpec;
  readonly #sandbox: LintSandbox;
  #files: ReadonlySet<string>;
  /** Its report about a file depends on that file only. */
  isPerFile: boolean;
  /** The last report about each file, and the state it was about. */
  readonly #known = new Map<string, KnownReport>();
  /** Once a command has given a report, it is used from then on. */
  #command: LintCommand;

  constructor(spec: LinterSpec, files: readonly string[], sandbox: LintSandbox) {
    this.name = spec.name;
    this.title = spec.title;
    this.source = spec.reason;
    this.folder = spec.folder;
    this.isForAll = spec.scope === 'project';
    this.canFix = spec.fix !== undefined;
    this.isFormatter = spec.isFormatter === true;
    this.formatter = spec.formatter;
    this.isPerFile = spec.isPerFile === true;
    this.#files = new Set(files);
    this.#spec = spec;
    this.#sandbox = sandbox;
    this.#command = spec.check;
  }

  /** The files of the task that it checks. */
  get files(): readonly string[] {
    return [...this.#files];
  }

  has(path: string): boolean {
    return this.#files.has(path);
  }

  /** Leaves out files that it turned out not to check. */
  leaveOut(paths: readonly string[]): void {
    this.#files = new Set(this.files.filter(path => !paths.includes(path)));
  }

  /** The command as the project would write it, without what we add to read and limit its report. */
  get command(): string {
    const { env = {}, flags = [], formatter, fix = [], targets = [], folder, foundBy } = this.#spec;
    const argv = formatter === undefined ? this.#command.argv : fix;
    const option = argv.findIndex(word => /^-|^\{files\}$/.test(word));
    const takesFiles = argv.includes('{files}') ? ['{files}'] : [];
    const words =
      foundBy === 'user' || option === -1
        ? argv
        : [...argv.slice(0, option), ...flags, ...takesFiles];
    const more = targets.length === 0 || targets.length > MAX_NAMED ? ['…'] : [];
    const named = targets.slice(0, MAX_NAMED).map(each => {
      if (each === folder) return '.';
      return folder === '' ? each : each.replace(`${folder}/`, '');
    });
    return [
      ...Object.entries(env).map(([name, value]) => `${name}=${shellWord(value)}`),
      ...words.flatMap(word =>
        word === '{files}'
          ? [...named.map(shellWord), ...more]
          : shellWord(word.replace('node_modules/.bin/', '')),
      ),
    ].join(' ');
  }

  /** For a rule that it can't have: rules that it has, as far as known. Otherwise undefined. */
  async rulesInsteadOf(rule: string): Promise<readonly string[] | undefined> {
    const { format, argv } = this.#spec.check;
    const own = rule.startsWith(`${this.name}/`) ? rule.slice(this.name.length + 1) : rule;
    if (own === this.name) return undefined;
    const form = RULE_FORMS[format];
    if (form !== undefined) return form.test(own) ? undefined : [];
    const isOther = own.includes('/') || argv.some(word => word.startsWith('--rulesdir'));
    if (argv[0] !== ESLINT_PROGRAM || isOther) return undefined;
    const rules = await this.#sandbox.eslintRules(this.folder);
    return rules.length === 0 || rules.includes(own) ? undefined : rules;
  }

  whyMissing(): Promise<string | undefined> {
    return this.#sandbox.whyMissing(this.#command.argv[0] ?? '', this.folder);
  }

  /** Its report about files that have changed since the last time; the rest is known. */
  async check(paths: readonly string[], options: CheckOptions = {}): Promise<FilesReport> {
    if (this.#spec.scope === 'folders') return this.#run(paths, options);
    const args = this.isForAll ? [''] : paths;
    const states = await this.#states(args);
    const known = args.flatMap(path => {
      const report = this.#known.get(path);
      const isEnough =
        (options.withSuggestions !== true || report?.withSuggestions === true) &&
        (options.isLast !== true || report?.isByFix !== true);
      return report !== undefined && report.state === states.get(path) && isEnough
        ? [[path, report.diagnostics] as const]
        : [];
    });
    const isKnown = new Map(known);
    const open = args.filter(path => !isKnown.has(path));
    if (open.length === 0) return { ...CLEAN, diagnostics: [...isKnown.values()].flat() };
    const report = await this.#run(this.isForAll ? paths : open, options);
    if (report.isWhole)
      await this.#remember(open, report, { withSuggestions: options.withSuggestions === true });
    return { ...report, diagnostics: [...[...isKnown.values()].flat(), ...report.diagnostics] };
  }

  /** What a report about each of the files depends on. */
  async #states(paths: readonly string[]): Promise<Map<string, string | undefined>> {
    const states = new Map<string, string | undefined>();
    const whole = this.isPerFile ? undefined : await this.#sandbox.state();
    for (const path of paths) states.set(path, whole ?? (await this.#sandbox.read(path)));
    return states;
  }

  async #remember(
    paths: readonly string[],
    { diagnostics, notLinted }: FilesReport,
    { withSuggestions = false, isByFix = false }: Partial<KnownReport>,
  ): Promise<void> {
    const states = await this.#states(paths);
    const left = new Set(notLinted);
    for (const path of paths) {
      const state = states.get(path);
      if (state === undefined || left.has(path)) this.#known.delete(path);
      else this.#known.set(path, { state, diagnostics: [], withSuggestions, isByFix });
    }
    for (const each of diagnostics) {
      this.#known.get(this.isForAll ? '' : each.path)?.diagnostics.push(each);
    }
  }

  async #run(paths: readonly string[], options: CheckOptions): Promise<FilesReport> {
    const { check, otherwise, suggest } = this.#spec;
    let parsed = await this.#sandbox.lint(this.#spec, this.#command, paths);
    if (isEmpty(parsed) && otherwise !== undefined && this.#command === check) {
      const second = await this.#sandbox.lint(this.#spec, otherwise, paths);
      if (!isEmpty(second)) {
        this.#command = otherwise;
        parsed = second;
      }
    }
    this.isPerFile = this.#spec.isPerFile === true || parsed.isPerFile === true;
    const report = await this.#anchored(parsed);
    if (suggest === undefined || options.withSuggestions !== true) return report;
    if (report.diagnostics.length === 0) return report;
    const richer = await this.#anchored(await this.#sandbox.lint(this.#spec, suggest, paths));
    return { ...report, diagnostics: addSuggestions(report.diagnostics, richer.diagnostics) };
  }

  /** Writes its own fixes into the files; returns what went wrong, if anything. */
  async fix(paths: readonly string[]): Promise<string | undefined> {
    const { fix = [], folder, env, fixReports, suggest } = this.#spec;
    const timeoutMs = this.#sandbox.limitMs(this.#spec);
    if (fixReports) {
      const command = { ...this.#command, argv: fix };
      const report = await this.#anchored(await this.#sandbox.lint(this.#spec, command, paths));
      const restored = await this.#sandbox.restoreModes();
      if (!report.isWhole) return report.problems[0];
      const withSuggestions = suggest === undefined;
      // A report about a file with another mode isn't valid for the commit.
      const same = paths.filter(path => !restored.includes(path));
      const diagnostics = report.diagnostics.filter(({ path }) => !restored.includes(path));
      await this.#remember(
        same,
        { ...report, diagnostics },
        { withSuggestions, isByFix: !this.isPerFile },
      );
      return this.#modeNotice(restored, report.diagnostics);
    }
    for (const argv of lintCommand(this.#spec, fix, paths)) {
      const { end, isCut } = await this.#sandbox.run(argv, { folder, env, timeoutMs });
      if (isCut) return `${this.title}: its own fix printed more than the limit`;
      if (end.kind === 'missing') return `${this.title}: its own fix could not be started`;
      if (end.kind === 'signal') return `${this.title}: its own fix was stopped by ${end.signal}`;
      if (end.kind === 'time-up') return `${this.title}: its own fix did not finish in time`;
    }
    return this.#modeNotice(await this.#sandbox.restoreModes());
  }

  /** Its own fix for this diagnostic doesn't change the text, only the mode of the file. */
  isAboutMode(diagnostic: Diagnostic): boolean {
    const { tool, path, isFixable } = diagnostic;
    if (tool !== this.name || !this.#otherModes.has(path)) return false;
    const left = this.#otherModes.get(path);
    if (left === undefined) return isFixable !== false;
    // RuboCop says that it can't correct such a diagnostic, but does.
    return !left.some(each => countingKey(each) === countingKey(diagnostic));
  }

  #modeNotice(paths: readonly string[], reported?: readonly Diagnostic[]): string | undefined {
    const [path] = paths;
    for (const each of paths) {
      this.#otherModes.set(
        each,
        reported?.filter(other => other.path === each),
      );
    }
    const what = `its own fix changes the mode of ${path}, which is never committed`;
    return path === undefined ? undefined : `${this.title}: ${what}`;
  }

  async #anchored(report: FilesReport): Promise<FilesReport> {
    const texts = new Map<string, string | undefined>();
    for (const { path } of report.diagnostics) {
      if (!texts.has(path)) texts.set(path, await this.#sandbox.read(path));
    }
    const diagnostics = anchorDiagnostics(report.diagnostics, path => texts.get(path));
    return { ...report, diagnostics };
  }
}

const CLEAN: FilesReport = {
  diagnostics: [],
  problems: [],
  lost: [],
  notLinted: [],
  isWhole: true,
};

interface CheckOptions {
  readonly withSuggestions?: boolean;
  /** The check whose result is reported. */
  readonly isLast?: boolean;
}

interface KnownReport {
  /** The file's text, or the state of all files for a linter that looks at others. */
  readonly state: string;
  readonly diagnostics: Diagnostic[];
  readonly withSuggestions: boolean;
  /** Reported while files were fixed one by one, so later ones were still unchanged. */
  readonly isByFix: boolean;
}

const isEmpty = ({ isWhole, diagnostics }: FilesReport): boolean =>
  !isWhole && diagnostics.length === 0;
