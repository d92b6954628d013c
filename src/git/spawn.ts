import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { BotError } from '../core/bot-error.js';
import { SAFE_ARGUMENTS } from './flags.js';

/** The most output that is kept in memory. */
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;
/** Enough of git's error message to understand it. */
const MAX_ERROR_BYTES = 4096;

export interface GitContext {
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

/** Runs git to its end and returns its output. A non-zero exit is a result, not an exception. */
export async function runGit(
  context: GitContext,
  args: readonly string[],
  input?: Uint8Array,
): Promise<GitResult> {
  const child = startGit(context, args);
  const ending = endOf(child);
  child.stdin.end(input ?? '');
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_OUTPUT_BYTES) {
      child.kill('SIGKILL');
      throw new BotError('git', `git ${args[0]} printed more than ${MAX_OUTPUT_BYTES} bytes`);
    }
    chunks.push(chunk);
  }
  const { code, stderr } = await ending;
  return { code, stdout: Buffer.concat(chunks), stderr };
}

/** Git's output as it arrives, from a process that starts at once; fails at the end if git did. */
export function streamGit(
  context: GitContext,
  args: readonly string[],
  input = '',
  fine: readonly number[] = [0],
): AsyncIterable<Uint8Array> {
  const conversation = converseWithGit(context, args, fine);
  conversation.ask(input);
  conversation.end();
  return conversation.output;
}

interface GitProcess {
  ask(text: string): void;
  end(): void;
  /** While no caller waits for an answer, the process must not keep the program alive. */
  await(isAwaited: boolean): void;
  readonly output: AsyncIterable<Uint8Array>;
}

/** A process that answers any number of requests; it starts at once and ends with its input. */
export function converseWithGit(
  context: GitContext,
  args: readonly string[],
  fine: readonly number[] = [0],
): GitProcess {
  const child = startGit(context, args);
  return {
    ask: text => void child.stdin.write(text),
    end: () => void child.stdin.end(),
    await: isAwaited => {
      for (const handle of [child, child.stdin, child.stdout, child.stderr]) {
        if (isAwaited) handle.ref?.();
        else handle.unref?.();
      }
    },
    output: outputOf(child, endOf(child), (code, stderr) => {
      if (!fine.includes(code)) throw gitFailure(args, stderr);
    }),
  };
}

async function* outputOf(
  child: Child,
  ending: ReturnType<typeof endOf>,
  atEnd: (code: number, stderr: string) => void,
): AsyncGenerator<Uint8Array> {
  let isDone = false;
  try {
    yield* child.stdout as AsyncIterable<Buffer>;
    isDone = true;
  } finally {
    // The reader may stop early; git must not stay behind.
    if (!isDone) child.kill('SIGKILL');
  }
  const { code, stderr } = await ending;
  atEnd(code, stderr);
}

/** The first line of git's error as the message, all of it as the cause. */
export const gitFailure = (args: readonly string[], stderr: string): BotError =>
  new BotError('git', `git ${commandOf(args)} failed: ${firstLine(stderr)}`, {
    cause: new Error(stderr),
    ...toolsHint(stderr),
  });

/** On macOS `git` may be a stub that asks for Apple's tools, or their licence. */
export function toolsHint(stderr: string): { readonly hint?: string } {
  if (/licen[cs]e/i.test(stderr) && /xcode/i.test(stderr)) {
    return { hint: 'Run: sudo xcodebuild -license accept' };
  }
  return /^xcrun: |xcode-select/m.test(stderr) ? { hint: 'Run: xcode-select --install' } : {};
}

export const firstLine = (text: string): string =>
  text
    .split(/\r?\n|\r/)
    // simple-git makes push print the destination first.
    .find(line => line.trim() !== '' && !line.startsWith('Pushing to '))
    ?.trim()
    .replace(/^(fatal|error): /, '') || 'no message';

/** Pipes to a process are sockets, which can be unref'd. */
type Loose = { ref?(): void; unref?(): void };
type Child = ChildProcessByStdio<Writable & Loose, Readable & Loose, Readable & Loose>;

function startGit(context: GitContext, args: readonly string[]): Child {
  context.signal.throwIfAborted();
  const where = context.gitDir === undefined ? [] : [`--git-dir=${context.gitDir}`];
  const child = spawn('git', [...SAFE_ARGUMENTS, ...where, ...args], {
    cwd: context.cwd,
    env: context.env,
    stdio: ['pipe', 'pipe', 'pipe'],
    signal: context.signal,
    killSignal: 'SIGKILL',
  });
  // Contrary to its type, it has no pipes if there are no file descriptors left.
  const { stdin }: { stdin?: Writable | null } = child;
  if (stdin) return child;
  child.on('error', () => undefined);
  throw new BotError('git', 'git could not be started: too many files are open', {
    hint: 'Close some programs, or allow more: ulimit -n 1024',
  });
}

function endOf(child: Child): Promise<{ code: number; stderr: string }> {
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (stderr.length < MAX_ERROR_BYTES) stderr += text;
  });
  // Without a listener, Node discards what hasn't been read when git exits.
  child.stdout.on('readable', () => undefined);
  // Git may exit before it has read everything; its exit code shows whether that is a failure.
  child.stdin.on('error', () => undefined);
  const ending = new Promise<{ code: number; stderr: string }>((resolve, reject) => {
    child.on('error', error => reject(startFailure(error)));
    child.on('close', (code, signal) =>
      resolve({ code: code ?? 1, stderr: signal === null ? stderr : `killed by ${signal}` }),
    );
  });
  // The reader of stdout sees an abort first; the same error here must not be "unhandled".
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

/** Git's output, or a failure with git's whole error message as its cause. */
export async function askGit(
  context: GitContext,
  args: readonly string[],
  input?: Uint8Array,
): Promise<Buffer> {
  const { code, stdout, stderr } = await runGit(context, args, input);
  if (code === 0) return stdout;
  throw gitFailure(args, stderr);
}

/** The same as trimmed text, usually an object id. */
export const askGitWord = async (context: GitContext, args: readonly string[]): Promise<string> =>
  (await askGit(context, args)).toString('utf8').trim();

/** The name of the command, after git's own options. */
export const commandOf = (args: readonly string[]): string =>
  args.find((arg, at) => !arg.startsWith('-') && args[at - 1] !== '-c') ?? '';
