import { type ChildProcess, spawn } from 'node:child_process';
import { access, constants, readdir } from 'node:fs/promises';
import { devNull, platform, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { installsPackages } from '../platform/own-command.js';
import type { Environment } from '../platform/processes.js';
import type { LintCommand, LinterSpec } from './find.js';
import { parseReport } from './parse-report.js';
import { firstLine, wordsIn } from './read-json.js';
import type { ParsedReport, ReadReport, ReportContext } from './report.js';
import { folderOf } from './shell-words.js';

/** No report is this long, and a runaway linter must not fill the memory. */
export const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
/** Time for the last output to arrive after the program has exited. */
const LAST_OUTPUT_MS = 500;

export interface RunRequest {
  /** Never a shell line. */
  readonly argv: readonly string[];
  /** The top of the scratch copy, and the folder in it to run in. */
  readonly root: string;
  readonly folder: string;
  readonly env: Record<string, string>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** For its standard input; without it stdin is closed. */
  readonly input?: string;
}

/** Runs a program of the project. Failures are results, too. */
export async function runLinter(request: RunRequest): Promise<LintRun> {
  const [program, ...args] = request.argv;
  const path = program === undefined ? undefined : await findProgram(program, request);
  if (path === undefined) return { end: { kind: 'missing' }, stdout: '', stderr: '', isCut: false };
  request.signal.throwIfAborted();
  // In its own process group, so that its children end with it.
  const child = spawn(path, args, {
    cwd: join(request.root, request.folder),
    env: request.env,
    stdio: [request.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    detached: true,
  });
  // It may exit before it has read everything; its report shows whether that matters.
  child.stdin?.on('error', () => undefined).end(request.input);
  const output = collect(child);
  const end = await endOf(child, request);
  request.signal.throwIfAborted();
  return { end, ...output() };
}

/** A program in node_modules is searched for upwards, never above the copy. */
export async function findProgram(
  program: string,
  request: Pick<RunRequest, 'root' | 'folder'>,
): Promise<string | undefined> {
  if (!program.startsWith('node_modules/.bin/')) return program;
  for (const folder of upwards(request.folder)) {
    const path = join(request.root, folder, program);
    if (await canStart(path)) return path;
  }
  return undefined;
}

/** The names of the project's ESLint's own rules; none if they can't be found. */
export async function eslintRules(root: string, folder: string): Promise<readonly string[]> {
  for (const each of upwards(folder)) {
    const place = join(root, each, 'node_modules/eslint/lib/rules');
    const files = await readdir(place).catch(() => []);
    if (files.length > 0) return files.map(name => name.replace(/\.js$/, ''));
  }
  return [];
}

export async function isOnPath(
  program: string,
  { PATH = '' }: Readonly<Record<string, string>>,
): Promise<boolean> {
  for (const folder of PATH.split(delimiter)) {
    if (await canStart(join(folder, program))) return true;
  }
  return false;
}

const canStart = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );

/** The folder, those above it, and the top. */
function* upwards(folder: string): Generator<string> {
  for (let at = folder; at !== ''; at = folderOf(at)) yield at;
  yield '';
}

function collect(child: ChildProcess): () => Omit<LintRun, 'end'> {
  const chunks = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  let bytes = 0;
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_OUTPUT_BYTES) chunks[stream].push(chunk);
      else killGroup(child);
    });
  }
  return () => ({
    stdout: Buffer.concat(chunks.stdout).toString('utf8'),
    stderr: Buffer.concat(chunks.stderr).toString('utf8'),
    isCut: bytes > MAX_OUTPUT_BYTES,
  });
}

function endOf(child: ChildProcess, { timeoutMs, signal }: RunRequest): Promise<RunEnd> {
  return new Promise(resolve => {
    let isLate = false;
    const stop = (): void => killGroup(child);
    const timer = setTimeout(() => {
      isLate = true;
      stop();
    }, timeoutMs);
    const finish = (end: RunEnd): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      // Children that are still running aren't needed any more.
      stop();
      resolve(isLate ? { kind: 'time-up', afterMs: timeoutMs } : end);
    };
    signal.addEventListener('abort', stop);
    child.on('error', () => finish({ kind: 'missing' }));
    const over = (code: number | null, by: NodeJS.Signals | null): void =>
      finish(code === null ? { kind: 'signal', signal: by ?? 'SIGKILL' } : { kind: 'exit', code });
    // `close` comes with the last output, but not while another process holds the stream open.
    child.on('exit', (code, by) => void setTimeout(over, LAST_OUTPUT_MS, code, by));
    child.on('close', over);
  });
}

export function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The whole group has ended already.
  }
}

/** What programs need to be found and to find their installation; no tokens. */
const ALLOWED = new Set(
  `PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TMPDIR TMP TEMP CI NODE_ENV ESLINT_USE_FLAT_CONFIG NODE_OPTIONS NVM_DIR VOLTA_HOME
  ASDF_DIR ASDF_DATA_DIR PYENV_ROOT VIRTUAL_ENV RBENV_ROOT GEM_HOME GEM_PATH BUNDLE_PATH
  BUNDLE_GEMFILE GOPATH GOROOT GOCACHE GOMODCACHE GOFLAGS CARGO_HOME RUSTUP_HOME RUSTUP_TOOLCHAIN
  JAVA_HOME DEVELOPER_DIR SDKROOT TOOLCHAINS XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME`.split(
    /\s+/,
  ),
);

/**
 * The environment of a linter or of a command in `verify.commands`. It runs the project's code, so it
 * gets no secrets. `bins` come first on the PATH.
 */
export function linterEnvironment(
  env: Environment,
  bins: readonly string[],
): Record<string, string> {
  const allowed: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && (ALLOWED.has(name) || name.startsWith('LC_'))) allowed[name] = value;
  }
  const hasLocale = LOCALES.some(name => allowed[name]);
  return {
    // Desktop clients set no locale, and without one some linters can't read non-ASCII names.
    ...(hasLocale ? {} : { LC_CTYPE: UTF8_LOCALE }),
    ...allowed,
    PATH: [...bins, allowed['PATH'] ?? ''].filter(part => part !== '').join(delimiter),
    // Reports are read by a program.
    NO_COLOR: '1',
    // Nobody can answer a prompt, and the user's configuration must not change git's output.
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_NOSYSTEM: '1',
  };
}

const LOCALES = ['LC_ALL', 'LC_CTYPE', 'LANG'];
const UTF8_LOCALE = platform() === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8';

/** Where scratch repositories are created; usually outside every repository. */
export const temporaryFolder = (): string => tmpdir();

/** Systems reject longer command lines; the lowest limit, apart from Windows, is 256 kB. */
const MAX_BYTES = 100_000;
const PLACE = '{files}';

/**
 * The command lines that run `argv` of a linter on files in its folder: several if one would be too
 * long, none if there is nothing to check. Paths are relative to the folder and can't be mistaken
 * for an option.
 */
export function lintCommand(
  spec: LinterSpec,
  argv: readonly string[],
  paths: readonly string[],
): string[][] {
  const inside = paths.flatMap(path => within(path, spec.folder) ?? []);
  if (inside.length === 0) return [];
  if (spec.scope === 'project') return [argv.filter(word => word !== PLACE)];
  const names =
    spec.scope === 'folders' ? new Set(inside.map(path => `./${folderOf(path)}`)) : inside;
  const words = Array.from(names, name => `${spec.pathPrefix ?? ''}${notAnOption(name)}`);
  // A character is at most three bytes, and the system keeps a pointer to each word.
  const portions = inPortions(words, word => word.length * 3 + 8, MAX_BYTES);
  return portions.map(portion => fill(argv, portion));
}

function within(path: string, folder: string): string | undefined {
  if (folder === '') return path;
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : undefined;
}

const notAnOption = (name: string): string => (name.startsWith('-') ? `./${name}` : name);

/** As few lists as possible, in order; what is larger than the limit is alone. */
export function inPortions(
  words: readonly string[],
  bytesOf: (word: string) => number,
  maxBytes: number,
): string[][] {
  const portions: string[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const word of words) {
    const bytes = bytesOf(word);
    if (size + bytes > maxBytes) {
      portions.push([]);
      size = 0;
    }
    portions.at(-1)?.push(word);
    size += bytes;
  }
  return portions;
}

function fill(argv: readonly string[], words: readonly string[]): string[] {
  const at = argv.indexOf(PLACE);
  if (at === -1) return [...argv, ...words];
  return [...argv.slice(0, at), ...words, ...argv.slice(at + 1)];
}

/** How a linter's process ended. */
type RunEnd =
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'signal'; readonly signal: string }
  /** `file`: the path it was busy with, if known. */
  | { readonly kind: 'time-up'; readonly afterMs: number; readonly file?: string }
  | { readonly kind: 'missing' };

export interface LintRun {
  readonly end: RunEnd;
  readonly stdout: string;
  readonly stderr: string;
  /** The output was longer than the limit. */
  readonly isCut: boolean;
  /** Known if each file's report depends on that file only. */
  readonly isPerFile?: boolean;
}

/** A finished process → its report, or one line about what went wrong. */
export function readRun(
  spec: LinterSpec,
  command: LintCommand,
  { run, context }: { run: LintRun; context: Omit<ReportContext, 'tool' | 'folder'> },
): ParsedReport {
  const failure = failureOf(spec, command, { run, root: context.root });
  if (failure !== undefined) return nothing(`${spec.title} ${failure}`);
  const report = readStreams(command, run, { ...context, tool: spec.name, folder: spec.folder });
  const silent = silentFailure(spec, run, report);
  return {
    ...report,
    problems: [...report.problems, ...(silent === undefined ? [] : [silent])].map(
      problem => `${spec.title}: ${problem}`,
    ),
    isWhole: report.isWhole && silent === undefined,
    isElsewhere: report.lost > 0 && report.diagnostics.length === 0 && !isClean(spec, run),
  };
}

const nothing = (problem: string): ParsedReport => ({
  diagnostics: [],
  problems: [problem],
  notLinted: [],
  unfinished: [],
  isWhole: false,
});

/** The project's own packages have linters in `node_modules`. */
export function notInstalled(program: string, root: string): string {
  const isPackage = program.startsWith('node_modules/');
  return `is not installed here (${program})${isPackage ? `; run ${installsPackages(root)}` : ''}`;
}

function failureOf(
  spec: LinterSpec,
  command: LintCommand,
  { run, root }: { readonly run: LintRun; readonly root: string },
): string | undefined {
  const { end } = run;
  if (end.kind === 'missing') return notInstalled(command.argv[0] ?? '', root);
  if (end.kind === 'time-up') return `did not finish within ${Math.round(end.afterMs / 1000)} s`;
  if (run.isCut) return 'printed more than the limit; its report is incomplete';
  const line = errorLine(`${run.stderr}\n${run.stdout}`);
  if (end.kind === 'signal') return `was stopped by ${end.signal}${line}`;
  const { exits } = spec;
  if (exits === undefined || exits.clean.includes(end.code)) return undefined;
  return exits.findings.includes(end.code) ? undefined : `ended with exit code ${end.code}${line}`;
}

/** The line that best explains a crash. */
function errorLine(text: string): string {
  const lines = wordsIn(text)
    .split('\n', 200)
    .filter(each => !/^\s*$|^Oops! |^ESLint: \d/.test(each));
  const line = lines.find(each => /\b\w{0,40}(?:error|panic)\w{0,20}\b/i.test(each.slice(0, 500)));
  const quoted = firstLine(line ?? lines.join('\n'));
  return quoted === '' ? '' : `: ${quoted}`;
}

/**
 * The first stream that has a report; without one, what is wrong with the first that isn't empty.
 */
function readStreams(command: LintCommand, run: LintRun, context: ReportContext): ReadReport {
  const texts = command.streams.map(stream => run[stream]).filter(text => text.trim() !== '');
  const reports = (texts.length === 0 ? [''] : texts).map(text =>
    parseReport(command.format, text, context),
  );
  const best = reports.find(report => report.isWhole) ?? reports[0];
  return best ?? { ...nothing('no stream to read'), isReport: false, lost: 0 };
}

/** The exit code says there are findings, but the report has none: it can't be trusted. */
function silentFailure(spec: LinterSpec, run: LintRun, report: ParsedReport): string | undefined {
  const { diagnostics, problems, notLinted } = report;
  const hasReported = [diagnostics, problems, notLinted].some(({ length }) => length > 0);
  if (run.end.kind !== 'exit' || hasReported) return undefined;
  if (isClean(spec, run)) return undefined;
  return `ended with exit code ${run.end.code}, but reports nothing${errorLine(run.stderr)}`;
}

const isClean = ({ exits }: LinterSpec, { end }: LintRun): boolean =>
  end.kind === 'exit' && (exits?.clean ?? [0]).includes(end.code);
