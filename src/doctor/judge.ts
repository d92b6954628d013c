import { CONFIG_FILE, unusedSettings } from '../config/find.js';
import type { InstalledHooks } from '../hooks/installed.js';
import { defaultBaseUrl } from '../model/address.js';
import { withoutApfel } from '../model/apfel-program.js';
import { isAtLeast } from '../platform/run-program.js';
import type {
  ConfigFact,
  DoctorFacts,
  GitFact,
  GithubFact,
  ModelFact,
  PowerFact,
  ProgramFact,
  RemoteFact,
  ReplyFact,
  RepositoryFact,
  ServerFact,
} from './facts.js';
import { type Check, checksOf } from './report.js';

const { ok, attention } = checksOf('machine');

/** The package's `engines`. */
const OLDEST_NODE = '20.19';
/**
 * Older releases don't know `safe.bareRepository`, and before 2.32 filters that a repository names
 * could run.
 */
const OLDEST_GIT = '2.38';

/** Node, git and the power supply. */
export function judgeMachine({ nodeVersion, git, power }: DoctorFacts): Check[] {
  return [judgeNode(nodeVersion), judgeGit(git), POWER[power]];
}

function judgeNode(version: string): Check {
  return isAtLeast(version, OLDEST_NODE)
    ? ok('node', `Node ${version}`)
    : checksOf('machine').problem(
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

const POWER: Readonly<Record<PowerFact, Check>> = {
  mains: ok('power', 'on mains power, where macOS does not limit background requests'),
  battery: attention(
    'power',
    'on battery, where macOS limits how often a program without a window may ask the model',
    'plug the Mac in for long runs',
  ),
  'not-limited': ok('power', 'no power-related limits on this system'),
  unknown: ok('power', "can't tell whether on battery, where macOS limits background requests"),
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
  if (config.unused !== undefined) {
    return attention(
      'config',
      unusedSettings(config.unused),
      `move them to ${CONFIG_FILE}, or delete the key`,
    );
  }
  return ok(
    'config',
    config.origin === undefined ? 'none, so the defaults apply' : `${config.origin} is valid`,
  );
}

/** What git runs on a commit, and whether apfel-bot is part of it. */
const judgeHooks = ({ message, fix }: InstalledHooks): Check =>
  fix === undefined ? ok('hooks', message) : attention('hooks', message, fix);

const MODEL_COMMANDS = 'review, fix-lint, ask, describe, run, calibrate';

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

/** The first release that can decode replies under a JSON schema, the most reliable way to ask. */
const FIRST_WITH_SCHEMAS = '1.4.0';

/** The server that a review would ask, and the program that could be started. */
export function judgeServer({ platform, server, program }: DoctorFacts): Check[] {
  return [judgeAnswer(server, program, platform), judgeProgram(server, program)];
}

function judgeAnswer(
  server: ServerFact,
  program: ProgramFact | undefined,
  platform: string,
): Check {
  switch (server.kind) {
    case 'refused':
      return checksOf('config').problem('server', server.message, server.hint);
    case 'apfel':
      return judgeApfel(server.baseUrl, server.version);
    case 'ollama':
    case 'other': {
      const who = server.kind === 'ollama' ? 'Ollama' : 'a server that is not apfel';
      const message = `${who} answers at ${server.baseUrl}`;
      if (server.isNamed) return ok('server', message);
      return judgeOwn(server, program, {
        message: `${message}, which is used only if you name it`,
        platform,
      });
    }
    case 'nothing':
    case 'silent': {
      const message =
        server.kind === 'nothing'
          ? `nothing answers at ${server.baseUrl}`
          : `the server at ${server.baseUrl} doesn't answer`;
      if (!server.isNamed) return judgeOwn(server, program, { message, platform });
      return attention('server', message, 'start that server, or remove the base URL');
    }
  }
}

function judgeApfel(baseUrl: string, version: string | undefined): Check {
  const message = `apfel ${version ?? 'of unknown version'} answers at ${baseUrl}`;
  return version === undefined || isAtLeast(version, FIRST_WITH_SCHEMAS)
    ? ok('server', message)
    : attention('server', `${message}; it can't decode under a JSON schema`, 'brew upgrade apfel');
}

/** Whether apfel can be started for each run. */
function judgeOwn(
  { kind, baseUrl, mayStart, isKept }: Exclude<ServerFact, { kind: 'refused' }>,
  program: ProgramFact | undefined,
  { message, platform }: { readonly message: string; readonly platform: string },
): Check {
  if (program === undefined) {
    const used = kind === 'ollama' || kind === 'other' ? baseUrl : undefined;
    const fix = withoutApfel(platform, used);
    return attention('server', `${message}, and apfel is not installed`, fix);
  }
  if (!mayStart) return attention('server', `${message}, and model.start is off`, 'apfel --serve');
  if (isKept) {
    return ok(
      'server',
      `${message}; apfel is started for a run and kept for the next (model.keepAlive)`,
    );
  }
  // Homebrew's service listens on this port only, and is started again and again if it is taken.
  const canServe = platform === 'darwin' && kind === 'nothing' && baseUrl === defaultBaseUrl({});
  const service = canServe ? ' (brew services start apfel keeps it ready)' : '';
  return ok('server', `${message}; apfel is started for each run and stopped after it${service}`);
}

function judgeProgram(server: ServerFact, program: ProgramFact | undefined): Check {
  if (program !== undefined) {
    return ok('apfel', `apfel ${program.version ?? 'of unknown version'} (${program.path})`);
  }
  if (server.kind === 'refused') return ok('apfel', 'not on the PATH');
  // The line of the server says what to do.
  if (!server.isNamed && server.kind !== 'apfel') return attention('apfel', 'not on the PATH');
  return ok('apfel', `not on the PATH, and not needed for ${server.baseUrl}`);
}

type FoundFact = Extract<ModelFact, { kind: 'found' }>;

/** Whether the model answers, and what a review needs to know about it. */
export function judgeModel(facts: DoctorFacts, hasServer: boolean): Check[] {
  const { model, tokenShare } = facts;
  switch (model.kind) {
    case 'unasked':
      return [];
    case 'none':
      return [judgeMissing(model.reason, hasServer)];
    case 'late': {
      const late = `no model was ready within ${model.afterMs} ms: see what the server is doing`;
      return [judgeMissing(late, hasServer)];
    }
    case 'found':
      return [
        judgeReply(model),
        ok('window', `${model.contextWindow} tokens${model.isWindowAssumed ? ASSUMED : ''}`),
        judgeSchema(model),
        judgeProtocol(model),
        ...judgeTokens(tokenShare),
        judgeLanguage(model.languages, facts.language),
      ];
  }
}

const ASSUMED = ", assumed: the server doesn't report it; model.contextWindow sets it";

/** Reasons end with the next step. If the server is the problem, its own line says so. */
function judgeMissing(reason: string, hasServer: boolean): Check {
  const at = reason.lastIndexOf(': ');
  const message = at === -1 ? reason : reason.slice(0, at);
  const fix = at === -1 ? undefined : reason.slice(at + 2);
  return hasServer
    ? attention('model', message, fix)
    : attention('model', `none, because ${message}`);
}

function judgeReply({ name, reply }: FoundFact): Check {
  if (reply.kind === 'answered') {
    return ok('model', `${name} answered a small question in ${seconds(reply.ms)}`);
  }
  // The question is in English, so it's the language of this Mac.
  if (/unsupported ?language/i.test(reply.message)) {
    return attention('model', `${name} doesn't support the language of this Mac`, SET_LANGUAGE);
  }
  const message = `${name} did not answer a small question (${reply.message})`;
  return attention('model', message, PASSING[reply.kind] ?? "check the server's standard error");
}

const SET_LANGUAGE = 'set the language of macOS and Siri to one that the model supports';
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** Temporary failures that a review survives. */
const PASSING: Partial<Readonly<Record<ReplyFact['kind'], string>>> = {
  refused: 'run it again; a refusal depends on chance',
  blocked: 'run it again; the guardrail depends on chance',
  'rate-limited': 'wait a little, and plug the Mac in',
  busy: 'wait until other requests are done',
  loading: 'wait until the model is loaded',
  'timed-out': 'run it again; a cold model takes longer',
};

function judgeSchema({ schema, isApfel }: FoundFact): Check {
  if (schema === 'honoured') return ok('schema', 'replies are decoded under a JSON schema');
  if (schema === 'unknown')
    return attention('schema', "can't tell whether JSON schemas are honoured");
  return isApfel
    ? attention(
        'schema',
        'json_schema is ignored, as it is before apfel 1.4.0',
        'brew upgrade apfel',
      )
    : attention('schema', 'json_schema is ignored by this server', '--protocol native or text');
}

function judgeProtocol({ calibrated, mayRunTools }: FoundFact): Check {
  const measured = mayRunTools && calibrated === 'text' ? undefined : calibrated;
  const chosen =
    measured === undefined
      ? 'not measured yet, so auto goes by the server; to measure: apfel-bot calibrate'
      : `${measured}, as measured by apfel-bot calibrate`;
  const note = "; text isn't used here, because a server of yours may have MCP tools";
  return ok('protocol', mayRunTools ? `${chosen}${note}` : chosen);
}

function judgeTokens(share: number | undefined): Check[] {
  if (share === undefined) return [];
  const message = `apfel counts ${share} % of the tokens that apfel-bot estimates`;
  // An estimate below the count would let requests overflow; the saved factor prevents that.
  return [ok('tokens', `${message}; the estimate is adjusted by that`)];
}

const MAX_SHOWN = 20;

/** The server refuses text in a language the model doesn't support. */
function judgeLanguage(supported: readonly string[], locale: string | undefined): Check {
  const language = languageOf(locale);
  const shown = supported.slice(0, MAX_SHOWN).join(', ');
  const more = supported.length > MAX_SHOWN ? ', ...' : '';
  if (supported.length === 0) {
    return ok('language', "the server doesn't say which languages the model supports");
  }
  const has = `the model supports ${shown}${more}`;
  if (language === undefined) return ok('language', `${has}; no language is set here`);
  return supported.some(each => languageOf(each) === language)
    ? ok('language', `${has}; yours is ${language}`)
    : attention(
        'language',
        `${has}; yours is ${language}, and text in it may be refused`,
        SET_LANGUAGE,
      );
}

/** `de` of `de_DE.UTF-8`, `de-AT` and `DE`; undefined for none, as in `C`. */
function languageOf(locale: string | undefined): string | undefined {
  const [language = ''] = (locale ?? '').slice(0, 40).split(/[-_.@]/);
  return /^[a-z]{2,3}$/i.test(language) ? language.toLowerCase() : undefined;
}
