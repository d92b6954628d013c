import { type Config, defaultConfig } from '../config/config.js';
import { findConfig, settingsFiles } from '../config/find.js';
import { isBotError } from '../core/bot-error.js';
import { DONE } from '../core/deadline.js';
import { type Git, openGit, userGitContext } from '../git/git.js';
import { firstLine, runGit, toolsHint } from '../git/spawn.js';
import { installedHooks } from '../hooks/installed.js';
import { isOnPath } from '../lint/run.js';
import { serverOf } from '../model/address.js';
import { cleanEnvironment, findApfel } from '../model/apfel-program.js';
import type { Environment } from '../platform/processes.js';
import { type Bound, bounded, printedBy } from '../platform/run-program.js';
import { oneLine } from '../platform/safe-text.js';
import type {
  ConfigFact,
  DoctorFacts,
  GitFact,
  GithubFact,
  PowerFact,
  ProgramFact,
  RemoteFact,
  RepositoryFact,
  TokenAnswer,
} from './facts.js';
import { modelFindings, serverFact } from './gather-model.js';

export interface DoctorOptions {
  readonly cwd: string;
  readonly environment: Environment;
  readonly signal: AbortSignal;
  /** `--config FILE`, `--base-url`, `--model`, `--allow-remote` */
  readonly configFile: string | undefined;
  readonly baseUrl: string | undefined;
  readonly modelName: string | undefined;
  readonly allowRemote: boolean;
  readonly knownRules: readonly string[];
  /** For tests; this process and this machine otherwise. */
  readonly platform?: string;
  readonly nodeVersion?: string;
  readonly pmset?: string;
  readonly limits?: Partial<DoctorLimits>;
}

interface DoctorLimits {
  readonly programMs: number;
  readonly hooksMs: number;
  readonly probeMs: number;
  readonly modelMs: number;
}

/**
 * A program answers at once or is broken; the hooks start Node; a cold model needs some seconds for
 * its first token.
 */
const LIMITS: DoctorLimits = { programMs: 3000, hooksMs: 25_000, probeMs: 5000, modelMs: 12_000 };

/** Everything that `doctor` checks, in parallel; what takes too long is reported. */
export async function gatherFacts(options: DoctorOptions): Promise<DoctorFacts> {
  const closing = new AbortController();
  const signal = AbortSignal.any([options.signal, closing.signal]);
  try {
    return await gather({ ...options, signal }, { ...LIMITS, ...options.limits });
  } finally {
    // Git's processes wait for further requests.
    closing.abort(DONE);
  }
}

async function gather(options: DoctorOptions, limits: DoctorLimits): Promise<DoctorFacts> {
  const { cwd, environment, signal, platform = process.platform } = options;
  const bound: Bound = { ms: limits.programMs, signal };
  const [local, git, program, power, token] = await Promise.all([
    gatherLocal(options, limits),
    bounded(bound, until => gitFact({ cwd, env: environment, signal: until }), LATE_GIT),
    programFact(environment, bound),
    powerFact({ platform, pmset: options.pmset ?? '/usr/bin/pmset' }, bound),
    tokenAnswer(environment, { ms: limits.probeMs, signal }),
  ]);
  return {
    ...local,
    platform,
    nodeVersion: options.nodeVersion ?? process.versions.node,
    git,
    program,
    power,
    language: languageFact(environment),
    github: { ...githubFact(environment), token },
  };
}

const NO_TIME = 'git did not answer in time';
const LATE_GIT = { kind: 'missing', message: NO_TIME, hint: 'try: git --version' } as const;
const LATE_REPOSITORY = {
  fact: { kind: 'unusable', message: NO_TIME, hint: 'try: git status' },
  git: undefined,
} as const;

type LocalFacts = Pick<
  DoctorFacts,
  'repository' | 'config' | 'hooks' | 'remotes' | 'server' | 'model' | 'tokenShare'
>;

/** In this order: the repository decides the configuration, and that decides the server. */
async function gatherLocal(options: DoctorOptions, limits: DoctorLimits): Promise<LocalFacts> {
  const bound: Bound = { ms: limits.programMs, signal: options.signal };
  const place = { cwd: options.cwd, env: options.environment };
  const { fact: repository, git } = await bounded(
    bound,
    signal => openRepository({ ...place, signal }),
    LATE_REPOSITORY,
  );
  const { configFile: file, knownRules } = options;
  const path = options.environment['PATH'] ?? '';
  const { fact: config, config: settings } = await configFact({ file, git, knownRules, path });
  const [hooks, remotes, served] = await Promise.all([
    git &&
      bounded(
        { ...bound, ms: limits.hooksMs },
        signal => installedHooks({ ...place, signal }, { ms: limits.hooksMs, signal }),
        undefined,
      ),
    git ? bounded(bound, signal => remoteFacts({ ...place, signal }), []) : [],
    gatherServer(options, settings, limits),
  ]);
  return { repository, config, hooks, remotes, ...served };
}

async function gatherServer(
  options: DoctorOptions,
  { model: settings }: Config,
  limits: DoctorLimits,
): Promise<Pick<DoctorFacts, 'server' | 'model' | 'tokenShare'>> {
  const { environment, signal } = options;
  // An empty variable counts as unset.
  const place = {
    ...serverOf(options.baseUrl, environment, settings.baseUrl),
    modelName: options.modelName ?? (environment['APFEL_BOT_MODEL'] || settings.name),
    allowRemote: options.allowRemote,
    start: settings.start,
    isKept: settings.keepAliveMs !== undefined,
    contextWindow: settings.contextWindow,
    protocol: settings.protocol,
    environment,
  };
  const probing = serverFact(place, { ms: limits.probeMs, signal });
  const [server, findings] = await Promise.all([
    probing,
    modelFindings(place, { ms: limits.modelMs, signal }).catch(async (thrown: unknown) => {
      // The server's own check reports an unusable address.
      if ((await probing).kind === 'refused') return NOT_ASKED;
      throw thrown;
    }),
  ]);
  return { server, ...findings };
}

const NOT_ASKED = { model: { kind: 'unasked' }, tokenShare: undefined } as const;

interface ConfigContext {
  /** `--config FILE` */
  readonly file: string | undefined;
  readonly git: Git | undefined;
  readonly knownRules: readonly string[];
  /** Where programs are looked for. */
  readonly path: string;
}

/** The configuration that applies here; if it is invalid, the defaults for the other checks. */
async function configFact(
  place: ConfigContext,
): Promise<{ readonly fact: ConfigFact; readonly config: Config }> {
  try {
    const config = await findConfig({ ...place, base: undefined });
    const files = await settingsFiles({ git: place.git, base: undefined });
    const [origin, unused] = place.file === undefined ? files : [place.file];
    const cannotNotify =
      config.hooks.notify && !(await isOnPath('osascript', { PATH: place.path }));
    return { fact: { kind: 'valid', origin, unused, cannotNotify }, config };
  } catch (thrown) {
    if (!isBotError(thrown)) throw thrown;
    const { hint } = thrown;
    return {
      fact: { kind: 'broken', message: thrown.message, hint },
      config: defaultConfig(),
    };
  }
}

interface GitContext {
  readonly cwd: string;
  readonly env: Environment;
  readonly signal: AbortSignal;
}

async function gitFact(place: GitContext): Promise<GitFact> {
  try {
    const { code, stdout, stderr } = await runGit(userGitContext(place), ['version']);
    if (code !== 0) {
      const message = `git can't be run: ${oneLine(firstLine(stderr))}`;
      return { kind: 'missing', message, hint: toolsHint(stderr).hint };
    }
    // "git version 2.39.5 (Apple Git-154)"
    const printed = firstLine(stdout.subarray(0, 1000).toString('utf8'));
    return { kind: 'found', version: oneLine(printed.replace(/^git version /, '')) };
  } catch (thrown) {
    if (!isBotError(thrown)) throw thrown;
    return { kind: 'missing', message: thrown.message, hint: thrown.hint };
  }
}

interface OpenedRepository {
  readonly fact: RepositoryFact;
  /** Undefined when there is none that can be used. */
  readonly git: Git | undefined;
}

async function openRepository(place: GitContext): Promise<OpenedRepository> {
  try {
    const git = await openGit({ ...place, expectsStaged: false });
    const { top, gitDir, isShallow } = git.repository;
    return { fact: { kind: 'found', place: top ?? `${gitDir} (bare)`, isShallow }, git };
  } catch (thrown) {
    if (!isBotError(thrown)) throw thrown;
    const { message, hint } = thrown;
    return { fact: whyNone(message, hint), git: undefined };
  }
}

function whyNone(message: string, hint: string | undefined): RepositoryFact {
  if (message.includes('is not inside a git repository')) return { kind: 'none' };
  // Git itself is missing, which is a separate check.
  if (message.includes('not found on the PATH')) return { kind: 'unasked' };
  return { kind: 'unusable', message, hint };
}

const MAX_REMOTES = 20;

/** The hosts of the remotes, with the user's rewrite rules applied; never the rest of a URL. */
async function remoteFacts(place: GitContext): Promise<RemoteFact[]> {
  const { stdout } = await runGit(userGitContext(place), ['remote', '--verbose']);
  const lines = stdout.subarray(0, 100_000).toString('utf8').split('\n');
  const facts = lines.flatMap(line => {
    const [name = '', rest] = line.split('\t', 2);
    if (rest === undefined) return [];
    const url = rest.replace(/ \((?:fetch|push)\)(?: \[.*)?$/, '');
    return [{ name: oneLine(name), host: hostOf(url) }];
  });
  return facts.slice(0, MAX_REMOTES);
}

/** `https://host/…`, `ssh://user@host:22/…`, `user@host:path`; a folder has none. */
function hostOf(url: string): string | undefined {
  if (url.includes('://')) {
    const host = URL.canParse(url) ? new URL(url).host : '';
    return url.startsWith('file:') ? undefined : oneLine(host) || 'an unreadable address';
  }
  const colon = url.indexOf(':');
  // As in git: a slash before the first colon makes it a path.
  if (colon === -1 || url.slice(0, colon).includes('/')) return undefined;
  return oneLine(url.slice(url.lastIndexOf('@', colon) + 1, colon));
}

/** `apfel` on the PATH, and its version. */
async function programFact(
  environment: Environment,
  bound: Bound,
): Promise<ProgramFact | undefined> {
  const path = await findApfel(environment);
  if (path === undefined) return undefined;
  const env = cleanEnvironment(environment);
  const printed = (await printedBy(path, ['--version'], { env, bound })) ?? '';
  const version = /\d{1,6}\.\d{1,6}(?:\.\d{1,6})?/.exec(printed.slice(0, 1000))?.[0];
  return { path: oneLine(path), version };
}

/** Only macOS limits background requests on battery. */
async function powerFact(
  { platform, pmset }: { readonly platform: string; readonly pmset: string },
  bound: Bound,
): Promise<PowerFact> {
  if (platform !== 'darwin') return 'not-limited';
  const printed = await printedBy(pmset, ['-g', 'batt'], { env: {}, bound });
  if (printed?.includes("'Battery Power'")) return 'battery';
  return printed?.includes("'AC Power'") ? 'mains' : 'unknown';
}

/** Only the kind of token and the host; the token itself isn't passed on. */
const githubFact = (environment: Environment): Omit<GithubFact, 'token'> => ({
  tokenKind: tokenKind(environment['GITHUB_TOKEN'] ?? ''),
  apiHost: apiHost(environment['GITHUB_API_URL'] || 'https://api.github.com'),
});

const TOKEN_KINDS = [
  ['github_pat_', 'a fine-grained personal token'],
  ['ghp_', 'a classic personal token'],
  ['ghs_', "an installation token, such as that of a workflow's job"],
  ['gho_', 'an OAuth token'],
  ['ghu_', "a token of an app's user"],
  ['', 'a token of unknown kind'],
] as const;

const tokenKind = (token: string): string | undefined =>
  token === '' ? undefined : TOKEN_KINDS.find(([start]) => token.startsWith(start))?.[1];

const apiHost = (url: string): string | undefined =>
  (URL.canParse(url) && oneLine(new URL(url).host)) || undefined;

/** As in the C library: the first of these that is set. */
const languageFact = (environment: Environment): string | undefined => {
  const locale = environment['LC_ALL'] || environment['LC_MESSAGES'] || environment['LANG'];
  return locale === undefined || locale === '' ? undefined : oneLine(locale);
};

/** Doesn't count against any limit, and works with every token. */
const QUESTION = 'rate_limit';

/** Asks GitHub about the token, if one is set, and only its own host. */
export async function tokenAnswer(environment: Environment, bound: Bound): Promise<TokenAnswer> {
  const token = environment['GITHUB_TOKEN'] ?? '';
  const url = apiUrl(environment['GITHUB_API_URL'] || 'https://api.github.com');
  if (token === '' || url === undefined) return { kind: 'unasked' };
  return bounded(
    bound,
    async (signal): Promise<TokenAnswer> => {
      try {
        // A redirect would take the token elsewhere.
        const { status, headers } = await fetch(url, {
          headers: { authorization: `Bearer ${token}`, 'user-agent': 'apfel-bot' },
          redirect: 'error',
          signal,
        });
        if (status === 401 || status === 403) return { kind: 'refused', status };
        if (status !== 200) return { kind: 'unreachable', message: `it answered ${status}` };
        return scopesIn(headers.get('x-oauth-scopes'));
      } catch (thrown) {
        signal.throwIfAborted();
        return { kind: 'unreachable', message: reasonOf(thrown) };
      }
    },
    { kind: 'unreachable', message: 'it did not answer in time' },
  );
}

/** Only classic and OAuth tokens have scopes; GitHub doesn't list them for others. */
const scopesIn = (header: string | null): TokenAnswer =>
  header === null
    ? { kind: 'unlisted' }
    : { kind: 'scopes', scopes: oneLine(header).split(/[ ,]+/).filter(Boolean) };

/** Without user and password, which `fetch` refuses and no output may show. */
function apiUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { origin, pathname } = new URL(text);
  return origin === 'null' ? undefined : `${origin}${pathname.replace(/\/*$/, '/')}${QUESTION}`;
}

function reasonOf(thrown: unknown): string {
  const inner = thrown instanceof Error ? (thrown.cause ?? thrown) : thrown;
  return oneLine(inner instanceof Error ? inner.message : String(inner));
}
