import type { InstalledHooks } from '../hooks/installed.js';
import { isAtLeast } from '../platform/run-program.js';
import type {
  ConfigFact,
  DoctorFacts,
  GitFact,
  GithubFact,
  PowerFact,
  RemoteFact,
  RepositoryFact,
  ServerFact,
} from './facts.js';
import { type Check, checksOf } from './report.js';

/** The package's `engines`. */
const OLDEST_NODE = '20.19';
/** Older releases are untested and lack some of the options that make reading safe. */
const OLDEST_GIT = '2.30';

/** Node, git and the power supply. */
export function judgeMachine({ nodeVersion, git, power }: DoctorFacts): Check[] {
  return [judgeNode(nodeVersion), judgeGit(git), POWER[power]];
}

function judgeNode(version: string): Check {
  const { ok, problem } = checksOf('machine');
  return isAtLeast(version, OLDEST_NODE)
    ? ok('node', `Node ${version}`)
    : problem(
        'node',
        `Node ${version} is older than ${OLDEST_NODE}, which apfel-bot needs`,
        'brew install node, or nvm install 22',
      );
}

function judgeGit(git: GitFact): Check {
  const { ok, attention, problem } = checksOf('git');
  if (git.kind === 'missing') return problem('git', git.message, git.hint);
  return isAtLeast(git.version, OLDEST_GIT)
    ? ok('git', `git ${git.version}`)
    : attention('git', `git ${git.version} is older than ${OLDEST_GIT}`, 'brew install git');
}

const machine = checksOf('machine');

const POWER: Readonly<Record<PowerFact, Check>> = {
  mains: machine.ok('power', 'on mains power, where macOS does not limit background requests'),
  battery: machine.attention(
    'power',
    'on battery, where macOS limits how often a program without a window may ask the model',
    'plug the Mac in for long runs',
  ),
  'not-limited': machine.ok('power', 'no power-related limits on this system'),
  unknown: machine.ok(
    'power',
    "can't tell whether on battery, where macOS limits background requests",
  ),
};

/** The repository, its configuration and its hooks. */
export function judgeRepository({ repository, config, hooks }: DoctorFacts): Check[] {
  return [
    ...judgePlace(repository),
    judgeConfig(config),
    ...(hooks === undefined ? [] : [judgeHooks(hooks)]),
  ];
}

function judgePlace(repository: RepositoryFact): Check[] {
  const { ok, attention, problem } = checksOf('git');
  if (repository.kind === 'unasked') return [];
  if (repository.kind === 'unusable') {
    return [problem('repository', repository.message, repository.hint)];
  }
  if (repository.kind === 'none') {
    const message = 'not inside a git repository: only review --stdin would work here';
    return [attention('repository', message, 'run it inside a repository')];
  }
  const { place, isShallow } = repository;
  if (!isShallow) return [ok('repository', place)];
  const message = `${place} is a shallow clone: older commits are missing`;
  const fix = 'git fetch --unshallow, or fetch-depth: 0 in the workflow';
  return [attention('repository', message, fix)];
}

function judgeConfig(config: ConfigFact): Check {
  const { ok, attention, problem } = checksOf('config');
  if (config.kind === 'broken') return problem('config', config.message, config.hint);
  if (config.cannotNotify) {
    return attention(
      'config',
      'hooks.notify is on, but there is no osascript on the PATH: only macOS has it',
      'remove hooks.notify; the next commit or command says what was found anyway',
    );
  }
  return ok(
    'config',
    config.origin === undefined ? 'none, so the defaults apply' : `${config.origin} is valid`,
  );
}

/** What git runs on a commit, and whether apfel-bot is part of it. */
function judgeHooks({ message, fix }: InstalledHooks): Check {
  const { ok, attention } = checksOf('machine');
  return fix === undefined ? ok('hooks', message) : attention('hooks', message, fix);
}

const MODEL_COMMANDS = 'review, fix-lint, ask, describe, run, calibrate';
const { ok, attention } = checksOf('machine');

/** The token, and which hosts each command contacts: nothing else is ever contacted. */
export function judgeEgress({ server, github, remotes }: DoctorFacts): Check[] {
  return [judgeToken(github), judgeModelHost(server), judgeApi(github), ...judgeRemotes(remotes)];
}

/** One of these scopes is enough for `post`, `push` and `respond`. */
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
        `${held}; ${apiHost} can't be asked about it: ${token.message}`,
        'check the network, or GITHUB_API_URL; only post, push and respond need it',
      );
    default:
      return ok('github-token', `${held}; ${VALID[token.kind]} ${TOKEN_USE}`);
  }
}

const VALID = {
  unlisted: `it is valid, but GitHub doesn't say what it may do. Needed: ${NEEDS}.`,
  unasked: 'GitHub was not asked about it.',
};
const TOKEN_USE =
  'Only post, push and respond use it; it is never given to the model, its server or a linter';

function judgeScopes(held: string, scopes: readonly string[]): Check {
  const listed = scopes.length === 0 ? 'no scopes' : `the scopes ${scopes.join(', ')}`;
  return ENOUGH.some(scope => scopes.includes(scope))
    ? ok('github-token', `${held} with ${listed}. ${TOKEN_USE}`)
    : attention(
        'github-token',
        `${held} with ${listed}: too little to post`,
        'give it the scope repo',
      );
}

function judgeModelHost(server: ServerFact): Check {
  if (server.kind === 'refused') return ok('egress-model', `${MODEL_COMMANDS}: no host`);
  const { kind, baseUrl, isNamed } = server;
  // One started for the run has its own port.
  const isStarted = !isNamed && kind !== 'apfel';
  const host = isStarted ? '127.0.0.1' : hostOf(baseUrl);
  return server.isLocal
    ? ok('egress-model', `${MODEL_COMMANDS}: ${host}, on this machine`)
    : attention(
        'egress-model',
        `${MODEL_COMMANDS}: ${host}, which is not this machine, because --allow-remote was given`,
        'remove --allow-remote',
      );
}

/** The address is already known to be a URL without user and password. */
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
  const hosts = [...places].map(([host, names]) => `${host} (${[...new Set(names)].join(', ')})`);
  return [ok('egress-git', `review --pr, push, notes, by git: ${hosts.join(', ')}`)];
}
