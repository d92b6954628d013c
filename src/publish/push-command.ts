import { knownRules } from '../checks/rules.js';
import type { Config } from '../config/config.js';
import { configFrom, findConfig } from '../config/find.js';
import { type WorkOptions, workOptions } from '../config/options.js';
import { BotError, isBotError } from '../core/bot-error.js';
import { type Parsed, usage } from '../core/task.js';
import { openGit, userGitContext } from '../git/git.js';
import { protectedPath } from '../git/protected-path.js';
import { remoteRepository } from '../git/remote.js';
import { runGit } from '../git/spawn.js';
import { openGithub } from '../github/github.js';
import {
  addStepSummary,
  failedRunUrl,
  type GithubPlace,
  githubPlace,
  openPause,
  webUrlOf,
} from '../github/place.js';
import type { Github } from '../github/types.js';
import { temporaryFolder } from '../lint/run.js';
import { nodeClock } from '../platform/clock.js';
import { nodeFiles } from '../platform/files.js';
import { picomatchGlobs } from '../platform/globs.js';
import type { Environment } from '../platform/processes.js';
import { forTerminalLines } from '../platform/safe-text.js';
import type { CommandEnd, Session } from '../session.js';
import { type AnyOutcome, readOutcomeFile } from './outcome-file.js';
import { type PushJob, type PushReport, type PushSettings, push as pushTo } from './push.js';
import { openRemoteGitHere } from './remote-git.js';
import { openRemoteRepo } from './remote-repo.js';

/** Contract: ten minutes where nothing else is said. */
const LONGEST_MS = 600_000;

/** `push FILE`: holds the token, so it never talks to a model and runs nothing of the change. */
export async function push(parsed: Parsed, session: Session): Promise<CommandEnd> {
  const [file, stray] = [...parsed.words, ...parsed.paths];
  if (file === undefined) throw usage('push needs an outcome: apfel-bot push outcome.json');
  if (stray !== undefined) throw usage(`unexpected argument ${JSON.stringify(stray)}`);
  const options = workOptions({ ...parsed, paths: [] });
  session.endAfter(options.deadlineMs ?? LONGEST_MS);
  try {
    const outcome = fixed(await readOutcomeFile(file));
    const asked = { parsed, options, session, file };
    const pull = options.pull?.number ?? outcome.change.pull ?? undefined;
    const { lines, text } = await pushThere(outcome, pull, asked);
    if (text !== '') await addStepSummary(session.env, text);
    return { text: told(lines, options), ending: 'done' };
  } catch (thrown) {
    throw withPath(thrown, { file, session });
  }
}

function fixed(outcome: AnyOutcome): PushJob['outcome'] {
  if (outcome.task === 'fix-lint') return { ...outcome, task: outcome.task };
  throw usage(`push takes an outcome of fix-lint; one of ${outcome.task} is published with post`);
}

const told = (lines: readonly string[], { isQuiet, isDryRun }: WorkOptions): string =>
  isQuiet && !isDryRun ? '' : `${forTerminalLines(lines.join('\n'))}\n`;

interface Asked {
  readonly parsed: Parsed;
  readonly options: WorkOptions;
  readonly session: Session;
  readonly file: string;
}

async function pushThere(
  outcome: PushJob['outcome'],
  pull: number | undefined,
  { parsed, options, session, file }: Asked,
): Promise<PushReport> {
  const { signal, version } = session;
  const env = { ...session.env, GITHUB_REPOSITORY: await repositoryOf(session) };
  const place = githubPlace(env);
  const deadlineAt = nodeClock.now() + (options.deadlineMs ?? LONGEST_MS);
  const githubApi = await openGithub(place, { signal, deadlineAt, version });
  const remoteGit = openRemoteGitHere({
    address: pushAddress(place, env),
    token: place.token,
    env,
    signal,
  });
  const temp = temporaryFolder();
  const remoteRepo = await openRemoteRepo({ remoteGit, outcome: file, temp, signal });
  try {
    const job: PushJob = {
      outcome,
      pull,
      isDryRun: options.isDryRun,
      isBranchOnly: parsed.switches.has('branch-only'),
      isAnswer: parsed.switches.has('answer'),
      runUrl: failedRunUrl(env),
      pause: openPause(signal),
      settingsAt: async commit => settingsOf(await configAt(githubApi, commit, options.config)),
    };
    return await pushTo(job, { githubApi, remoteRepo });
  } finally {
    await remoteRepo.remove();
  }
}

/** At a desk the clone says it. */
const repositoryOf = async (session: Session): Promise<string | undefined> =>
  session.env['GITHUB_REPOSITORY'] || (await originOf(session));

/** The job that publishes has no checkout: what the base says is asked of GitHub. */
async function configAt(
  githubApi: Github,
  commit: string,
  file: string | undefined,
): Promise<Config> {
  if (file !== undefined) {
    const place = { file, base: undefined, git: undefined, files: nodeFiles };
    return findConfig({ ...place, knownRules: knownRules() });
  }
  const read = async (name: string): Promise<string | undefined> => {
    const found = await githubApi.fileAt(commit, name);
    if (found.state === 'there') return found.text;
    if (found.state === 'absent') return undefined;
    // It may protect paths, so without it nothing is pushed.
    throw new BotError('publish-failed', `${name} of ${commit.slice(0, 12)} cannot be read`, {
      hint: 'The job needs permissions: contents: write; run it again, or name it with --config',
    });
  };
  return configFrom(read, knownRules());
}

async function settingsOf({ branch, publish }: Config): Promise<PushSettings> {
  const isProtected = await picomatchGlobs.matcher(branch.protect);
  return {
    prefix: branch.prefix,
    mayEdit: path => protectedPath(path) === undefined && !isProtected(path),
    author: publish.author,
  };
}

/** A failure to publish loses nothing, and says where it is. */
function withPath(
  thrown: unknown,
  { file, session }: { readonly file: string; readonly session: Session },
): unknown {
  if (!isBotError(thrown)) {
    if (!session.signal.aborted) return thrown;
    return new BotError('publish-failed', 'the time was up before all was pushed', {
      hint: `Run it again, with more time: --deadline 20m\n  The outcome is kept: ${file}`,
      cause: thrown,
    });
  }
  if (thrown.code !== 'publish-failed' && thrown.code !== 'not-permitted') return thrown;
  const kept = `The outcome is kept: ${file}`;
  const hint = thrown.hint === undefined ? kept : `${thrown.hint}\n  ${kept}`;
  return new BotError(thrown.code, thrown.message, { hint, cause: thrown.cause });
}

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
  const { code, stdout } = await runGit(userGitContext(place), [
    'remote',
    'get-url',
    '--',
    'origin',
  ]);
  const found = code === 0 ? remoteRepository(stdout.toString('utf8')) : undefined;
  return found?.host === hostOf(place.env) ? found.name : undefined;
}

function hostOf(env: Environment): string {
  const server = env['GITHUB_SERVER_URL'] || env['GITHUB_API_URL'] || '';
  if (!URL.canParse(server)) return GITHUB;
  const { hostname } = new URL(server);
  return hostname === `api.${GITHUB}` ? GITHUB : hostname;
}
