import { knownRules } from '../checks/rules.js';
import type { Config } from '../config/config.js';
import { configFrom, findConfig } from '../config/find.js';
import { type WorkOptions, workOptions } from '../config/options.js';
import { BotError, isBotError } from '../core/bot-error.js';
import { type Parsed, usage } from '../core/task.js';
import { openGit, userGitContext } from '../git/git.js';
import { runSimpleGit } from '../git/remote.js';
import { askGitWord } from '../git/spawn.js';
import { openGithub } from '../github/github.js';
import { addStepSummary, failedRunUrl, githubPlace, openPause } from '../github/place.js';
import type { Github, GithubPull } from '../github/types.js';
import { finishedOf, noteOf } from '../notes/record.js';
import { notesPlace, writeRecords } from '../notes/store.js';
import { nodeClock } from '../platform/clock.js';
import { nodeFiles } from '../platform/files.js';
import type { CommandEnd, Session } from '../session.js';
import { type AnyOutcome, changeOf, isReview, readOutcomeFile, trusted } from './outcome-file.js';
import { type PostSettings, post as postOn } from './post.js';

/** Contract: ten minutes where nothing else is said. */
const LONGEST_MS = 600_000;

/** `post FILE`: holds the token, so it never talks to a model and runs nothing of the change. */
export async function post(parsed: Parsed, session: Session): Promise<CommandEnd> {
  const [file, stray] = [...parsed.words, ...parsed.paths];
  if (file === undefined) throw usage('post needs an outcome: apfel-bot post outcome.json');
  if (stray !== undefined) throw usage(`unexpected argument ${JSON.stringify(stray)}`);
  const options = workOptions({ ...parsed, paths: [] });
  const deadlineMs = options.deadlineMs ?? LONGEST_MS;
  session.endAfter(deadlineMs);
  const [note, check] = [parsed.switches.has('note'), parsed.switches.has('check')];
  const asked = { pr: options.pull?.number, note, check };
  try {
    const outcome = await readOutcomeFile(file);
    const targets = targetsOf(outcome, asked);
    const lines = [
      ...(targets.isNote ? [await writeNote(outcome, session, options)] : []),
      ...(targets.onGithub
        ? await writeThere({ outcome, targets, options, session, deadlineMs })
        : []),
    ];
    return { text: options.isQuiet ? '' : `${lines.join('\n')}\n`, ending: 'done' };
  } catch (thrown) {
    throw withPath(thrown, file);
  }
}

/** A failure to publish loses nothing, and says where it is. */
function withPath(thrown: unknown, file: string): unknown {
  const isOurs = isBotError(thrown) && ['publish-failed', 'not-permitted'].includes(thrown.code);
  if (!isOurs) return thrown;
  const kept = `The outcome is kept: ${file}`;
  const hint = thrown.hint === undefined ? kept : `${thrown.hint}\n  ${kept}`;
  return new BotError(thrown.code, thrown.message, { hint, cause: thrown.cause });
}

interface Job {
  readonly outcome: AnyOutcome;
  readonly targets: PostTargets;
  readonly options: WorkOptions;
  readonly session: Session;
  readonly deadlineMs: number;
}

async function writeThere({
  outcome,
  targets,
  options,
  session,
  deadlineMs,
}: Job): Promise<string[]> {
  const { signal, version, env } = session;
  const deadlineAt = nodeClock.now() + deadlineMs;
  const githubApi = await openGithub(githubPlace(env), { signal, deadlineAt, version });
  let isNoted = targets.isNote;
  const settingsFor = async (pull: GithubPull | undefined): Promise<PostSettings> => {
    const config = await configAt(githubApi, pull, options);
    isNoted ||= config.publish.notes;
    const { maxComments, author } = config.publish;
    return { failOn: options.failOn ?? config.review.failOn, maxComments, author };
  };
  const where = { pull: targets.pull, withCheck: targets.isCheck, runUrl: failedRunUrl(env) };
  const { isDryRun } = options;
  const keep = (text: string): Promise<boolean> => addStepSummary(env, text);
  const job = { outcome, ...where, isDryRun, pause: openPause(signal), settingsFor, keep };
  const { lines, text } = await postOn(job, githubApi);
  if (isDryRun) return [...lines, '', text];
  await keep(text);
  const isLeft = isNoted && !targets.isNote && isReview(outcome);
  return [...lines, ...(isLeft ? [await writeNote(outcome, session, options)] : [])];
}

/** The job that publishes has no checkout: what the base says is asked of GitHub. */
function configAt(
  githubApi: Github,
  pull: GithubPull | undefined,
  { config: file }: WorkOptions,
): Promise<Config> {
  if (file !== undefined) {
    const place = { file, base: undefined, git: undefined, files: nodeFiles };
    return findConfig({ ...place, knownRules: knownRules() });
  }
  const read = async (name: string): Promise<string | undefined> => {
    if (pull === undefined) return undefined;
    const found = await githubApi.fileAt(pull.base.sha, name);
    return found.state === 'there' ? found.text : undefined;
  };
  return configFrom(read, knownRules());
}

async function writeNote(
  outcome: AnyOutcome,
  session: Session,
  { isDryRun }: WorkOptions,
): Promise<string> {
  const head = changeOf(outcome)?.head;
  if (!isReview(outcome) || head === undefined) {
    throw usage(`a note is of a review; an outcome of ${outcome.task} is posted with --pr N`);
  }
  const { repository, resolve } = await openGit({ ...session, expectsStaged: false });
  const commit = await resolve(head);
  const tree = await askGitWord(userGitContext(session), [
    'rev-parse',
    '--verify',
    `${commit}^{tree}`,
  ]);
  const record = noteOf(finishedOf(trusted(outcome)), { commit, tree });
  if (isDryRun) return `nothing written; it would be noted on ${commit.slice(0, 12)}`;
  await writeRecords(notesPlace({ ...session, repository }, runSimpleGit), [record]);
  return `noted on ${commit.slice(0, 12)}`;
}

export interface PostAsked {
  /** `--pr N` */
  readonly pr: number | undefined;
  readonly note: boolean;
  readonly check: boolean;
}

export interface PostTargets {
  readonly pull: number | undefined;
  readonly isNote: boolean;
  readonly isCheck: boolean;
  /** Whether a token is needed at all. */
  readonly onGithub: boolean;
}

/** Where an outcome goes: what was asked for, else its pull request, else a note. */
export function targetsOf(outcome: AnyOutcome, asked: PostAsked): PostTargets {
  const change = changeOf(outcome);
  if (change?.head === 'index' || change?.head === 'stdin') {
    const what = change.head === 'index' ? 'the index' : 'a diff from standard input';
    throw new BotError('usage', `the outcome is of ${what}, which has no commit to speak of`, {
      hint: 'Post the outcome of a commit or a range; of the index, post-commit keeps a note',
    });
  }
  // With --note alone nothing is asked of GitHub.
  const own = asked.note && !asked.check ? undefined : (change?.pull ?? undefined);
  const pull = asked.pr ?? own;
  const isAnywhere = pull !== undefined || asked.check;
  if (change === undefined && pull === undefined) {
    throw new BotError('usage', `an outcome of ${outcome.task} is posted on a pull request`, {
      hint: 'Say which one: --pr N',
    });
  }
  return {
    pull,
    isNote: asked.note || !isAnywhere,
    isCheck: asked.check,
    onGithub: isAnywhere,
  };
}
