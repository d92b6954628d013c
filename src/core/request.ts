/** What a comment may ask for. */
export const COMMENT_VERBS = ['help', 'review', 'fix-lint', 'ask', 'describe', 'ignore'] as const;
export type CommentVerb = (typeof COMMENT_VERBS)[number];

/** Those that are executed later, without the token; the others are answered at once. */
export const RUN_VERBS = ['review', 'fix-lint', 'ask', 'describe'] as const;
export type RunVerb = (typeof RUN_VERBS)[number];

export type Decision = 'run' | 'refuse' | 'ignore' | 'answered';

/** What `respond` made of a comment; the file that `run` reads. What is not known is null. */
export interface Request {
  readonly version: 1;
  readonly decision: Decision;
  readonly reason: string;
  readonly verb: CommentVerb | null;
  /** A question is one argument. */
  readonly args: readonly string[];
  readonly repository: string | null;
  readonly pull: number | null;
  readonly base: string | null;
  /** The work is bound to this commit. */
  readonly head: string | null;
  /** Where the head lives; null also when that repository is gone. */
  readonly headRepository: string | null;
  /** The comment that asked. */
  readonly comment: number | null;
}

/** A request with everything that is needed to execute it. */
export interface RunRequest extends Request {
  readonly decision: 'run';
  readonly verb: RunVerb;
  readonly repository: string;
  readonly pull: number;
  readonly base: string;
  readonly head: string;
}

export function isRunRequest(request: Request): request is RunRequest {
  const { decision, verb, repository, pull, base, head } = request;
  return (
    decision === 'run' &&
    RUN_VERBS.some(each => each === verb) &&
    [repository, pull, base, head].every(each => each !== null)
  );
}

/** A change from elsewhere; one whose repository was deleted is from elsewhere all the same. */
export const isFork = (head: string | null, repository: string): boolean =>
  head === null || head.toLowerCase() !== repository.toLowerCase();
