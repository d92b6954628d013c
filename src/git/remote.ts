import { BotError } from '../core/bot-error.js';
import { SAFE_ARGUMENTS } from './flags.js';
import { firstLine, type GitContext } from './spawn.js';

/** simple-git refuses these by name; ours all switch something off. */
const SWITCHES = {
  allowUnsafeAskPass: true,
  allowUnsafeConfigPaths: true,
  allowUnsafeFsMonitor: true,
  allowUnsafeHooksPath: true,
  allowUnsafePager: true,
  allowUnsafeProtocolOverride: true,
  allowUnsafeSshCommand: true,
} as const;

/** Never needed here, and refused by simple-git. */
const UNWANTED = ['EDITOR', 'PAGER', 'VISUAL', 'PREFIX'];

/** Time for what git has printed to arrive after it has left. */
const LAST_OUTPUT_MS = 1000;

/** The second hand: remotes. It answers in text, and rejects whenever git did not end well. */
export interface SimpleGitHandle {
  run(args: readonly string[]): Promise<string>;
}

/** Loaded only when a remote is needed: a hook never pays for it. */
export async function openSimpleGit(context: GitContext): Promise<SimpleGitHandle> {
  const { simpleGit } = await import('simple-git');
  const env = Object.fromEntries(
    Object.entries(context.env).filter(([name]) => !UNWANTED.includes(name.toUpperCase())),
  );
  const where = context.gitDir === undefined ? [] : [`--git-dir=${context.gitDir}`];
  return {
    run: async args => {
      context.signal.throwIfAborted();
      let failure: BotError | undefined;
      const git = simpleGit({
        baseDir: context.cwd,
        abort: context.signal,
        allowEnvironment: [...Object.keys(env).filter(name => /^GIT_/i.test(name)), 'SSH_ASKPASS'],
        unsafe: SWITCHES,
        // The exit may come before the last output, but a shared ssh connection never closes it.
        completion: { onClose: true, onExit: LAST_OUTPUT_MS },
        // An empty answer closes git's standard input; without it git could wait there for ever.
        input: () => Buffer.alloc(0),
        // simple-git makes text of what it is given; the whole is kept here.
        errors: (_, result) => {
          failure = failureOf(args, result);
          return failure;
        },
      });
      try {
        const said = git.env(env).raw([...SAFE_ARGUMENTS, ...where, ...args]);
        return await Promise.race([said, untilAborted(context.signal)]);
      } catch (thrown) {
        context.signal.throwIfAborted();
        throw failure ?? new BotError('git', messageOf(thrown), { cause: thrown });
      }
    },
  };
}

/** simple-git waits for the output of a git that was stopped; whoever has no time left does not. */
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

interface Ending {
  /** Null when a signal ended it, whatever the types say. */
  readonly exitCode: number | null;
  readonly stdOut: readonly Buffer[];
  readonly stdErr: readonly Buffer[];
}

/** By default a failure that prints nothing, or a killed git, would pass for success. */
function failureOf(args: readonly string[], { exitCode, stdOut, stdErr }: Ending) {
  if (exitCode === 0) return undefined;
  const stderr = withoutPassword(Buffer.concat(stdErr).toString('utf8'));
  const command = args.find((word, at) => !word.startsWith('-') && args[at - 1] !== '-c');
  const reason = exitCode === null ? 'it was killed' : firstLine(stderr);
  return new BotError('git', `git ${command} failed: ${reason}`, {
    cause: new Error(`${stderr}\n${withoutPassword(Buffer.concat(stdOut).toString('utf8'))}`),
  });
}

const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? firstLine(thrown.message) : String(thrown);

/** An address may carry a token. */
export const withoutPassword = (text: string): string => text.replace(/\/\/[^/\s]*@/g, '//');

export interface RemoteRepository {
  readonly host: string;
  /** `owner/name` */
  readonly name: string;
}

/** What a remote's address says of a repository at a forge; undefined for a path or the like. */
export function remoteRepository(address: string): RemoteRepository | undefined {
  const text = address.trim();
  if (text.length > MOST_LENGTH) return undefined;
  const [, host, path] = WITH_SCHEME.exec(text) ?? LIKE_SCP.exec(text) ?? [];
  const [, name] = /^\/*([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(path ?? '') ?? [];
  if (host === undefined || name === undefined || name.split('/').some(isDots)) return undefined;
  return { host: host.toLowerCase(), name };
}

/** Longer ones are nobody's; the patterns below need no more than a look at each character. */
const MOST_LENGTH = 500;
const WITH_SCHEME = /^(?:https?|ssh|git):\/\/(?:[^@/]*@)?([\w.-]+)(?::\d{1,5})?\/(.*)$/;
const LIKE_SCP = /^(?:[\w.-]+@)?([\w.-]+):(?!\/\/)(.*)$/;

const isDots = (part: string): boolean => /^\.+$/.test(part);
