/** Every way a run can end, and its exit code (`docs/using.md`). */
export const EXIT = {
  done: 0,
  findings: 1,
  usage: 2,
  config: 2,
  git: 3,
  'model-required': 4,
  'publish-failed': 5,
  incomplete: 6,
  'not-permitted': 7,
  bug: 70,
  interrupted: 130,
  terminated: 143,
} as const;

export type Ending = keyof typeof EXIT;
type FailureCode = Exclude<Ending, 'done' | 'findings' | 'incomplete'>;

/**
 * A failure that the user can do something about: it names the thing and the value found, and the
 * hint gives the next step. The only error class; recognised by its brand, not by `instanceof`,
 * because the program ships in more than one bundle.
 */
export class BotError extends Error {
  readonly isBotError = true;
  readonly code: FailureCode;
  readonly hint: string | undefined;

  constructor(code: FailureCode, message: string, more: { hint?: string; cause?: unknown } = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = 'BotError';
    this.code = code;
    this.hint = more.hint;
  }
}

export const isBotError = (thrown: unknown): thrown is BotError =>
  thrown instanceof Error && 'isBotError' in thrown;
