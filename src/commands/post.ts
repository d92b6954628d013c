import { askGitWord } from '../adapters/commit/git-commit-ask.js';
import { openGit, userSpot } from '../adapters/git/git.js';
import { openGithub } from '../adapters/github/github.js';
import { githubPlace } from '../adapters/github/github-place.js';
import { addStepSummary } from '../adapters/github/step-summary.js';
import { nodeClock } from '../adapters/node-clock.js';
import { nodeFiles } from '../adapters/node-files.js';
import { notesPlace, writeRecords } from '../adapters/notes/note-book.js';
import { openPause } from '../adapters/pause.js';
import { knownRules } from '../checks/rules.js';
import type { Config } from '../config.js';
import { BotError, isBotError } from '../core/failure.js';
import type { Forge, ForgePull } from '../core/forge.js';
import { finishedOf, noteOf } from '../core/note.js';
import { type PostTargets, targetsOf } from '../post/targets.js';
import { type AnyOutcome, changeOf, isReview, trusted } from '../post/trust.js';
import { type PostSettings, post as postOn } from '../post.js';
import { failedRunUrl } from '../respond/failed-run-url.js';
import { configFrom, findConfig } from '../trigger/find-config.js';
import { type Parsed, usage } from '../trigger/parse-argv.js';
import { type WorkOptions, workOptions } from '../trigger/work-options.js';
import type { CommandEnd, Desk } from './desk.js';
import { readOutcomeFile } from './outcome-file.js';

/** Contract: ten minutes where nothing else is said. */
const LONGEST_MS = 600_000;

/** `post FILE`: holds the token, so it never talks to a model and runs nothing of the change. */
export async function post(parsed: Parsed, desk: Desk): Promise<CommandEnd> {
  const [file, stray] = [...parsed.words, ...parsed.paths];
  if (file === undefined) throw usage('post needs an outcome: apfel-bot post outcome.json');
  if (stray !== undefined) throw usage(`unexpected argument ${JSON.stringify(stray)}`);
  const options = workOptions({ ...parsed, paths: [] });
  const deadlineMs = options.deadlineMs ?? LONGEST_MS;
  desk.endAfter(deadlineMs);
  const [note, check] = [parsed.switches.has('note'), parsed.switches.has('check')];
  const asked = { pr: options.pull?.number, note, check };
  try {
    const outcome = await readOutcomeFile(file);
    const targets = targetsOf(outcome, asked);
    const lines = [
      ...(targets.isNote ? [await writeNote(outcome, desk, options)] : []),
      ...(targets.onForge ? await writeThere({ outcome, targets, options, desk, deadlineMs }) : []),
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
  readonly desk: Desk;
  readonly deadlineMs: number;
}

async function writeThere({ outcome, targets, options, desk, deadlineMs }: Job): Promise<string[]> {
  const { signal, version, env } = desk;
  const deadlineAt = nodeClock.now() + deadlineMs;
  const forge = await openGithub(githubPlace(env), { signal, deadlineAt, version });
  let isNoted = targets.isNote;
  const settingsFor = async (pull: ForgePull | undefined): Promise<PostSettings> => {
    const config = await configAt(forge, pull, options);
    isNoted ||= config.publish.notes;
    const { maxComments, author } = config.publish;
    return { failOn: options.failOn ?? config.review.failOn, maxComments, author };
  };
  const where = { pull: targets.pull, withCheck: targets.isCheck, runUrl: failedRunUrl(env) };
  const { isDryRun } = options;
  const keep = (text: string): Promise<boolean> => addStepSummary(env, text);
  const job = { outcome, ...where, isDryRun, pause: openPause(signal), settingsFor, keep };
  const { lines, text } = await postOn(job, forge);
  if (isDryRun) return [...lines, '', text];
  await keep(text);
  const isLeft = isNoted && !targets.isNote && isReview(outcome);
  return [...lines, ...(isLeft ? [await writeNote(outcome, desk, options)] : [])];
}

/** The job that publishes has no checkout: what the base says is asked of GitHub. */
function configAt(
  forge: Forge,
  pull: ForgePull | undefined,
  { config: file }: WorkOptions,
): Promise<Config> {
  if (file !== undefined) {
    const place = { file, base: undefined, git: undefined, files: nodeFiles };
    return findConfig({ ...place, knownRules: knownRules() });
  }
  const read = async (name: string): Promise<string | undefined> => {
    if (pull === undefined) return undefined;
    const found = await forge.fileAt(pull.base.sha, name);
    return found.state === 'there' ? found.text : undefined;
  };
  return configFrom(read, knownRules());
}

async function writeNote(
  outcome: AnyOutcome,
  desk: Desk,
  { isDryRun }: WorkOptions,
): Promise<string> {
  const head = changeOf(outcome)?.head;
  if (!isReview(outcome) || head === undefined) {
    throw usage(`a note is of a review; an outcome of ${outcome.task} is posted with --pr N`);
  }
  const { repository, resolve } = await openGit({ ...desk, expectsStaged: false });
  const commit = await resolve(head);
  const tree = await askGitWord(userSpot(desk), ['rev-parse', '--verify', `${commit}^{tree}`]);
  const record = noteOf(finishedOf(trusted(outcome)), { commit, tree });
  if (isDryRun) return `nothing written; it would be noted on ${commit.slice(0, 12)}`;
  await writeRecords(notesPlace({ ...desk, repository }), [record]);
  return `noted on ${commit.slice(0, 12)}`;
}
