import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { devNull, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { BotError } from '../core/bot-error.js';
import type { Environment } from '../platform/processes.js';
import type { Row } from '../platform/progress.js';
import { isAtLeast } from '../platform/run-program.js';
import { packageFolder } from '../platform/terminal.js';
import { type Paint, paint } from '../report/style.js';
import type { DemoSetup } from './text.js';

/** Runs the steps' commands in the sample repository, and prints as they go. */
export interface DemoRunner {
  readonly setup: DemoSetup;
  readonly folder: DemoFolder;
  readonly colors: Paint;
  readonly columns: number;
  /** Adds to what `flush` prints. */
  print(text: string): void;
  printLines(lines: readonly string[]): void;
  /** Prints everything since the last time; progress rows must be gone by then. */
  flush(): void;
  /** Lists the commands of the current step while it runs. */
  row: Row | undefined;
  /** Runs a command; prints it with its output. */
  run(command: string, argv?: readonly string[]): Promise<CommandResult>;
  /** Runs git without printing anything; it must succeed. */
  git(...args: string[]): Promise<string>;
  /** Kills the running command and everything that it started. */
  stop(): void;
}

interface CommandResult {
  readonly code: number | null;
  /** Both streams, in the order they came. */
  readonly shown: string;
  readonly stdout: string;
}

interface RunnerOptions {
  readonly setup: DemoSetup;
  readonly folder: DemoFolder;
  readonly env: Environment;
  /** Undefined: the model is found as usual. */
  readonly baseUrl: string | undefined;
  readonly color: boolean;
  readonly columns: number;
  readonly signal: AbortSignal;
}

/** As npx starts it, so that its hints begin with npx. */
const PROGRAM = join('node_modules', 'apfel-bot', 'dist', 'cli.cjs');

/** Uses nothing of the user's git configuration. */
export function openRunner(options: RunnerOptions): DemoRunner {
  const { setup, folder, columns, signal } = options;
  const colors = paint(options.color);
  let unprinted = '';
  const env = shellEnvironment(options);
  let running: ChildProcess | undefined;
  const execute = async ([name = '', ...args]: readonly string[]): Promise<CommandResult> => {
    signal.throwIfAborted();
    const own = name === 'apfel-bot' ? [PROGRAM] : [];
    const program = name === 'git' ? 'git' : process.execPath;
    // In its own process group, so that everything it starts ends with it.
    running = spawn(program, [...own, ...args], {
      cwd: folder.project,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    try {
      return await ended(running, name, signal);
    } finally {
      running = undefined;
    }
  };
  const print = (text: string): void => {
    unprinted += text;
  };
  const runner: DemoRunner = {
    row: undefined,
    setup,
    folder,
    colors,
    columns,
    print,
    printLines: lines => print(`${lines.join('\n')}\n`),
    flush: () => {
      process.stdout.write(unprinted);
      unprinted = '';
    },
    run: async (command, argv = command.replace(/^npx /, '').split(' ')) => {
      runner.row?.part(`$ ${command}`);
      print(`\n${colors.bold(`$ ${command}`)}\n`);
      const result = await execute(argv);
      print(result.shown);
      return result;
    },
    git: async (...args) => {
      const result = await execute(['git', ...args]);
      if (result.code === 0) return result.stdout.trimEnd();
      const why = `git ${args[0]} ends with exit code ${result.code}: ${result.shown.trim()}`;
      throw new BotError('git', why);
    },
    stop: () => killGroup(running),
  };
  return runner;
}

/** The demo prints a claim only if it is true. */
export function mustHold(isTrue: boolean, claim: string): void {
  if (!isTrue) throw new BotError('bug', `the demo expected that ${claim}, but that isn't so`);
}

function ended(child: ChildProcess, name: string, signal: AbortSignal): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const shown: Buffer[] = [];
    const stdout: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => {
      shown.push(chunk);
      stdout.push(chunk);
    });
    child.stderr?.on('data', (chunk: Buffer) => shown.push(chunk));
    child.on('error', cause => {
      const hint = 'The demo needs git on the PATH';
      reject(new BotError('git', `${name} can't be started: ${cause.message}`, { hint, cause }));
    });
    child.on('close', code => {
      if (signal.aborted) reject(signal.reason);
      else resolve({ code, shown: textOf(shown), stdout: textOf(stdout) });
    });
  });
}

const textOf = (chunks: readonly Buffer[]): string => Buffer.concat(chunks).toString('utf8');

function killGroup(child: ChildProcess | undefined): void {
  const pid = child?.pid;
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group has already ended.
  }
}

/** Variables that would redirect a run: git's, CI's, and our own. */
const DROPPED = /^(?:GIT_|GITHUB_|CI$|APFEL_BOT$|NO_COLOR$|FORCE_COLOR$)/;

function shellEnvironment({ folder, env, baseUrl, color }: RunnerOptions): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    const isReplaced = baseUrl !== undefined && name.startsWith('APFEL_BOT_');
    if (value !== undefined && !DROPPED.test(name) && !isReplaced) kept[name] = value;
  }
  return {
    ...kept,
    ...(baseUrl !== undefined && { APFEL_BOT_BASE_URL: baseUrl }),
    // The hooks look for a node; the one running this works.
    PATH: [dirname(process.execPath), kept['PATH'] ?? ''].join(delimiter),
    // So that temporary files are removed with the folder.
    TMPDIR: folder.temporary,
    ...(color ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }),
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CEILING_DIRECTORIES: folder.path,
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'color.ui',
    GIT_CONFIG_VALUE_0: color ? 'always' : 'never',
  };
}

export type DemoFolder = ReturnType<typeof makeDemoFolder>;

/** A folder in the system's temporary folder; nothing else on the machine is changed. */
export function makeDemoFolder() {
  const path = makeFolder();
  const project = join(path, 'shop');
  const temporary = join(path, 'tmp');
  const write = async (name: string, text: string): Promise<void> => {
    const file = join(project, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  };
  const copy = async (set: string, isWanted = (_name: string): boolean => true): Promise<void> => {
    for (const [name, text] of await filesOf(set)) if (isWanted(name)) await write(name, text);
  };
  return {
    path,
    /** The sample repository. */
    project,
    temporary,
    write,
    /** Copies one of the folders of `demo/` into the project. */
    copy: (set: 'change' | 'fix' | 'colleague') => copy(set),
    /** Writes the sample project, with apfel-bot and ESLint (if found) linked as if installed. */
    fill: async (eslint: FoundEslint | undefined) => {
      await mkdir(temporary);
      await copy('project', name => eslint !== undefined || name !== 'eslint.config.mjs');
      const toy = await readFile(packageFolder('demo/toy-lint.mjs'), 'utf8');
      if (eslint === undefined) await write('tools/toy-lint.mjs', toy);
      await link(join(project, 'node_modules'), [
        ['apfel-bot', packageFolder('.')],
        ...(eslint === undefined ? [] : [['eslint', eslint.folder] as const]),
      ]);
    },
    /** False if something couldn't be removed. Synchronous, because it runs on a signal. */
    remove: () => remove(path),
  };
}

function makeFolder(): string {
  const base = tmpdir();
  try {
    // On macOS the temporary folder is behind a link, and git prints the real path.
    return realpathSync(mkdtempSync(join(base, 'apfel-bot-demo-')));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new BotError('usage', `can't create a folder in ${base}: ${why}`, {
      hint: 'Choose a writable folder: TMPDIR=… apfel-bot demo',
      cause,
    });
  }
}

/** Without the `.txt`, which keeps linters away from deliberate mistakes. */
async function filesOf(set: string): Promise<Array<[name: string, text: string]>> {
  const from = packageFolder(join('demo', set));
  const names = await readdir(from, { recursive: true });
  const files: Array<[string, string]> = [];
  for (const name of names.filter(each => each.endsWith('.txt'))) {
    files.push([name.slice(0, -'.txt'.length), await readFile(join(from, name), 'utf8')]);
  }
  return files;
}

/** Links as npm makes them. */
async function link(
  modules: string,
  packages: ReadonlyArray<readonly [name: string, folder: string]>,
): Promise<void> {
  await mkdir(join(modules, '.bin'), { recursive: true });
  for (const [name, folder] of packages) {
    await symlink(folder, join(modules, name));
    await symlink(`../${name}/${BINS[name]}`, join(modules, '.bin', name));
  }
}

const BINS: Readonly<Record<string, string>> = {
  'apfel-bot': 'dist/cli.cjs',
  eslint: 'bin/eslint.js',
};

function remove(path: string): boolean {
  try {
    // A process that is about to end may still be writing there.
    rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    return true;
  } catch {
    // The caller prints where it is.
    return false;
  }
}

interface FoundEslint {
  readonly folder: string;
  readonly version: string;
}

/** The first with a suggestion for `==`, which the demo shows. */
const OLDEST_ESLINT = '9.26.0';

/** The ESLint of the current folder; undefined if there is none, or an old one. */
export async function findEslint(cwd: string): Promise<FoundEslint | undefined> {
  try {
    const manifest = createRequire(join(cwd, 'any.js')).resolve('eslint/package.json');
    const { version }: { version?: unknown } = JSON.parse(await readFile(manifest, 'utf8'));
    if (typeof version !== 'string' || !isAtLeast(version, OLDEST_ESLINT)) return undefined;
    return { folder: dirname(manifest), version };
  } catch {
    // Missing or broken: the toy linter is used instead.
    return undefined;
  }
}
