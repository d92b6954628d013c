import type { Octokit as OctokitType } from '@octokit/rest';
import { openGithubFetch } from './github-fetch.js';
import { openPace } from './github-pace.js';
import type { GithubPlace } from './github-place.js';

export interface ClientOptions {
  readonly signal: AbortSignal;
  /** Nothing is waited for that comes later than this. */
  readonly deadlineAt: number;
  readonly version: string;
  /** Milliseconds from one write to the next; GitHub asks for a second. */
  readonly paceMs?: number;
  /** Milliseconds before the first repetition of a read; the others take 4 and 9 times as long. */
  readonly retryMs?: number;
  /** How long a second of a rate limit is; tests have less of them. */
  readonly secondMs?: number;
}

export type GithubClient = OctokitType;

/** GitHub's advice for clients that write: a second between requests. */
const PACE_MS = 1000;
const RETRY_MS = 400;
const RETRIES = 3;
/** A secondary limit is lifted soon; who meets it this often in one run should come back later. */
const MOST_WAITS = 2;

/** Octokit with its plugins for rate limits and retries, held to the time of the run. */
export async function openClient(
  place: GithubPlace,
  options: ClientOptions,
): Promise<GithubClient> {
  const [{ Octokit }, { throttling }, { retry }] = await Promise.all([
    import('@octokit/rest'),
    import('@octokit/plugin-throttling'),
    import('@octokit/plugin-retry'),
  ]);
  const { signal, deadlineAt, paceMs = PACE_MS, retryMs = RETRY_MS, secondMs = 1000 } = options;
  const fits = (waitMs: number): boolean => Date.now() + waitMs < deadlineAt;
  const wantsToWait = (seconds: number, _: unknown, __: unknown, times: number): boolean =>
    times < MOST_WAITS && fits(seconds * secondMs);
  const keepToTime = ({ hook }: Pick<OctokitType, 'hook'>): object => {
    hook.error('request', (error, { request }) => {
      const tries = Number(request['retryCount'] ?? 0) + 1;
      if (!fits(tries ** 2 * retryMs)) request['retries'] = 0;
      throw error;
    });
    return {};
  };
  const pace = openPace(paceMs, signal);
  const Client = Octokit.plugin(throttling, keepToTime, retry);
  return new Client({
    auth: place.token,
    baseUrl: place.apiUrl,
    userAgent: `apfel-bot/${options.version}`,
    log: { debug: nothing, info: nothing, warn: nothing, error: nothing },
    request: { fetch: openGithubFetch(signal) },
    retry: { retries: RETRIES, retryAfterBaseValue: retryMs },
    throttle: {
      ...paced(pace),
      retryAfterBaseValue: secondMs,
      onRateLimit: wantsToWait,
      onSecondaryRateLimit: wantsToWait,
    },
  });
}

/** The plugin wants queues of a package of its own; it uses no more of them than a pace has. */
const paced = (pace: ReturnType<typeof openPace>): { write: never; notifications: never } => {
  const free = openPace(0, AbortSignal.any([]));
  return { write: pace as never, notifications: free as never };
};

const nothing = (): void => undefined;
