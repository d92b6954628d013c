import { BotError } from '../core/bot-error.js';
import { isolatedEnvironment } from '../git/commit-plan.js';
import { runSimpleGit, withoutPassword } from '../git/remote.js';
import { firstLine, type GitContext } from '../git/spawn.js';
import { githubError } from '../github/failure.js';
import type { Environment } from '../platform/processes.js';
import { withoutTokens } from '../platform/processes.js';

/**
 * A repository on GitHub and its token, which never appears in an argument, a file or a message.
 */
export interface Remote {
  readonly address: string;
  readonly token: string;
  readonly env: Environment;
  readonly signal: AbortSignal;
}

/** For git commands that stay on this machine: without the token. */
export const localContext = (
  { env, signal }: Remote,
  dir: string,
  gitDir?: string,
): GitContext => ({ cwd: dir, env: isolatedEnvironment(withoutTokens(env)), gitDir, signal });

/** Runs a git command that contacts the remote: its output, or a failure that says what to do. */
export async function askRemote(
  remote: Remote,
  context: GitContext,
  args: readonly string[],
): Promise<string> {
  const { output, failure } = await tryRemote(remote, context, args);
  if (failure !== undefined) throw failure;
  return output;
}

/** The same for callers that read a refusal in git's output themselves. */
export async function tryRemote(
  { address, token, env }: Remote,
  context: GitContext,
  args: readonly string[],
): Promise<{ readonly output: string; readonly failure: BotError | undefined }> {
  const header = Buffer.from(`x-access-token:${token}`).toString('base64');
  const withToken = {
    ...context.env,
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `http.${address}.extraHeader`,
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${header}`,
    // Empty: git never prompts, on a terminal or in a window.
    GIT_ASKPASS: '',
    ...certificates(env),
  };
  const { code, stdout, stderr } = await runSimpleGit({ ...context, env: withToken }, [
    ...SETTINGS,
    ...args,
  ]);
  const shown = withoutPassword(stderr).replaceAll(token, '***').replaceAll(header, '***');
  return { output: stdout.toString('utf8'), failure: code === 0 ? undefined : failureOf(shown) };
}

const SETTINGS = [
  'protocol.https.allow=always',
  'protocol.http.allow=always',
  // Git would follow a redirect with the token.
  'http.followRedirects=false',
  // No stored credentials are used, and ours are not stored.
  'credential.helper=',
  // Give up on a connection that has been silent for a minute.
  'http.lowSpeedLimit=1',
  'http.lowSpeedTime=60',
].flatMap(setting => ['-c', setting]);

/** A private server may use a private certificate authority. */
const certificates = (env: Environment): Record<string, string> =>
  Object.fromEntries(
    ['GIT_SSL_CAINFO', 'GIT_SSL_CAPATH'].flatMap(name =>
      env[name] === undefined ? [] : [[name, env[name]]],
    ),
  );

const NEEDS = 'The job needs permissions: contents: write';

function failureOf(stderr: string): BotError {
  const cause = new Error(stderr);
  const message = serverMessage(stderr);
  if (/archived/i.test(stderr)) {
    return new BotError('not-permitted', `the repository is archived (${message})`, {
      hint: 'Nothing can be pushed to it; the bundle next to the outcome has the commits',
      cause,
    });
  }
  if (/returned error: 403|denied to|not permitted|permission/i.test(stderr)) {
    return new BotError('not-permitted', `the token isn't allowed to push (${message})`, {
      hint: `${NEEDS}; a workflow that runs for a pull request from a fork has a read-only token`,
      cause,
    });
  }
  if (/returned error: 401|Authentication failed|could not read Username/i.test(stderr)) {
    return new BotError('publish-failed', 'GitHub rejected the token', {
      hint: 'GITHUB_TOKEN has expired, was revoked or is for another server; set a valid one',
      cause,
    });
  }
  if (/not found|returned error: 404|not our ref|find remote ref/i.test(stderr)) {
    return githubError('gone', `no such repository or commit on GitHub (${message})`, {
      hint: `Check GITHUB_REPOSITORY. ${NEEDS}: without them a private repository looks missing`,
      cause,
    });
  }
  return githubError('unknown', `git could not reach GitHub: ${message}`, {
    hint: 'Run it again later: nothing is pushed twice',
    cause,
  });
}

/** The server's own message if there is one, otherwise git's. */
function serverMessage(stderr: string): string {
  const lines = stderr.split('\n').flatMap(line => /^remote: (.*\S)/.exec(line)?.[1] ?? []);
  const messages = lines.filter(line => !/^error: /.test(line)).slice(0, 3);
  return (messages.length > 0 ? messages.join(' ') : firstLine(stderr)).slice(0, 300);
}
