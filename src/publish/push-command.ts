import type { Config } from '../config/config.js';
import { type WorkOptions, workOptions } from '../config/options.js';
import { BotError, isBotError } from '../core/bot-error.js';
import type { AnyOutcome } from '../core/outcome.js';
import { type ParsedArguments, usage } from '../core/task.js';
import { openGit, userGitContext } from '../git/git.js';
import { protectedPath } from '../git/protected-path.js';
import { remoteRepository } from '../git/remote.js';
import { runGit } from '../git/spawn.js';
import { type Github, openGithub } from '../github/github.js';
import {
  addStepSummary,
  type GithubTarget,
  githubTarget,
  isSafeUrl,
  openPause,
  webUrlOf,
  workflowRunUrl,
} from '../github/target.js';
import { temporaryFolder } from '../lint/run.js';
import { nodeClock } from '../platform/clock.js';
import { globMatcher } from '../platform/globs.js';
import type { Environment } from '../platform/processes.js';
import { forTerminalLines } from '../platform/safe-text.js';
import type { CommandEnd, Session } from '../session.js';
import { mustBeAllowed, mustBeBound } from './bound-event.js';
import {
  DEADLINE_MS,
  outcomeFile,
  publishConfig,
  readOutcomeFile,
  withOutcomePath,
} from './outcome-file.js';
import { type PushJob, type PushReport, type PushSettings, push as pushTo } from './push.js';
import { openRemoteRepo } from './remote-repo.js';

/** `push FILE`: has the token, so it never talks to a model and runs no code of the change. */
export async function push(parsed: ParsedArguments, session: Session): Promise<CommandEnd> {
  const file = outcomeFile('push', parsed);
  const options = workOptions({ ...parsed, paths: [] });
  session.endAfter(options.deadlineMs ?? DEADLINE_MS);
  try {
    const { lines, text } = await pushOutcome(file, parsed, { options, session });
    if (text !== '') await addStepSummary(session.env, text);
    const isSilent = options.isQuiet && !options.isDryRun;
    return {
      text: isSilent ? '' : `${forTerminalLines(lines.join('\n'))}\n`,
      ending: 'done',
    };
  } catch (thrown) {
    throw withOutcomePath(thrown, file, session);
  }
}

async function pushOutcome(
  file: string,
  { switches }: ParsedArguments,
  { options, session }: { readonly options: WorkOptions; readonly session: Session },
): Promise<PushReport> {
  const outcome = fixOutcome(await readOutcomeFile(file));
  const { signal, version } = session;
  const repository = session.env['GITHUB_REPOSITORY'] || (await originOf(session));
  const env = { ...session.env, GITHUB_REPOSITORY: repository };
  const place = githubTarget(env);
  const deadlineAt = nodeClock.now() + (options.deadlineMs ?? DEADLINE_MS);
  const githubApi = await openGithub(place, { signal, deadlineAt, version });
  const pull = options.pull?.number ?? outcome.change.pull ?? undefined;
  const eventBranch = await mustBeBound(env, { pull, head: outcome.change.head }, githubApi);
  await mustBeAllowed(env, githubApi);
  const remote = { address: pushAddress(place, env), token: place.token, env, signal };
  const remoteRepo = await openRemoteRepo(remote, temporaryFolder());
  try {
    const job: PushJob = {
      outcome,
      file,
      pull,
      eventBranch,
      isDryRun: options.isDryRun,
      isBranchOnly: switches.has('branch-only'),
      isAnswer: switches.has('answer'),
      runUrl: workflowRunUrl(env),
      pause: openPause(signal),
      settingsAt: async commit => settingsOf(await configAt(githubApi, commit, options.config)),
    };
    return await pushTo(job, { githubApi, remoteRepo });
  } finally {
    await remoteRepo.remove();
  }
}

function fixOutcome(outcome: AnyOutcome): PushJob['outcome'] {
  if (outcome.task === 'fix-lint') return { ...outcome, task: outcome.task };
  throw usage(`push takes an outcome of fix-lint; publish one of ${outcome.task} with post`);
}

const configAt = (githubApi: Github, commit: string, file: string | undefined): Promise<Config> =>
  publishConfig(file, async name => {
    const found = await githubApi.fileAt(commit, name);
    if (found.state === 'there') return found.text;
    if (found.state === 'absent') return undefined;
    // It may protect paths, so nothing is pushed without it.
    throw new BotError('publish-failed', `can't read ${name} at ${commit.slice(0, 12)}`, {
      hint: 'The job needs permissions: contents: write; run it again, or name a file with --config',
    });
  });

async function settingsOf({ branch, publish }: Config): Promise<PushSettings> {
  const isProtected = await globMatcher(branch.protect);
  return {
    prefix: branch.prefix,
    mayEdit: path => protectedPath(path) === undefined && !isProtected(path),
    author: publish.author,
  };
}

/** Where git pushes to: only to the server that the token is for. */
function pushAddress(place: GithubTarget, env: Environment): string {
  const server = env['GITHUB_SERVER_URL'] || webUrlOf(place.apiUrl);
  const found = URL.canParse(server) ? new URL(server) : undefined;
  if (found === undefined || !isSafeUrl(found) || found.username !== '' || found.search !== '') {
    throw new BotError('usage', `GITHUB_SERVER_URL is ${JSON.stringify(server)}`, {
      hint: 'Set it to https://github.com, or to https://HOST for a GitHub Enterprise Server',
    });
  }
  const path = found.pathname.replace(/\/+$/, '');
  return `${found.origin}${path}/${place.owner}/${place.name}.git`;
}

const GITHUB = 'github.com';

/** `owner/name` of the clone's origin if it is on the token's server; origin isn't contacted. */
async function originOf(place: {
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
  const args = ['remote', 'get-url', '--', 'origin'];
  const { code, stdout } = await runGit(userGitContext(place), args);
  const found = code === 0 ? remoteRepository(stdout.toString('utf8')) : undefined;
  return found?.host === hostOf(place.env) ? found.name : undefined;
}

function hostOf(env: Environment): string {
  const server = env['GITHUB_SERVER_URL'] || env['GITHUB_API_URL'] || '';
  if (!URL.canParse(server)) return GITHUB;
  const { hostname } = new URL(server);
  return hostname === `api.${GITHUB}` ? GITHUB : hostname;
}
