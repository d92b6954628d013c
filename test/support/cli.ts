import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { Outcome } from '../../src/core/outcome.js';
import { gitEnv } from './with-repo.js';

export const CLI = resolve(process.env['APFEL_BOT_DIST'] ?? 'dist', 'cli.cjs');

/** Only what hangs runs that long, on however busy a machine. */
const MOST_RUN_MS = 120_000;

export interface CliRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
}

/** Runs the built program as a user would, with nothing of this machine's environment. */
export function apfelBot(args: readonly string[], options: CliOptions): Promise<CliRun> {
  return new Promise((done, reject) => {
    const child = spawn(process.execPath, [CLI, ...args], {
      cwd: options.cwd,
      env: { ...gitEnv(options.cwd), ...options.env },
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: MOST_RUN_MS,
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
