import { isBotError } from '../../core/failure.js';
import { remoteRepository } from '../../trigger/remote-repository.js';
import { openGit, userSpot } from '../git/git.js';
import type { Environment } from '../git/git-flags.js';
import { runGit } from '../git/git-spawn.js';

const GITHUB = 'github.com';

/** `owner/name` of the clone's origin, if that lives where the token is for; nothing is asked of it. */
export async function originOf(place: {
  readonly cwd: string;
  readonly env: Environment;
  readonly signal: AbortSignal;
}): Promise<string | undefined> {
  try {
    await openGit({ ...place, expectsStaged: false });
  } catch (thrown) {
    if (isBotError(thrown)) return undefined;
    throw thrown;
  }
  const { code, stdout } = await runGit(userSpot(place), ['remote', 'get-url', '--', 'origin']);
  const found = code === 0 ? remoteRepository(stdout.toString('utf8')) : undefined;
  return found?.host === hostOf(place.env) ? found.name : undefined;
}

function hostOf(env: Environment): string {
  const server = env['GITHUB_SERVER_URL'] || env['GITHUB_API_URL'] || '';
  if (!URL.canParse(server)) return GITHUB;
  const { hostname } = new URL(server);
  return hostname === `api.${GITHUB}` ? GITHUB : hostname;
}
