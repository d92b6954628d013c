import type { GithubClient } from './github-client.js';
import { answerOf, type Deed, githubFailure } from './github-failure.js';

/** What every group of calls is given. */
export interface GithubDesk {
  readonly client: GithubClient;
  /** The `owner` and `repo` of each request. */
  readonly where: { readonly owner: string; readonly repo: string };
}

/** Makes the call; what goes wrong comes back as a failure that speaks of the deed. */
export async function attempt<Value>(deed: Deed, call: () => Promise<Value>): Promise<Value> {
  try {
    return await call();
  } catch (thrown) {
    throw githubFailure(thrown, deed);
  }
}

/** The same, where "there is no such thing" is an answer. */
export async function lookFor<Value>(
  deed: Deed,
  call: () => Promise<Value>,
): Promise<Value | undefined> {
  return attempt(deed, async () => {
    try {
      return await call();
    } catch (thrown) {
      if (isGone(thrown)) return undefined;
      throw thrown;
    }
  });
}

export const isGone = (thrown: unknown): boolean =>
  [404, 410].includes(answerOf(thrown)?.status ?? 0);

/** For requests that must not be made again without looking first. */
export const ONCE = { retries: 0 };

/** Pages of lists; the most that GitHub gives. */
export const PER_PAGE = 100;

/** A list that changes while it is read can show an item on two pages. */
export const eachOnce = <Item extends { readonly id: number }>(items: readonly Item[]): Item[] => [
  ...new Map(items.map(item => [item.id, item])).values(),
];
