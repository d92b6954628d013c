import type { DoctorFacts, GithubFact, RemoteFact, ServerFact } from './doctor-facts.js';
import { type Check, checksOf } from './doctor-report.js';

const MODEL_VERBS = 'review, fix-lint, ask, describe, run, calibrate';
const { ok, attention } = checksOf('machine');

/** The token, and which hosts each verb would contact: nothing else is ever contacted. */
export function judgeEgress({ server, github, remotes }: DoctorFacts): Check[] {
  return [judgeToken(github), judgeModelHost(server), judgeApi(github), ...judgeRemotes(remotes)];
}

/** What `post`, `push` and `respond` need of a token that has scopes. */
const ENOUGH = ['repo', 'public_repo'];
const NEEDS =
  'pull-requests: write (post, respond), contents: write (push), checks: write (--check)';
const FIX_TOKEN = `set GITHUB_TOKEN to a token with ${NEEDS}`;

function judgeToken({ tokenKind, token, apiHost }: GithubFact): Check {
  if (tokenKind === undefined) {
    return ok('github-token', 'no GITHUB_TOKEN; only post, push and respond need one');
  }
  const held = `GITHUB_TOKEN holds ${tokenKind}`;
  switch (token.kind) {
    case 'scopes':
      return judgeScopes(held, token.scopes);
    case 'refused':
      return attention(
        'github-token',
        `${held}; ${apiHost} refuses it (${token.status})`,
        FIX_TOKEN,
      );
    case 'unreachable':
      return attention(
        'github-token',
        `${held}; ${apiHost} could not be asked about it: ${token.message}`,
        'check the network, or GITHUB_API_URL; only post, push and respond need it',
      );
    default:
      return ok('github-token', `${held}; ${VALID[token.kind]} ${KEPT_APART}`);
  }
}

const VALID = {
  unlisted: `it is valid, but GitHub does not tell what it may do. Needed: ${NEEDS}.`,
  unasked: 'GitHub was not asked about it.',
};
const KEPT_APART =
  'Only post, push and respond use it; it is never given to the model, its server or a linter';

function judgeScopes(held: string, scopes: readonly string[]): Check {
  const told = scopes.length === 0 ? 'no scopes' : `the scopes ${scopes.join(', ')}`;
  return ENOUGH.some(scope => scopes.includes(scope))
    ? ok('github-token', `${held} with ${told}. ${KEPT_APART}`)
    : attention(
        'github-token',
        `${held} with ${told}: too little to post`,
        'give it the scope repo',
      );
}

function judgeModelHost(server: ServerFact): Check {
  if (server.kind === 'refused') return ok('egress-model', `${MODEL_VERBS}: no host`);
  const { kind, baseUrl, isNamed } = server;
  // One that is started for the run has a port of its own.
  const isStarted = !isNamed && (kind === 'nothing' || kind === 'silent');
  const host = isStarted ? '127.0.0.1' : hostOf(baseUrl);
  return server.isLocal
    ? ok('egress-model', `${MODEL_VERBS}: ${host}, on this machine`)
    : attention(
        'egress-model',
        `${MODEL_VERBS}: ${host}, which is not this machine, because --allow-remote was given`,
        'leave out --allow-remote',
      );
}

/** The address has been checked to be a URL without user and password. */
const hostOf = (baseUrl: string): string => new URL(baseUrl).host;

const judgeApi = ({ apiHost }: GithubFact): Check =>
  apiHost === undefined
    ? attention('egress-github', 'post, push, respond: GITHUB_API_URL is not a URL', FIX_API)
    : ok('egress-github', `post, push, respond, and doctor about the token: ${apiHost}`);

const FIX_API = 'unset GITHUB_API_URL, or set it to https://HOST/api/v3';

function judgeRemotes(remotes: readonly RemoteFact[]): Check[] {
  if (remotes.length === 0) return [];
  const places = new Map<string, string[]>();
  for (const { name, host = 'this machine' } of remotes) {
    places.set(host, [...(places.get(host) ?? []), name]);
  }
  const told = [...places].map(([host, names]) => `${host} (${[...new Set(names)].join(', ')})`);
  return [ok('egress-git', `review --pr, push, notes, by git: ${told.join(', ')}`)];
}
