import { setTimeout as sleep } from 'node:timers/promises';
import type { Octokit as OctokitType } from '@octokit/rest';
import { answerOf, githubFailure, type Operation } from './failure.js';
import type { GithubTarget } from './target.js';

export interface ClientOptions {
  readonly signal: AbortSignal;
  /** No wait ends later than this. */
  readonly deadlineAt: number;
  readonly version: string;
  /** Milliseconds from one write to the next; GitHub asks for a second. */
  readonly paceMs?: number;
  /** Milliseconds before a read is first repeated; the next waits are 4 and 9 times as long. */
  readonly retryMs?: number;
  /** The length of a rate limit's second; tests shorten it. */
  readonly secondMs?: number;
}

/** GitHub's advice for clients that write: a second between requests. */
const PACE_MS = 1000;
const RETRY_MS = 400;
const RETRIES = 3;
/** A secondary limit is lifted soon; after this many in one run, give up. */
const MAX_WAITS = 2;

/** Octokit with its plugins for rate limits and retries, limited to the time of the run. */
export async function openClient(
  place: GithubTarget,
  options: ClientOptions,
): Promise<OctokitType> {
  const [{ Octokit }, { throttling }, { retry }] = await Promise.all([
    import('@octokit/rest'),
    import('@octokit/plugin-throttling'),
    import('@octokit/plugin-retry'),
  ]);
  const { signal, deadlineAt, paceMs = PACE_MS, retryMs = RETRY_MS, secondMs = 1000 } = options;
  const fits = (waitMs: number): boolean => Date.now() + waitMs < deadlineAt;
  const wantsToWait = (seconds: number, _: unknown, __: unknown, times: number): boolean =>
    times < MAX_WAITS && fits(seconds * secondMs);
  const keepToTime = ({ hook }: Pick<OctokitType, 'hook'>): object => {
    hook.error('request', (error, { request }) => {
      // The longest wait between two tries.
      if (!fits(RETRIES ** 2 * retryMs)) request['retries'] = 0;
      throw error;
    });
    return {};
  };
  const pace = openWriteQueue(paceMs, signal);
  const Client = Octokit.plugin(throttling, keepToTime, retry);
  return new Client({
    auth: place.token,
    baseUrl: place.apiUrl,
    userAgent: `apfel-bot/${options.version}`,
    log: { debug: nothing, info: nothing, warn: nothing, error: nothing },
    request: { fetch: openGithubFetch(place.apiUrl, signal) },
    retry: { retries: RETRIES, retryAfterBaseValue: retryMs },
    throttle: {
      ...paced(pace),
      retryAfterBaseValue: secondMs,
      onRateLimit: wantsToWait,
      onSecondaryRateLimit: wantsToWait,
    },
  });
}

/** The plugin expects queues of its own package, but only uses what `Pace` has. */
const paced = (pace: ReturnType<typeof openWriteQueue>): { write: never; notifications: never } => {
  const free = openWriteQueue(0, AbortSignal.any([]));
  return { write: pace as never, notifications: free as never };
};

const nothing = (): void => undefined;

/** No answer takes longer; GitHub itself gives up after ten seconds. */
const ANSWER_MS = 30_000;

type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

/**
 * Returns complete answers or fails. Octokit would treat a truncated answer as text, and the end of
 * the run as a server that is down.
 */
function openGithubFetch(apiUrl: string, signal: AbortSignal): Fetch {
  return async (url, init = {}) => {
    const patience = AbortSignal.timeout(ANSWER_MS);
    try {
      const whole = { ...init, signal: AbortSignal.any([signal, patience]) };
      const answer = await fetchAt(new URL(apiUrl).origin, url, whole);
      const text = await textOf(answer);
      const { status, headers } = answer;
      if (isJson(headers) && answer.ok && text !== '') JSON.parse(text);
      return new Response(hasNoBody(status) ? null : text, {
        status,
        headers: decodedHeaders(headers),
      });
    } catch (thrown) {
      if (signal.aborted) throw overdue();
      if (patience.aborted) throw new TypeError(`no answer within ${ANSWER_MS / 1000} s`);
      if (thrown instanceof SyntaxError) throw new TypeError('the answer was cut off');
      throw thrown;
    }
  };
}

/** A page of a hundred comments, each of 65,536 characters of four bytes, is the largest answer. */
const MAX_ANSWER_MIB = 32;

/** The decoded text, however small it was when it was compressed. */
async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_MIB * 1024 * 1024)
      throw new TypeError(`the answer is too large, over ${MAX_ANSWER_MIB} MiB`);
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** A renamed repository answers with a redirect. */
const MAX_REDIRECTS = 3;

/**
 * The token and the posted text go only to the server they are for. A link to the next page and a
 * redirect are text in an answer, and may name any other.
 */
async function fetchAt(origin: string, url: string, init: RequestInit): Promise<Response> {
  let target = url;
  for (let count = 0; count <= MAX_REDIRECTS; count += 1) {
    const { origin: found } = new URL(target);
    if (found !== origin) throw new TypeError(`an answer leads to ${found}, not to ${origin}`);
    const answer = await fetch(target, { ...init, redirect: 'manual' });
    const next = answer.headers.get('location');
    const { status } = answer;
    // Octokit would treat any other redirect as a success.
    if (status < 300 || status >= 400) return answer;
    // Of these, only the last two keep the method and the body.
    const isFollowed = isRead(init) ? [301, 302, 307, 308] : [307, 308];
    if (next === null || !isFollowed.includes(status)) throw new TypeError(`it answered ${status}`);
    target = new URL(next, target).href;
  }
  throw new TypeError(`more than ${MAX_REDIRECTS} redirects`);
}

const isRead = ({ method = 'GET' }: RequestInit): boolean => ['GET', 'HEAD'].includes(method);

/** Octokit passes errors of this name on without retrying. */
const overdue = (): Error => Object.assign(new Error('the time is up'), { name: 'AbortError' });

/** A file of the repository comes as `application/vnd.github.raw+json`, which isn't JSON. */
const isJson = (headers: Headers): boolean =>
  /^application\/json\b/.test(headers.get('content-type') ?? '');

const hasNoBody = (status: number): boolean => [204, 205].includes(status);

/** The text is already decoded, so these headers no longer apply. */
function decodedHeaders(headers: Headers): Headers {
  const copy = new Headers(headers);
  for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) copy.delete(name);
  return copy;
}

/** A queue as the throttling plugin expects it. */
interface WriteQueue {
  key(id: string): {
    schedule<Value>(options: object, work: (...args: unknown[]) => Promise<Value>): Promise<Value>;
  };
}

/** One after another, at least `gapMs` apart. Unlike the plugin's own queue it ends with the run. */
function openWriteQueue(gapMs: number, signal: AbortSignal): WriteQueue {
  let freeAt = 0;
  const wait = async (): Promise<void> => {
    const now = Date.now();
    const startAt = Math.max(now, freeAt);
    freeAt = startAt + gapMs;
    await sleep(startAt - now, undefined, { signal });
  };
  return {
    key: () => ({
      schedule: async (_, work) => {
        await wait();
        return work();
      },
    }),
  };
}

/** What every group of calls needs. */
export interface GithubContext {
  readonly client: OctokitType;
  /** The `owner` and `repo` of each request. */
  readonly where: { readonly owner: string; readonly repo: string };
}

/** Makes the call; an error becomes a failure that names the operation. */
export async function attempt<Value>(
  operation: Operation,
  call: () => Promise<Value>,
): Promise<Value> {
  try {
    return await call();
  } catch (thrown) {
    throw githubFailure(thrown, operation);
  }
}

/** The same, but undefined if it doesn't exist on GitHub. */
export async function lookFor<Value>(
  operation: Operation,
  call: () => Promise<Value>,
): Promise<Value | undefined> {
  return attempt(operation, async () => {
    try {
      return await call();
    } catch (thrown) {
      if (isGone(thrown)) return undefined;
      throw thrown;
    }
  });
}

export const isGone = (thrown: unknown): boolean =>
  [404, 410].some(status => status === answerOf(thrown)?.status);

/** For requests that must not be repeated without reading first. */
export const ONCE = { retries: 0 };

/** The largest page that GitHub returns. */
export const PER_PAGE = 100;

/** Everything that GitHub creates or lists has an id. */
export function idOf({ id }: { readonly id: number }): number {
  if (!Number.isSafeInteger(id)) throw new TypeError('it has no id');
  return id;
}

/** A list that changes while it is read can show an item on two pages. */
export const eachOnce = <Item extends { readonly id: number }>(items: readonly Item[]): Item[] => [
  ...new Map(items.map(item => [item.id, item])).values(),
];
