import { BotError, isBotError } from '../core/bot-error.js';
import { field } from '../core/json-fields.js';

/** What was tried, for the message of a failure. */
export interface Operation {
  /** `post the review`: follows "could not" and the like. */
  readonly what: string;
  /** The permission that a workflow's job needs for it. */
  readonly needs: string;
  /** Repeating it would create a second one, so it is never repeated blindly. */
  readonly isOnce?: boolean;
}

interface Answer {
  readonly status: number;
  readonly message: string;
  readonly headers: Readonly<Record<string, string | number | undefined>>;
  readonly hasAnswered: boolean;
}

/** Turns any error of the client into a failure that says what to do. */
export function githubFailure(thrown: unknown, operation: Operation): BotError {
  if (thrown instanceof Error && thrown.name === 'AbortError') {
    // The write may have been completed; the next run checks first.
    return new BotError('publish-failed', `the time was up before we could ${operation.what}`, {
      hint: 'Give it more with --deadline, and run it again: nothing is posted twice',
      cause: thrown,
    });
  }
  if (isBotError(thrown)) throw thrown;
  const answer = answerOf(thrown);
  if (answer === undefined) return unintelligible(thrown, operation);
  if (!answer.hasAnswered || answer.status >= 500) return unanswered(thrown, answer, operation);
  const cause = thrown;
  const described = describeAnswer(answer);
  if (isRateLimit(answer)) {
    return new BotError('publish-failed', `GitHub's rate limit does not let us ${operation.what}`, {
      hint: `${freeAgain(answer)}; run it again then, nothing is posted twice`,
      cause,
    });
  }
  switch (answer.status) {
    case 401:
      return new BotError('publish-failed', `GitHub rejected the token (${described})`, {
        hint: 'GITHUB_TOKEN has expired, was revoked or is for another server; set a valid one',
        cause,
      });
    case 403:
      return forbidden(answer, operation, cause);
    case 404:
    case 410:
      return githubError(
        'gone',
        `could not ${operation.what}: GitHub found nothing there (${described})`,
        {
          hint: `It was deleted, or the token may not see it: ${permissionHint(answer, operation)}`,
          cause,
        },
      );
    default:
      return githubError('refused', `GitHub refused to ${operation.what}: ${described}`, { cause });
  }
}

function unanswered(cause: unknown, answer: Answer, operation: Operation): BotError {
  const why = answer.hasAnswered
    ? `GitHub answered ${answer.status}`
    : `no answer from GitHub (${answer.message})`;
  const hint = 'Run it again later: nothing is posted twice';
  return uncertain(`could not ${operation.what}: ${why}`, operation, { hint, cause });
}

/** A proxy's page, or JSON without the fields that the API describes. */
function unintelligible(cause: unknown, operation: Operation): BotError {
  const why = cause instanceof Error ? cause.message : String(cause);
  const hint = 'Check GITHUB_API_URL and any proxy, then run it again: nothing is posted twice';
  const message = `could not ${operation.what}: the answer isn't one of GitHub's API (${why})`;
  return uncertain(message, operation, { hint, cause });
}

const uncertain = (
  message: string,
  { isOnce }: Operation,
  more: { readonly hint: string; readonly cause: unknown },
): BotError =>
  isOnce ? githubError('unknown', message, more) : new BotError('publish-failed', message, more);

function forbidden(answer: Answer, operation: Operation, cause: unknown): BotError {
  if (/\blocked\b/i.test(answer.message)) {
    return new BotError('not-permitted', `the conversation is locked (${describeAnswer(answer)})`, {
      hint: 'Unlock it, or publish with --note',
      cause,
    });
  }
  if (/archived/i.test(answer.message)) {
    return new BotError('not-permitted', `the repository is archived (${describeAnswer(answer)})`, {
      hint: 'Nothing can be posted there; publish with --note',
      cause,
    });
  }
  const message = `the token may not ${operation.what} (${describeAnswer(answer)})`;
  return new BotError('not-permitted', message, { hint: permissionHint(answer, operation), cause });
}

/** GitHub lists what it would have accepted: `pull_requests=write; issues=write`. */
function permissionHint(answer: Answer, { needs }: Operation): string {
  const accepted = String(answer.headers['x-accepted-github-permissions'] ?? '')
    .split(/[;,]\s*/)
    .map(each => each.trim().replaceAll('_', '-').replace('=', ': '))
    .filter(each => /^[a-z-]+: (?:read|write)$/.test(each));
  const wanted = accepted.length === 0 ? needs : [...new Set(accepted)].join(' or ');
  return (
    `the job needs permissions: ${wanted}; a workflow that a fork's pull request starts has a ` +
    'read-only token, so publish from one that workflow_run starts'
  );
}

const isRateLimit = ({ status, message, headers }: Answer): boolean =>
  status === 429 ||
  (status === 403 &&
    (headers['x-ratelimit-remaining'] === '0' ||
      headers['retry-after'] !== undefined ||
      /rate limit|abuse detection/i.test(message)));

function freeAgain({ headers }: Answer): string {
  const after = Number(headers['retry-after']);
  if (Number.isFinite(after)) return `It is lifted in ${after} s`;
  const reset = Number(headers['x-ratelimit-reset']);
  if (Number.isFinite(reset) && headers['x-ratelimit-remaining'] === '0') {
    return `It is lifted at ${new Date(reset * 1000).toISOString()}`;
  }
  return 'It is lifted in a minute or more';
}

/** An answer can be an HTML page; its start is enough. */
const MAX_MESSAGE = 200;

const describeAnswer = ({ status, message }: Answer): string => {
  const line = message.replace(/\s+/g, ' ').replace(/ - https:\/\/docs\.github\.com\/\S*$/, '');
  return `${status} ${line.length > MAX_MESSAGE ? `${line.slice(0, MAX_MESSAGE)}…` : line}`.trim();
};

export function answerOf(thrown: unknown): Answer | undefined {
  if (!(thrown instanceof Error) || !('status' in thrown)) return undefined;
  const status = Number(thrown.status);
  // Octokit's own error class, which is loaded late, so it can't be imported here.
  const { response } = thrown as { response?: { headers?: Answer['headers'] } };
  return {
    status,
    message: thrown.message,
    headers: response?.headers ?? {},
    hasAnswered: response !== undefined,
  };
}

/**
 * `unknown`: the answer to a write was lost, so it may have succeeded; check before repeating it.
 * `gone`: what was to be changed no longer exists. `refused`: GitHub rejects the content; sending
 * it again wouldn't help.
 */
type GithubTrouble = 'unknown' | 'gone' | 'refused';

export const githubError = (
  trouble: GithubTrouble,
  message: string,
  more: { readonly hint?: string; readonly cause: unknown },
): BotError =>
  new BotError('publish-failed', message, {
    ...(more.hint !== undefined && { hint: more.hint }),
    cause: { trouble, cause: more.cause },
  });

export function troubleOf(thrown: unknown): GithubTrouble | undefined {
  const trouble = isBotError(thrown) ? field(thrown.cause, 'trouble') : undefined;
  return trouble === 'unknown' || trouble === 'gone' || trouble === 'refused' ? trouble : undefined;
}
