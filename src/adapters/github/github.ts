import type { Forge } from '../../core/forge.js';
import { githubChecks } from './github-checks.js';
import { type ClientOptions, openClient } from './github-client.js';
import { githubComments } from './github-comments.js';
import { githubPeople } from './github-people.js';
import { type GithubPlace, webUrlOf } from './github-place.js';
import { githubPulls } from './github-pulls.js';
import { githubReviews } from './github-reviews.js';

/** GitHub, or a GitHub Enterprise Server, as the forge. */
export async function openGithub(place: GithubPlace, options: ClientOptions): Promise<Forge> {
  const client = await openClient(place, options);
  const desk = { client, where: { owner: place.owner, repo: place.name } };
  return {
    repository: `${place.owner}/${place.name}`,
    webUrl: webUrlOf(place.apiUrl),
    ...githubPeople(desk),
    ...githubPulls(desk),
    ...githubComments(desk),
    ...githubReviews(desk),
    ...githubChecks(desk),
  };
}
