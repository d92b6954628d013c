import { githubChecks } from './checks.js';
import { type ClientOptions, openClient } from './client.js';
import { githubComments, githubReviews } from './comments.js';
import { githubPeople } from './people.js';
import { githubPulls } from './pulls.js';
import { type GithubTarget, webUrlOf } from './target.js';

/**
 * One repository on GitHub or a GitHub Enterprise Server. Every failure is a `BotError` that says
 * what to do; `troubleOf` names the failures that a caller can handle.
 */
export type Github = Awaited<ReturnType<typeof openGithub>>;

export async function openGithub(place: GithubTarget, options: ClientOptions) {
  const client = await openClient(place, options);
  const context = { client, where: { owner: place.owner, repo: place.name } };
  const webUrl = webUrlOf(place.apiUrl);
  return {
    /** `owner/name` */
    repository: `${place.owner}/${place.name}`,
    /** Where people see it, without a slash at the end. */
    webUrl,
    ...githubPeople(context),
    ...githubPulls(context, webUrl),
    ...githubComments(context),
    ...githubReviews(context),
    ...githubChecks(context),
  };
}
