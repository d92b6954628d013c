import { type ChildProcess, spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import type { LintRun, RunEnd } from '../../lint/read-run.js';

/** A report longer than this is no report; a linter gone wild must not fill the memory. */
const MOST_OUTPUT_BYTES = 64 * 1024 * 1024;
/** Time for what was printed to arrive after the program has left. */
const LAST_OUTPUT_MS = 500;

export interface RunRequest {
  /** Never a shell line. */
  readonly argv: readonly string[];
  /** The top of the scratch copy, and the folder below it in which to run. */
  readonly root: string;
  readonly folder: string;
  readonly env: Record<string, string>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** For its standard input; nothing otherwise. */
  readonly input?: string;
}

/** Runs one program of the project's to its end. Whatever happens to it is a result. */
export async function runLinter(request: RunRequest): Promise<LintRun> {
  const [program, ...args] = request.argv;
  const path = program === undefined ? undefined : await findProgram(program, request);
  if (path === undefined) return { end: { kind: 'missing' }, stdout: '', stderr: '', isCut: false };
  request.signal.throwIfAborted();
  // A group of its own: what it has started ends with it.
  const child = spawn(path, args, {
    cwd: join(request.root, request.folder),
    env: request.env,
    stdio: [request.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    detached: true,
  });
  // It may leave before it has read all; its report says what that means.
  child.stdin?.on('error', () => undefined).end(request.input);
  const output = collect(child);
  const end = await endOf(child, request);
  request.signal.throwIfAborted();
  return { end, ...output() };
}

/** A program of the project's own installation is looked for upwards, never above the copy. */
async function findProgram(program: string, request: RunRequest): Promise<string | undefined> {
  if (!program.startsWith('node_modules/.bin/')) return program;
  for (const folder of [...upwards(request.folder)]) {
    const path = join(request.root, folder, program);
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return undefined;
}

/** The folder, those above it, and the top. */
export function* upwards(folder: string): Generator<string> {
  for (let at = folder; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) yield at;
  yield '';
}

function collect(child: ChildProcess): () => Omit<LintRun, 'end'> {
  const kept = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  let bytes = 0;
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MOST_OUTPUT_BYTES) kept[stream].push(chunk);
      else killGroup(child);
    });
  }
  return () => ({
    stdout: Buffer.concat(kept.stdout).toString('utf8'),
    stderr: Buffer.concat(kept.stderr).toString('utf8'),
    isCut: bytes > MOST_OUTPUT_BYTES,
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
      // What it left running in its group has nothing more to say.
      stop();
      resolve(isLate ? { kind: 'time-up', afterMs: timeoutMs } : end);
    };
    signal.addEventListener('abort', stop);
    child.on('error', () => finish({ kind: 'missing' }));
    const over = (code: number | null, by: NodeJS.Signals | null): void =>
      finish(code === null ? { kind: 'signal', signal: by ?? 'SIGKILL' } : { kind: 'exit', code });
    // `close` comes with the last output, but not at all while somebody else holds it open.
    child.on('exit', (code, by) => void setTimeout(over, LAST_OUTPUT_MS, code, by));
    child.on('close', over);
  });
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody of that group is left, which is what was wanted.
  }
}
