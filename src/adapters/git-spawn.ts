import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { BotError } from '../core/failure.js';
import { SAFE_ARGUMENTS } from './git-flags.js';

/** Output that is kept whole is never larger than this. */
const MOST_OUTPUT_BYTES = 256 * 1024 * 1024;
/** Enough of git's complaint to understand it. */
const MOST_ERROR_BYTES = 4096;

export interface GitSpot {
  readonly cwd: string;
  readonly env: Record<string, string>;
  /** For a bare repository: named, not discovered. */
  readonly gitDir: string | undefined;
  readonly signal: AbortSignal;
}

export interface GitResult {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Runs git to its end and keeps its output. A non-zero exit is a result, not an exception. */
export async function runGit(
  spot: GitSpot,
  args: readonly string[],
  input?: Uint8Array,
): Promise<GitResult> {
  const child = startGit(spot, args);
  const ending = endOf(child);
  child.stdin.end(input ?? '');
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_OUTPUT_BYTES) {
      child.kill('SIGKILL');
      throw new BotError('git', `git ${args[0]} printed more than ${MOST_OUTPUT_BYTES} bytes`);
    }
    chunks.push(chunk);
  }
  const { code, stderr } = await ending;
  return { code, stdout: Buffer.concat(chunks), stderr };
}

/** Git's output as it comes; fails at the end when git did. */
export async function* streamGit(
  spot: GitSpot,
  args: readonly string[],
  input?: AsyncIterable<string> | string,
): AsyncGenerator<Uint8Array> {
  const child = startGit(spot, args);
  const ending = endOf(child);
  const fed = feed(child.stdin, input ?? '');
  let isDone = false;
  try {
    yield* child.stdout as AsyncIterable<Buffer>;
    isDone = true;
  } finally {
    // The reader may leave early; git must not stay behind.
    if (!isDone) child.kill('SIGKILL');
  }
  await fed;
  const { code, stderr } = await ending;
  if (code !== 0) throw gitFailure(args, stderr);
}

export const gitFailure = (args: readonly string[], stderr: string): BotError =>
  new BotError('git', `git ${args[0]} failed: ${firstLine(stderr)}`);

export const firstLine = (text: string): string =>
  text
    .trim()
    .split('\n', 1)[0]
    ?.replace(/^(fatal|error): /, '') || 'no message';

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

function startGit(spot: GitSpot, args: readonly string[]): Child {
  spot.signal.throwIfAborted();
  const where = spot.gitDir === undefined ? [] : [`--git-dir=${spot.gitDir}`];
  return spawn('git', [...SAFE_ARGUMENTS, ...where, ...args], {
    cwd: spot.cwd,
    env: spot.env,
    stdio: ['pipe', 'pipe', 'pipe'],
    signal: spot.signal,
    killSignal: 'SIGKILL',
  });
}

function endOf(child: Child): Promise<{ code: number; stderr: string }> {
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (stderr.length < MOST_ERROR_BYTES) stderr += text;
  });
  // Git may leave before it has read all; its exit code says what that means.
  child.stdin.on('error', () => undefined);
  const ending = new Promise<{ code: number; stderr: string }>((resolve, reject) => {
    child.on('error', error => reject(startFailure(error)));
    child.on('close', (code, signal) =>
      resolve({ code: code ?? 1, stderr: signal === null ? stderr : `killed by ${signal}` }),
    );
  });
  // Whoever reads stdout first sees the abort; the same error here must not be "unhandled".
  ending.catch(() => undefined);
  return ending;
}

function startFailure(error: Error): Error {
  if (!('code' in error) || error.code !== 'ENOENT') return error;
  return new BotError('git', 'git was not found on the PATH', {
    hint: 'Install git, or the Xcode command line tools: xcode-select --install',
    cause: error,
  });
}

async function feed(stdin: Writable, input: AsyncIterable<string> | string): Promise<void> {
  if (typeof input === 'string') {
    stdin.end(input);
    return;
  }
  for await (const text of input) {
    if (stdin.destroyed) return;
    if (!stdin.write(text)) {
      await new Promise<void>(resolve => {
        stdin.once('drain', resolve).once('close', resolve);
      });
    }
  }
  stdin.end();
}
