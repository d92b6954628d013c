import { BotError, isBotError } from '../../core/failure.js';
import { complaintOf } from '../commit/git-commit-ask.js';

const MAKE_ROOM = 'Make room on that disk, then run it again';
const CHECK_RIGHTS = 'Check who may write there, and how the disk is mounted';

/** What the system says, in git's words or Node's, and what to do about it. */
const CAUSES: ReadonlyArray<readonly [sign: RegExp, reason: string, hint: string]> = [
  [/No space left on device|^ENOSPC: /m, 'the disk is full', MAKE_ROOM],
  [/Disk quota exceeded|^EDQUOT: /m, 'the disk quota is used up', MAKE_ROOM],
  [/File too large|SIGXFSZ|^EFBIG: /m, 'a file is larger than allowed here', 'See: ulimit -f'],
  [/Read-only file system|^EROFS: /m, 'the disk is read-only', CHECK_RIGHTS],
  [/Permission denied|insufficient permission|^(EACCES|EPERM): /m, 'not permitted', CHECK_RIGHTS],
];

/** One failure that says what could not be done, where and why; an abort stays an abort. */
export function writeFailure(what: string, thrown: unknown): unknown {
  if (!(thrown instanceof Error) || thrown.name === 'AbortError') return thrown;
  const cause = causeIn(complaintOf(thrown));
  if (cause === undefined && isBotError(thrown)) return thrown;
  const more = { cause: thrown, ...(cause === undefined ? {} : { hint: cause.hint }) };
  return new BotError('git', `${what}: ${cause?.reason ?? thrown.message}`, more);
}

export function causeIn(text: string): { reason: string; hint: string } | undefined {
  const found = CAUSES.find(([sign]) => sign.test(text));
  return found === undefined ? undefined : { reason: found[1], hint: found[2] };
}
