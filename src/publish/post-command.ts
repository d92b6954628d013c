import { type WorkOptions, workOptions } from '../config/options.js';
import { BotError } from '../core/bot-error.js';
import type { AnyOutcome } from '../core/outcome.js';
import { type ParsedArguments, usage } from '../core/task.js';
import { openGit, userGitContext } from '../git/git.js';
import { runSimpleGit } from '../git/remote.js';
import { askGitWord } from '../git/spawn.js';
import { openGithub } from '../github/github.js';
import type { GithubPull } from '../github/pulls.js';
import { addStepSummary, githubTarget, openPause, workflowRunUrl } from '../github/target.js';
import { finishedOf, noteOf } from '../notes/record.js';
import { appendNote, notesPlace } from '../notes/store.js';
import { nodeClock } from '../platform/clock.js';
import type { CommandEnd, Session } from '../session.js';
import { mustBeBound } from './bound-event.js';
import {
  changeOf,
  DEADLINE_MS,
  isReview,
  outcomeFile,
  publishConfig,
  readOutcomeFile,
  trusted,
  withOutcomePath,
} from './outcome-file.js';
import { type PostSettings, post as postOn } from './post.js';

/** `post FILE`: has the token, so it never talks to a model and runs no code of the change. */
export async function post(parsed: ParsedArguments, session: Session): Promise<CommandEnd> {
  const file = outcomeFile('post', parsed);
  const options = workOptions({ ...parsed, paths: [] });
  session.endAfter(options.deadlineMs ?? DEADLINE_MS);
  try {
    const outcome = await readOutcomeFile(file);
    const targets = targetsOf(outcome, {
      pr: options.pull?.number,
      note: parsed.switches.has('note'),
      check: parsed.switches.has('check'),
    });
    const lines = [
      ...(targets.isNote ? [await writeNote(outcome, session, options)] : []),
      ...(targets.onGithub ? await postOnGithub(outcome, targets, { options, session }) : []),
    ];
    return { text: options.isQuiet ? '' : `${lines.join('\n')}\n`, ending: 'done' };
  } catch (thrown) {
    throw withOutcomePath(thrown, file, session);
  }
}

async function postOnGithub(
  outcome: AnyOutcome,
  targets: PostTargets,
  { options, session }: { readonly options: WorkOptions; readonly session: Session },
): Promise<string[]> {
  const { signal, version, env } = session;
  const { isDryRun } = options;
  const deadlineAt = nodeClock.now() + (options.deadlineMs ?? DEADLINE_MS);
  const githubApi = await openGithub(githubTarget(env), { signal, deadlineAt, version });
  const target = { pull: targets.pull, head: changeOf(outcome)?.head };
  await mustBeBound(env, target, githubApi);
  let wantsNote = targets.isNote;
  const settingsFor = async (pull: GithubPull | undefined): Promise<PostSettings> => {
    const config = await publishConfig(options.config, async name => {
      if (pull === undefined) return undefined;
      const found = await githubApi.fileAt(pull.base.sha, name);
      return found.state === 'there' ? found.text : undefined;
    });
    wantsNote ||= config.publish.notes;
    const { maxComments, author } = config.publish;
    return { failOn: options.failOn ?? config.review.failOn, maxComments, author };
  };
  const showInJob = (text: string): Promise<boolean> => addStepSummary(env, text);
  const job = {
    outcome,
    pull: targets.pull,
    withCheck: targets.isCheck,
    isDryRun,
    runUrl: workflowRunUrl(env),
    pause: openPause(signal),
    settingsFor,
    keep: showInJob,
  };
  const { lines, text } = await postOn(job, githubApi);
  if (isDryRun) return [...lines, '', text];
  await showInJob(text);
  const isNoteLeft = wantsNote && !targets.isNote && isReview(outcome);
  return [...lines, ...(isNoteLeft ? [await writeNote(outcome, session, options)] : [])];
}

async function writeNote(
  outcome: AnyOutcome,
  session: Session,
  { isDryRun }: WorkOptions,
): Promise<string> {
  const head = changeOf(outcome)?.head;
  if (!isReview(outcome) || head === undefined) {
    throw usage(`only a review can become a note; post an outcome of ${outcome.task} with --pr N`);
  }
  const { repository, resolve } = await openGit({ ...session, expectsStaged: false });
  const commit = await resolve(head);
  const tree = await askGitWord(userGitContext(session), [
    'rev-parse',
    '--verify',
    `${commit}^{tree}`,
  ]);
  const record = noteOf(finishedOf(trusted(outcome)), { commit, tree });
  if (isDryRun) return `nothing written; the note would go to ${commit.slice(0, 12)}`;
  // The outcome may come from another machine, so a hook here doesn't trust it.
  await appendNote(notesPlace({ ...session, repository }, runSimpleGit), commit, { ...record });
  return `note written to ${commit.slice(0, 12)}`;
}

interface PostTargets {
  readonly pull: number | undefined;
  readonly isNote: boolean;
  readonly isCheck: boolean;
  /** Whether a token is needed at all. */
  readonly onGithub: boolean;
}

/** Where an outcome goes: where the options say, otherwise to its pull request or into a note. */
export function targetsOf(
  outcome: AnyOutcome,
  options: { readonly pr: number | undefined; readonly note: boolean; readonly check: boolean },
): PostTargets {
  const change = changeOf(outcome);
  if (change?.head === 'index' || change?.head === 'stdin') {
    const what = change.head === 'index' ? 'the index' : 'a diff from standard input';
    throw new BotError('usage', `the outcome is for ${what}, which has no commit`, {
      hint: 'Post the outcome of a commit or a range; the post-commit hook writes the note for the index',
    });
  }
  // With --note alone GitHub isn't contacted.
  const own = options.note && !options.check ? undefined : (change?.pull ?? undefined);
  const pull = options.pr ?? own;
  const isOnGithub = pull !== undefined || options.check;
  if (change === undefined && pull === undefined) {
    throw new BotError(
      'usage',
      `an outcome of ${outcome.task} can only be posted on a pull request`,
      {
        hint: 'Name it with --pr N',
      },
    );
  }
  return {
    pull,
    isNote: options.note || !isOnGithub,
    isCheck: options.check,
    onGithub: isOnGithub,
  };
}
