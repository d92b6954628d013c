import { BotError } from '../core/bot-error.js';
import { isolatedEnvironment } from '../git/commit-plan.js';
import { runSimpleGit, withoutPassword } from '../git/remote.js';
import { firstLine, type GitContext } from '../git/spawn.js';
import { githubError } from '../github/types.js';
import type { Environment } from '../platform/processes.js';

/** The way to the remote. */
export interface RemoteGit {
  readonly address: string;
  /** For everything that stays here: without the token. */
  context(dir: string, gitDir?: string): GitContext;
  /** For everything that leaves: git's output, or a failure that says what to do. */
  reach(context: GitContext, args: readonly string[]): Promise<string>;
  /** The same where a refusal is told in git's output and for the caller to read. */
  tryToReach(context: GitContext, args: readonly string[]): Promise<Reached>;
}

export interface Reached {
  readonly output: string;
  /** Undefined when all went well. */
  readonly failure: BotError | undefined;
}

export interface RemoteGitOptions {
  readonly address: string;
  readonly token: string;
  readonly env: Environment;
  readonly signal: AbortSignal;
}

/** Git with the token for one address. It is in no argument, no file and no message. */
export function openRemoteGitHere({ address, token, env, signal }: RemoteGitOptions): RemoteGit {
  const local = withoutTokens(env);
  const header = Buffer.from(`x-access-token:${token}`).toString('base64');
  const inEnvironment = {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `http.${address}.extraHeader`,
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${header}`,
    // Empty: nobody is asked, neither on a terminal nor in a window.
    GIT_ASKPASS: '',
    ...certificates(env),
  };
  const hide = (text: string): string =>
    withoutPassword(text).replaceAll(token, '***').replaceAll(header, '***');
  const tryToReach = async (context: GitContext, args: readonly string[]): Promise<Reached> => {
    const outside = { ...context, env: { ...context.env, ...inEnvironment } };
    const { code, stdout, stderr } = await runSimpleGit(outside, [...REACH, ...args]);
    const output = stdout.toString('utf8');
    return { output, failure: code === 0 ? undefined : failureOf(hide(stderr)) };
  };
  return {
    address,
    context: (dir, gitDir) => ({ cwd: dir, env: isolatedEnvironment(local), gitDir, signal }),
    tryToReach,
    reach: async (context, args) => {
      const { output, failure } = await tryToReach(context, args);
      if (failure !== undefined) throw failure;
      return output;
    },
  };
}

const REACH = [
  'protocol.https.allow=always',
  'protocol.http.allow=always',
  // An answer that leads elsewhere would be followed with the token.
  'http.followRedirects=false',
  // Nobody but us says who we are, and nothing is remembered.
  'credential.helper=',
  // A connection that says nothing for a minute says nothing any more.
  'http.lowSpeedLimit=1',
  'http.lowSpeedTime=60',
].flatMap(setting => ['-c', setting]);

const withoutTokens = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !/TOKEN$/i.test(name)));

/** A server of one's own may have a certificate of one's own. */
const certificates = (env: Environment): Record<string, string> =>
  Object.fromEntries(
    ['GIT_SSL_CAINFO', 'GIT_SSL_CAPATH'].flatMap(name =>
      env[name] === undefined ? [] : [[name, env[name]]],
    ),
  );

const NEEDS = 'the job needs permissions: contents: write';

function failureOf(stderr: string): BotError {
  const cause = new Error(stderr);
  const said = sayings(stderr);
  if (/archived/i.test(stderr)) {
    return new BotError('not-permitted', `the repository is archived (${said})`, {
      hint: 'Nothing can be pushed there; the bundle beside the outcome has the commits',
      cause,
    });
  }
  if (/returned error: 403|denied to|not permitted|permission/i.test(stderr)) {
    return new BotError('not-permitted', `the token may not push (${said})`, {
      hint: `${NEEDS}; a workflow that a fork's pull request starts has a read-only token`,
      cause,
    });
  }
  if (/returned error: 401|Authentication failed|could not read Username/i.test(stderr)) {
    return new BotError('publish-failed', 'GitHub does not know the token', {
      hint: `GITHUB_TOKEN has expired, was revoked or is of another server; ${NEEDS}`,
      cause,
    });
  }
  if (/not found|returned error: 404|not our ref|find remote ref/i.test(stderr)) {
    return githubError('gone', `there is no such repository or commit at GitHub (${said})`, {
      hint: `Check GITHUB_REPOSITORY; a token without access sees nothing: ${NEEDS}`,
      cause,
    });
  }
  return githubError('unsettled', `git could not reach GitHub: ${said}`, {
    hint: 'Run it again later: nothing is pushed twice',
    cause,
  });
}

/** What the server said, if it did, and not only what git made of it. */
function sayings(stderr: string): string {
  const lines = stderr.split('\n').flatMap(line => /^remote: (.*\S)/.exec(line)?.[1] ?? []);
  const told = lines.filter(line => !/^error: /.test(line)).slice(0, 3);
  return (told.length > 0 ? told.join(' ') : firstLine(stderr)).slice(0, 300);
}
