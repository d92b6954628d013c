import { githubChecks } from './checks.js';
import { type ClientOptions, openClient } from './client.js';
import { githubComments, githubReviews } from './comments.js';
import { githubPeople } from './people.js';
import { type GithubPlace, webUrlOf } from './place.js';
import { githubPulls } from './pulls.js';
import type { Github } from './types.js';

/** GitHub, or a GitHub Enterprise Server, as the forge. */
export async function openGithub(place: GithubPlace, options: ClientOptions): Promise<Github> {
  const client = await openClient(place, options);
  const session = { client, where: { owner: place.owner, repo: place.name } };
  return {
    repository: `${place.owner}/${place.name}`,
    webUrl: webUrlOf(place.apiUrl),
    ...githubPeople(session),
    ...githubPulls(session),
    ...githubComments(session),
    ...githubReviews(session),
    ...githubChecks(session),
  };
}
