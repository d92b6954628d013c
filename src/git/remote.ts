import type { SimpleGit } from 'simple-git';
import { BotError } from '../core/bot-error.js';
import { SAFE_CONFIG, SAFE_VARIABLES } from './flags.js';
import { commandOf, firstLine, type GitContext, type GitResult } from './spawn.js';

/** simple-git refuses these settings and variables by name; all of ours turn something off. */
const SWITCHES = {
  allowUnsafeAskPass: true,
  allowUnsafeConfigEnvCount: true,
  allowUnsafeConfigPaths: true,
  allowUnsafeCredentialHelper: true,
  allowUnsafeFsMonitor: true,
  allowUnsafeHooksPath: true,
  allowUnsafePager: true,
  allowUnsafeProtocolOverride: true,
  allowUnsafeSshCommand: true,
  allowUnsafeTemplateDir: true,
} as const;

/** Never needed here, and refused by simple-git. */
const UNWANTED = ['EDITOR', 'PAGER', 'VISUAL', 'PREFIX'];

/** Time for git's last output to arrive after it has exited. */
const LAST_OUTPUT_MS = 1000;

interface SimpleGitOptions {
  /** More settings, as `key=value`. */
  readonly settings?: readonly string[];
  /** Git's standard input; empty unless given. */
  readonly input?: Uint8Array;
}

/**
 * Runs one command through simple-git: everything that updates a ref, writes a bundle or reaches a
 * remote. Rejects with git's error message if git fails.
 */
export async function withSimpleGit<Value>(
  context: GitContext,
  work: (git: SimpleGit) => PromiseLike<Value>,
  options: SimpleGitOptions = {},
): Promise<Value> {
  const result = await attempt(context, work, options);
  if ('value' in result) return result.value;
  const { command, code, stdout, stderr } = result;
  const reason = code === null ? 'it was killed' : firstLine(stderr);
  throw new BotError('git', `git ${command} failed: ${reason}`, {
    cause: new Error(`${stderr}\n${withoutPassword(stdout.toString('utf8'))}`),
  });
}

/** Replaces `runGit` for writing: a non-zero exit is a result. */
export async function runSimpleGit(
  context: GitContext,
  args: readonly string[],
  input?: Uint8Array,
): Promise<GitResult> {
  const work = (git: SimpleGit) => git.raw([...args]);
  const result = await attempt(context, work, input === undefined ? {} : { input });
  if ('value' in result) return { code: 0, stdout: Buffer.from(result.value), stderr: '' };
  const { code, stdout, stderr } = result;
  return { code: code ?? 1, stdout, stderr: code === null ? 'it was killed' : stderr };
}

interface Failed {
  readonly command: string;
  /** Null if a signal ended it. */
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

async function attempt<Value>(
  context: GitContext,
  work: (git: SimpleGit) => PromiseLike<Value>,
  { settings = [], input = Buffer.alloc(0) }: SimpleGitOptions,
): Promise<{ readonly value: Value } | Failed> {
  context.signal.throwIfAborted();
  // Loaded late: a hook never needs it.
  const { simpleGit } = await import('simple-git');
  const env = environmentOf(context);
  let command = '';
  let failed: Failed | undefined;
  const git = simpleGit({
    baseDir: context.cwd,
    config: [...SAFE_CONFIG.map(setting => setting.join('=')), ...settings],
    abort: context.signal,
    allowEnvironment: [...Object.keys(env).filter(name => /^GIT_/i.test(name)), 'SSH_ASKPASS'],
    unsafe: SWITCHES,
    // The exit may come before the last output, but a shared ssh connection never closes the
    // stream.
    completion: { onClose: true, onExit: LAST_OUTPUT_MS },
    input: commands => {
      command = commandOf(commands);
      // An empty string would leave git's standard input open, and git waiting for it.
      return Buffer.from(input);
    },
    // By default a failure without output, or a killed git, would count as success.
    errors: (error, { exitCode, stdOut, stdErr }) => {
      if (exitCode === 0) return error;
      failed = {
        command,
        code: exitCode,
        stdout: Buffer.concat(stdOut),
        stderr: withoutPassword(Buffer.concat(stdErr).toString('utf8')),
      };
      return new Error(failed.stderr);
    },
  });
  // simple-git waits 50 ms for the output of a silent command; an empty chunk ends the wait.
  git.outputHandler((_, stdout) => void stdout.emit('data', Buffer.alloc(0)));
  const over = new AbortController();
  try {
    return {
      value: await Promise.race([work(git.env(env)), aborted(context.signal, over.signal)]),
    };
  } catch (thrown) {
    context.signal.throwIfAborted();
    if (failed !== undefined) return failed;
    throw new BotError('git', thrown instanceof Error ? firstLine(thrown.message) : `${thrown}`, {
      cause: thrown,
    });
  } finally {
    over.abort();
  }
}

/** What `runGit` passes as arguments; simple-git's own methods don't accept those. */
function environmentOf({ env, gitDir }: GitContext): Record<string, string> {
  const wanted = Object.entries(env).filter(([name]) => !UNWANTED.includes(name.toUpperCase()));
  const where = gitDir === undefined ? {} : { GIT_DIR: gitDir };
  return { ...Object.fromEntries(wanted), ...SAFE_VARIABLES, ...where };
}

/** simple-git waits for the output of a git that was stopped; we don't. */
const aborted = (signal: AbortSignal, over: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: over });
  });

/** A URL may contain a token, before the host or in its query. */
export const withoutPassword = (text: string): string =>
  text.replace(/\/\/[^/\s]*@/g, '//').replace(/(:\/\/[^\s?#'"]{0,2000})[?#][^\s'"]*/g, '$1?***');

interface RemoteRepository {
  readonly host: string;
  /** `owner/name` */
  readonly name: string;
}

/** The repository on a forge that a URL names; undefined for a path and the like. */
export function remoteRepository(address: string): RemoteRepository | undefined {
  const text = address.trim();
  if (text.length > MAX_LENGTH) return undefined;
  const [, host, path] = WITH_SCHEME.exec(text) ?? LIKE_SCP.exec(text) ?? [];
  const [, name] = /^\/*([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(path ?? '') ?? [];
  if (host === undefined || name === undefined || name.split('/').some(isDots)) return undefined;
  return { host: host.toLowerCase(), name };
}

/** No real URL is longer. */
const MAX_LENGTH = 500;
const WITH_SCHEME = /^(?:https?|ssh|git):\/\/(?:[^@/]*@)?([\w.-]+)(?::\d{1,5})?\/(.*)$/;
const LIKE_SCP = /^(?:[\w.-]+@)?([\w.-]+):(?!\/\/)(.*)$/;

const isDots = (part: string): boolean => /^\.+$/.test(part);
