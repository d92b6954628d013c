import { BotError } from '../../core/failure.js';
import type { Environment } from '../git/git-flags.js';
import { type GithubPlace, webUrlOf } from '../github/github-place.js';

/** Where git pushes to, with the token's server and no other. */
export function pushAddress(place: GithubPlace, env: Environment): string {
  const server = env['GITHUB_SERVER_URL'] || webUrlOf(place.apiUrl);
  const found = URL.canParse(server) ? new URL(server) : undefined;
  const isLoopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(found?.hostname ?? '');
  const isSafe = found?.protocol === 'https:' || (found?.protocol === 'http:' && isLoopback);
  if (found === undefined || !isSafe || found.username !== '' || found.search !== '') {
    throw new BotError('usage', `GITHUB_SERVER_URL is ${JSON.stringify(server)}`, {
      hint: 'It is https://github.com, or https://HOST of a GitHub Enterprise Server',
    });
  }
  const path = found.pathname.replace(/\/+$/, '');
  return `${found.origin}${path}/${place.owner}/${place.name}.git`;
}
