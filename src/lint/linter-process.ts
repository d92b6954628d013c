import { type ChildProcess, spawn } from 'node:child_process';
import { readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findProgram, killGroup, type LintRun, MAX_OUTPUT_BYTES, type RunRequest } from './run.js';

/** How a linter is kept loaded. */
export interface LinterServer {
  /** How the path of its program ends, as npm installs it. */
  readonly program: string;
  /**
   * Runs in the project's Node with the program's path as its argument, and answers each message with
   * what the program would print. It ends with the process that started it, and where only the program
   * itself can do what is asked.
   */
  readonly script: string;
  /** Exit codes after linting; anything else is left to its own program. */
  readonly codes: readonly number[];
}

/** Time ran out while it was linting this file. */
interface Late {
  readonly lateFile: string | undefined;
}

interface Answer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly isPerFile?: boolean;
  /** It must not be asked again. */
  readonly isLast?: boolean;
}

/** A linter of the project, loaded once for many runs. */
export class LinterProcess {
  readonly #server: LinterServer;
  #child: ChildProcess | undefined;
  #isOff = false;

  constructor(server: LinterServer) {
    this.#server = server;
  }

  /** Undefined when the linter's own program has to be run instead. */
  async run(request: RunRequest): Promise<LintRun | undefined> {
    if (this.#isOff) return undefined;
    const child = this.#child ?? (await start(this.#server, request));
    this.#child = child;
    const answer = child && (await ask(child, request));
    if (answer !== undefined && 'lateFile' in answer) {
      const { lateFile: file } = answer;
      // Without a file, it hung before linting any.
      if (file === undefined) this.close();
      else this.#end();
      request.signal.throwIfAborted();
      const end = { kind: 'time-up', afterMs: request.timeoutMs, ...(file && { file }) } as const;
      return { end, stdout: '', stderr: '', isCut: false };
    }
    const isUsable = answer !== undefined && this.#server.codes.includes(answer.code);
    if (!isUsable || answer.isLast) this.close();
    request.signal.throwIfAborted();
    if (!isUsable) return undefined;
    const { code, stdout, stderr, isPerFile = false } = answer;
    const isCut = stdout.length + stderr.length > MAX_OUTPUT_BYTES;
    return { end: { kind: 'exit', code }, stdout, stderr, isCut, isPerFile };
  }

  /** Ends it; after that, the linter's own program is run. */
  close(): void {
    this.#isOff = true;
    this.#end();
  }

  #end(): void {
    if (this.#child !== undefined) killGroup(this.#child);
    this.#child = undefined;
  }
}

/** Only for a linter as npm installs it: other programs of that name may behave differently. */
async function start(server: LinterServer, request: RunRequest): Promise<ChildProcess | undefined> {
  const path = await findProgram(request.argv[0] ?? '', request);
  const shim = await pnpmShim(path);
  const program = await realpath(shim.program ?? path ?? '').catch(() => undefined);
  if (!program?.endsWith(server.program)) return undefined;
  request.signal.throwIfAborted();
  return spawn('node', ['--eval', server.script, program], {
    cwd: join(request.root, request.folder),
    env: { ...request.env, ...shim.env },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    detached: true,
  });
}

/** pnpm installs a shell script that sets NODE_PATH and starts the program. */
async function pnpmShim(
  path = '',
): Promise<{ program?: string | undefined; env?: Record<string, string> }> {
  const text = await readFile(path, 'utf8').catch(() => '');
  if (!text.startsWith('#!/bin/sh')) return {};
  const [, program] = /"\$basedir\/([^"\n]+)" "\$@"/.exec(text) ?? [];
  const [, modules] = /NODE_PATH="([^"$\n]+)"/.exec(text) ?? [];
  return {
    program: program && join(dirname(path), program),
    ...(modules !== undefined && { env: { NODE_PATH: modules } }),
  };
}

/** Undefined when it ends without an answer. */
function ask(
  child: ChildProcess,
  { argv, timeoutMs, signal }: RunRequest,
): Promise<Answer | Late | undefined> {
  return new Promise(resolve => {
    let lateFile: string | undefined;
    const finish = (answer: Answer | Late | undefined): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      child.removeAllListeners();
      child.on('error', () => undefined);
      resolve(answer);
    };
    if (!child.connected) {
      resolve(undefined);
      return;
    }
    const stop = (): void => killGroup(child);
    const timer = setTimeout(() => finish({ lateFile }), timeoutMs);
    signal.addEventListener('abort', stop);
    child.on('error', () => finish(undefined));
    child.on('exit', () => finish(undefined));
    child.on('message', (message: Answer | { readonly file: string }) => {
      if ('file' in message) lateFile = message.file;
      else finish(message);
    });
    child.send({ args: argv.slice(1) }, failure => failure && finish(undefined));
  });
}
