import { BotError } from '../../core/failure.js';
import { firstLine, type GitSpot, runGit } from '../git/git-spawn.js';

/** Git's output, or a failure that keeps all of git's complaint as its cause. */
export async function askGit(
  spot: GitSpot,
  args: readonly string[],
  input?: Uint8Array,
): Promise<Buffer> {
  const { code, stdout, stderr } = await runGit(spot, args, input);
  if (code === 0) return stdout;
  throw new BotError('git', `git ${commandOf(args)} failed: ${firstLine(stderr)}`, {
    cause: new Error(stderr),
  });
}

/** The same as one word: an object id, as a rule. */
export const askGitWord = async (spot: GitSpot, args: readonly string[]): Promise<string> =>
  (await askGit(spot, args)).toString('utf8').trim();

const commandOf = (args: readonly string[]): string =>
  args.find((word, at) => !word.startsWith('-') && args[at - 1] !== '-c') ?? '';

/** Everything git said in a failure of `askGit`; the message alone of any other error. */
export function complaintOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  return thrown.cause instanceof Error
    ? `${thrown.message}\n${thrown.cause.message}`
    : thrown.message;
}
