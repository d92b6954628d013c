import type { Config } from '../../config.js';
import { DONE } from '../../core/time-up.js';
import type { DoctorFacts } from '../../doctor/doctor-facts.js';
import type { Environment } from '../apfel/apfel-executable.js';
import { type Bound, bounded } from './doctor-facts-bounded.js';
import { configFact } from './doctor-facts-config.js';
import { gitFact, openRepository, remoteFacts } from './doctor-facts-git.js';
import { hooksFact } from './doctor-facts-hooks.js';
import { githubFact, languageFact, powerFact, programFact } from './doctor-facts-machine.js';
import { modelFindings } from './doctor-facts-model.js';
import { serverFact } from './doctor-facts-server.js';
import { tokenAnswer } from './doctor-facts-token.js';

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
  readonly defaultBaseUrl?: string;
  readonly platform?: string;
  readonly nodeVersion?: string;
  readonly pmset?: string;
  readonly limits?: Partial<DoctorLimits>;
}

export interface DoctorLimits {
  readonly programMs: number;
  readonly probeMs: number;
  readonly modelMs: number;
}

/** A program answers at once or is broken; a cold model needs some seconds for its first word. */
const LIMITS: DoctorLimits = { programMs: 3000, probeMs: 2000, modelMs: 12_000 };

/** Everything that `doctor` judges, side by side; what is late is told and not waited for. */
export async function gatherFacts(options: DoctorOptions): Promise<DoctorFacts> {
  const closing = new AbortController();
  const signal = AbortSignal.any([options.signal, closing.signal]);
  try {
    return await gather({ ...options, signal }, { ...LIMITS, ...options.limits });
  } finally {
    // Git's processes wait for further questions.
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
  'repository' | 'config' | 'hooks' | 'remotes' | 'server' | 'model' | 'tokens'
>;

/** What hangs together: the repository says which configuration counts, and that which server. */
async function gatherLocal(options: DoctorOptions, limits: DoctorLimits): Promise<LocalFacts> {
  const bound: Bound = { ms: limits.programMs, signal: options.signal };
  const place = { cwd: options.cwd, env: options.environment };
  const { fact: repository, git } = await bounded(
    bound,
    signal => openRepository({ ...place, signal }),
    LATE_REPOSITORY,
  );
  const { configFile: file, knownRules } = options;
  const { fact: config, config: settings } = await configFact({ file, git, knownRules });
  const [hooks, remotes, served] = await Promise.all([
    git && bounded(bound, signal => hooksFact({ ...place, signal }, git.repository), undefined),
    git ? bounded(bound, signal => remoteFacts({ ...place, signal }), []) : [],
    gatherServer(options, settings, limits),
  ]);
  return { repository, config, hooks, remotes, ...served };
}

async function gatherServer(
  options: DoctorOptions,
  { model: settings }: Config,
  limits: DoctorLimits,
): Promise<Pick<DoctorFacts, 'server' | 'model' | 'tokens'>> {
  const { environment, signal } = options;
  // A variable that is set to nothing says nothing.
  const place = {
    baseUrl: options.baseUrl ?? (environment['APFEL_BOT_BASE_URL'] || settings.baseUrl),
    defaultBaseUrl: options.defaultBaseUrl,
    modelName: options.modelName ?? (environment['APFEL_BOT_MODEL'] || settings.name),
    apiKey: environment['APFEL_BOT_API_KEY'] || undefined,
    allowRemote: options.allowRemote,
    start: settings.start,
    contextWindow: settings.contextWindow,
    environment,
  };
  const looking = serverFact(place, { ms: limits.probeMs, signal });
  const [server, findings] = await Promise.all([
    looking,
    modelFindings(place, { ms: limits.modelMs, signal }).catch(async (thrown: unknown) => {
      // An address that cannot be used is told in the server's line.
      if ((await looking).kind === 'refused') return NOT_ASKED;
      throw thrown;
    }),
  ]);
  return { server, ...findings };
}

const NOT_ASKED = { model: { kind: 'unasked' }, tokens: undefined } as const;
