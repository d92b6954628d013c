import { type ChildProcess, spawn } from 'node:child_process';
import { devNull } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { BotError } from '../core/bot-error.js';
import type { Environment } from '../platform/processes.js';
import { packageFolder } from '../platform/terminal.js';
import type { DemoFolder } from './project.js';

export interface Ran {
  readonly code: number | null;
  /** Both streams, in the order they came. */
  readonly shown: string;
  readonly stdout: string;
}

export interface Shell {
  /** `git …`, `node …` or `apfel-bot …`, in the sample repository. */
  run(argv: readonly string[]): Promise<Ran>;
  /** Ends what runs, and all that it has started, at once. */
  stop(): void;
}

export interface ShellOptions {
  readonly folder: DemoFolder;
  readonly env: Environment;
  /** Undefined: the model is found as the other commands find it. */
  readonly baseUrl: string | undefined;
  readonly color: boolean;
  readonly signal: AbortSignal;
}

/** Runs programs in the sample repository, with nothing of the user's git configuration. */
export function openShell(options: ShellOptions): Shell {
  const env = shellEnvironment(options);
  let running: ChildProcess | undefined;
  return {
    stop: () => killGroup(running),
    run: async ([name = '', ...args]) => {
      options.signal.throwIfAborted();
      const own = name === 'apfel-bot' ? [packageFolder(join('dist', 'cli.cjs'))] : [];
      const program = name === 'git' ? 'git' : process.execPath;
      // A group of its own: what it has started ends with it.
      running = spawn(program, [...own, ...args], {
        cwd: options.folder.project,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      });
      try {
        return await ended(running, name, options.signal);
      } finally {
        running = undefined;
      }
    },
  };
}

function ended(child: ChildProcess, name: string, signal: AbortSignal): Promise<Ran> {
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
      reject(new BotError('git', `${name} cannot be started: ${cause.message}`, { hint, cause }));
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
    // Nobody of that group is left, which is what was wanted.
  }
}

/** What would send a run elsewhere: git's variables, the ones of CI, and our own. */
const NOT_OURS = /^(?:GIT_|GITHUB_|CI$|APFEL_BOT$|NO_COLOR$|FORCE_COLOR$)/;

function shellEnvironment({ folder, env, baseUrl, color }: ShellOptions): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    const isSettled = baseUrl !== undefined && name.startsWith('APFEL_BOT_');
    if (value !== undefined && !NOT_OURS.test(name) && !isSettled) kept[name] = value;
  }
  return {
    ...kept,
    ...(baseUrl !== undefined && { APFEL_BOT_BASE_URL: baseUrl }),
    // The hooks look for a node; the one that runs this is known to be good.
    PATH: [dirname(process.execPath), kept['PATH'] ?? ''].join(delimiter),
    // Scratch copies go with the folder, whatever happens.
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
