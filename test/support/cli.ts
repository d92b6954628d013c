import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { runCommandLine } from '../../src/cli/run-command-line.js';
import { DONE, TIME_UP } from '../../src/core/deadline.js';
import type { Outcome } from '../../src/core/outcome.js';
import { forTerminalLines } from '../../src/platform/safe-text.js';
import { packageVersion, screenColumns, wantsColor } from '../../src/platform/terminal.js';
import type { Session } from '../../src/session.js';
import { gitEnv } from './with-repo.js';

export const CLI = resolve(process.env['APFEL_BOT_DIST'] ?? 'dist', 'cli.cjs');

/** Only what hangs runs that long, on however busy a machine. */
const MAX_RUN_MS = 120_000;

export interface CliRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
  /** The deadline has passed once this is true, instead of by the clock. Not for a process. */
  readonly isTimeUp?: () => boolean;
}

/** Node itself reads them, when it starts or through `os.tmpdir()`. */
const OF_NODE = /^(?:NODE_\w+|TMPDIR)$/;

/**
 * Runs a command line in this process, which takes a tenth of the time of one that has to be
 * started. For what the process itself does (signals, streams, a start) there is `apfelBotProcess`.
 */
export async function apfelBot(args: readonly string[], options: CliOptions): Promise<CliRun> {
  const base = gitEnv(options.cwd);
  const env = { ...base, ...options.env };
  const isForNode = ([name, value]: [string, string]): boolean =>
    OF_NODE.test(name) && value !== (base[name] ?? process.env[name]);
  if (Object.entries(env).some(isForNode)) return apfelBotProcess(args, options);
  const abort = new AbortController();
  const { isTimeUp } = options;
  const watch = setInterval(() => isTimeUp?.() && abort.abort(TIME_UP), 5);
  const stdout: string[] = [];
  const stderr: string[] = [];
  const session: Session = {
    cwd: options.cwd,
    env,
    stdin: Readable.from([Buffer.from(options.input ?? '')]),
    version: packageVersion(),
    color: wantsColor(env, {}),
    columns: screenColumns({}),
    isWatched: false,
    signal: abort.signal,
    endAfter: ms => {
      if (isTimeUp === undefined) setTimeout(() => abort.abort(TIME_UP), ms).unref();
    },
    printError: text => stderr.push(`${forTerminalLines(text)}\n`),
  };
  enter(options.cwd);
  try {
    const code = await runCommandLine(args, session, text => stdout.push(text));
    return { code, stdout: stdout.join(''), stderr: stderr.join('') };
  } finally {
    clearInterval(watch);
    abort.abort(DONE);
    leave();
  }
}

const home = process.cwd();
let runs = 0;

/** File names on the command line are relative to the folder of the process. */
function enter(cwd: string): void {
  if (runs > 0 && process.cwd() !== cwd) {
    throw new Error(`a run in ${process.cwd()} is not over; use apfelBotProcess`);
  }
  runs += 1;
  process.chdir(cwd);
  // Where the package's own folders and the program for the background are looked for.
  process.argv[1] = CLI;
}

function leave(): void {
  runs -= 1;
  if (runs === 0) process.chdir(home);
}

/** Runs the built program as a user would, with nothing of this machine's environment. */
export function apfelBotProcess(args: readonly string[], options: CliOptions): Promise<CliRun> {
  return new Promise((done, reject) => {
    const child = spawn(process.execPath, [CLI, ...args], {
      cwd: options.cwd,
      env: { ...gitEnv(options.cwd), ...options.env },
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: MAX_RUN_MS,
      killSignal: 'SIGKILL',
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', text => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', text => (stderr += text));
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input ?? '');
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (signal !== 'SIGKILL') return done({ code, stdout, stderr });
      reject(new Error(`apfel-bot ${args.join(' ')} did not end by itself: ${stderr}`));
    });
  });
}

/** `review --format json`, parsed; fails with what was said when there is no outcome. */
export async function reviewJson(
  args: readonly string[],
  options: CliOptions,
): Promise<{ code: number | null; outcome: Outcome; stderr: string }> {
  const { code, stdout, stderr } = await apfelBot(['review', '--format', 'json', ...args], options);
  if (stdout === '') throw new Error(`exit ${code} without an outcome: ${stderr}`);
  return { code, outcome: JSON.parse(stdout), stderr };
}
