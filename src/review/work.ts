import { knownRules } from '../checks/rules.js';
import type { Config } from '../config/config.js';
import { findConfig, RULES_FOLDER, settingsFiles, unusedSettings } from '../config/find.js';
import type { WorkOptions } from '../config/options.js';
import type { OpenedRules } from '../config/rules.js';
import { BotError } from '../core/bot-error.js';
import type { Task } from '../core/task.js';
import { toTask } from '../diff/event.js';
import { type Git, openGit } from '../git/git.js';
import type { FoundModel, Model } from '../model/model.js';
import { type Clock, nodeClock } from '../platform/clock.js';
import { namesIn } from '../platform/files.js';
import { openProgress, type Progress } from '../platform/progress.js';
import { RunLog, timedProgress } from '../runs/run-log.js';
import { isInHook, type Session } from '../session.js';
import type { FoundAgent } from './agent.js';
import { type AnswerCache, openAnswerCache } from './cache.js';
import type { ModelIdentity } from './chunk.js';
import { parseShard } from './shard.js';

/** Provides a model that is already open, instead of looking for one. */
type SharedModel = () => FoundModel;

export interface ReviewAgentOptions {
  readonly model: Model;
  readonly deadlineAt: number;
  readonly options: WorkOptions;
  readonly config: Config;
  readonly git: Git | undefined;
  readonly context: Pick<ReviewContext, 'clock' | 'signal' | 'rules'>;
  readonly session: Session;
}

/** A repository, a task and a configuration, ready to work. */
export interface Opened {
  readonly git: Git | undefined;
  readonly task: Task;
  readonly config: Config;
  readonly context: ReviewContext;
}

/** 8 s in a hook, 10 min elsewhere. */
const DEADLINE_MS = 600_000;

export async function openWork(
  options: WorkOptions,
  session: Session,
  sharedModel?: SharedModel,
): Promise<Opened> {
  const git = await openRepository(options, session);
  const given = await toTask(options, { git, env: session.env });
  const place = { base: given.configBase, git };
  const config = await findConfig({ ...place, file: options.config, knownRules: knownRules() });
  if (options.config === undefined && !options.isQuiet && !isInHook(session)) {
    const [, unused] = await settingsFiles(place);
    if (unused !== undefined) session.printError(`apfel-bot: ${unusedSettings(unused)}`);
  }
  const configured = isInHook(session) ? config.hooks.deadlineMs : config.limits.deadlineMs;
  const shard = options.shard === undefined ? undefined : parseShard(options.shard);
  const limited = { ...given, shard, deadlineMs: options.deadlineMs ?? configured ?? DEADLINE_MS };
  session.endAfter(limited.deadlineMs);
  const task = await withPull(limited, { options, session, git });
  return {
    git,
    task,
    config,
    context: openContext({ options, session, git, config, task, sharedModel }),
  };
}

/** A diff on standard input needs no repository, so a missing one isn't an error. */
const openRepository = (options: WorkOptions, session: Session): Promise<Git> | undefined =>
  options.selector?.kind === 'stdin'
    ? undefined
    : openGit({
        cwd: session.cwd,
        env: session.env,
        signal: session.signal,
        expectsStaged: options.selector?.kind === 'staged' && options.paths.length === 0,
      });

interface Opening {
  readonly options: WorkOptions;
  readonly session: Session;
  readonly git: Git | undefined;
  readonly config: Config;
  readonly task: Task;
  readonly sharedModel: SharedModel | undefined;
}

function openContext({ options, session, git, config, task, sharedModel }: Opening): ReviewContext {
  const { deadlineMs, configBase } = task;
  const runLog = new RunLog();
  // One id for everything the run leaves behind: outcome, transcript, note.
  const run = nodeClock.runId();
  const clock = { ...nodeClock, runId: () => run };
  const rows = openProgress({
    isTerminal: session.isWatched,
    isQuiet: options.isQuiet,
    say: session.printError,
  });
  const context = {
    git,
    clock,
    runLog,
    progress: timedProgress(rows, runLog, clock),
    answers: answersFor(git, options),
    stdin: session.stdin,
    signal: session.signal,
    rules: rulesOnce(git, configBase, config.review.rules),
  };
  const deadlineAt = nodeClock.now() + deadlineMs;
  const findAgent: ReviewContext['findAgent'] = async isAnswered => {
    const work = { deadlineAt, options, config, git, context, session };
    const find = async (): Promise<FoundModel> => {
      const { openModelFor } = await import('./model.js');
      return openModelFor(options.model, {
        config,
        session,
        deadlineAt,
        runLog,
        // A dry run leaves nothing behind, not even the cached facts about the model.
        isAnswered: options.isDryRun
          ? undefined
          : async model => {
              const { openQuestions } = await import('./agent.js');
              return isAnswered(await openQuestions({ ...work, model }));
            },
      });
    };
    const found = sharedModel?.() ?? (await find());
    if (!found.available) return found;
    const { model } = found;
    const { openReviewAgent } = await import('./agent.js');
    try {
      return { available: true, agent: await openReviewAgent({ ...work, model }) };
    } catch (thrown) {
      // An unreadable rule ends the run; a server started for it must be stopped.
      await model.close();
      throw thrown;
    }
  };
  return { ...context, findAgent };
}

/** Read once, and only where there may be some: a hook without rules loads nothing for them. */
function rulesOnce(
  git: Git | undefined,
  base: string | undefined,
  more: readonly string[],
): ReviewContext['rules'] {
  let opened: Promise<OpenedRules> | undefined;
  const { top } = git?.repository ?? {};
  const mayBeThere = (): boolean =>
    git !== undefined &&
    (base !== undefined ||
      top === undefined ||
      more.length > 0 ||
      namesIn(`${top}/${RULES_FOLDER}`).length > 0);
  const open = async (): Promise<OpenedRules> =>
    mayBeThere()
      ? (await import('../config/rules.js')).openRules({ git, base, more })
      : { rules: [], appliesTo: () => false, isMeant: () => false };
  return () => {
    opened ??= open();
    return opened;
  };
}

/** A dry run reads the cache, but doesn't write to it. */
function answersFor(git: Git | undefined, { isDryRun }: WorkOptions): AnswerCache {
  if (git === undefined) return NO_ANSWERS;
  const answers = openAnswerCache(git.repository.commonDir);
  return isDryRun ? { ...NO_ANSWERS, get: key => answers.get(key) } : answers;
}

/** Without a repository there is no place for a cache. */
const NO_ANSWERS: AnswerCache = {
  get: () => undefined,
  put: () => undefined,
  trim: () => undefined,
};

/** What a review works with. */
export interface ReviewContext {
  readonly git: Git | undefined;
  readonly clock: Clock;
  readonly progress: Progress;
  readonly answers: AnswerCache;
  /** Events of the run, for its audit. */
  readonly runLog: RunLog;
  /**
   * Looks for a model, once; the reason says why there is none. No server is started if every
   * answer is cached.
   */
  findAgent(isAnswered: (model: ModelIdentity) => Promise<boolean>): Promise<FoundAgent>;
  readonly stdin: AsyncIterable<Uint8Array>;
  /** The user's rules; one that can't be read is an error of the configuration. */
  rules(): Promise<OpenedRules>;
  /** Aborted when the time is up or the user presses Ctrl-C. */
  readonly signal: AbortSignal;
}

/** The same task for the pull request that was named, if any. */
async function withPull(
  task: Task,
  { options, session, git }: { options: WorkOptions; session: Session; git: Git | undefined },
): Promise<Task> {
  const { pull, isQuiet } = options;
  if (pull === undefined) return task;
  if (git === undefined) throw new BotError('bug', '--pr needs a repository');
  const { openPull } = await import('../diff/pull.js');
  const { selector, repository } = await openPull(pull, { git, session, task, isQuiet });
  const named = task.repository ?? repository;
  return { ...task, selector, pull: pull.number, repository: named };
}
