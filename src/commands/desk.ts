import { openGit } from '../adapters/git/git.js';
import type { Environment } from '../adapters/git/git-flags.js';
import { nodeClock } from '../adapters/node-clock.js';
import { nodeFiles } from '../adapters/node-files.js';
import { picomatchGlobs } from '../adapters/picomatch-globs.js';
import { openProgress } from '../adapters/progress.js';
import { openAnswerCache } from '../adapters/records/answer-cache.js';
import { timedProgress } from '../adapters/records/timed-progress.js';
import { syntaxParsers } from '../adapters/syntax/syntax.js';
import { knownRules } from '../checks/rules.js';
import type { Config } from '../config.js';
import { Diary } from '../core/diary.js';
import type { BotError, Ending } from '../core/failure.js';
import type { FoundModel, Model } from '../core/model.js';
import type { FoundAgent, FoundProofRoom, ProofWish, ReviewAgent } from '../core/review-draft.js';
import type { Task } from '../core/task.js';
import { parseShard } from '../plan/shard.js';
import { findConfig } from '../trigger/find-config.js';
import { toTask } from '../trigger/to-task.js';
import type { WorkOptions } from '../trigger/work-options.js';
import type { AnswerCache, Git, World } from '../world.js';
import { type PullOpener, withPull } from './with-pull.js';

/** What a command is given of the process it runs in; only `cli.ts` reads `process` itself. */
export interface Desk {
  readonly cwd: string;
  readonly env: Environment;
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly version: string;
  readonly color: boolean;
  readonly columns: number;
  /** Whether somebody watches standard error. */
  readonly isWatched: boolean;
  readonly signal: AbortSignal;
  /** Ends the run when so much time has passed. */
  endAfter(milliseconds: number): void;
  /** A line on standard error. */
  say(text: string): void;
  /** Looking for a model, loaded when one is wanted. */
  loadModelFinder(): Promise<ModelFinder>;
  /** What only a review with a model needs, loaded when there is one. */
  loadReviewAgent(): Promise<OpenReviewAgent>;
  /** Where suggestions are tried, loaded when there is something to suggest. */
  loadProofRoom?(): Promise<ProofRoomOpener>;
  /** Fetching a pull request, loaded when one is asked for. */
  loadPull?(): Promise<PullOpener>;
}

export type ProofRoomOpener = (
  wish: ProofWish,
  place: { readonly desk: Desk; readonly opened: Opened },
) => Promise<FoundProofRoom>;

export type ModelFinder = (
  options: WorkOptions['model'],
  place: { config: Config; desk: Desk; deadlineAt: number; diary: Diary },
) => Promise<FoundModel>;

export type OpenReviewAgent = (asked: AgentWish) => Promise<ReviewAgent>;

export interface AgentWish {
  readonly model: Model;
  readonly deadlineAt: number;
  readonly options: WorkOptions;
  readonly config: Config;
  readonly git: Git | undefined;
  readonly world: Pick<World, 'clock' | 'globs' | 'files' | 'signal'>;
  /** On a pull request: the commit whose rules count. */
  readonly configBase: string | undefined;
  readonly desk: Desk;
}

export interface CommandEnd {
  /** For standard output. */
  readonly text: string;
  readonly ending: Ending;
  /** What went wrong after the work was done; the text is printed all the same. */
  readonly failure?: BotError | undefined;
}

/** A repository, a task and a configuration, ready to work. */
export interface Opened {
  readonly git: Git | undefined;
  readonly task: Task;
  readonly config: Config;
  readonly world: World;
}

/** Contract: 8 s in a hook, 10 min elsewhere. */
const DEADLINE_MS = 600_000;

export async function openWork(options: WorkOptions, desk: Desk): Promise<Opened> {
  const git = await openRepository(options, desk);
  const given = await toTask(options, { git, env: desk.env, files: nodeFiles });
  const config = await findConfig({
    file: options.config,
    base: given.configBase,
    git,
    files: nodeFiles,
    knownRules: knownRules(),
  });
  const configured = isInHook(desk) ? config.hooks.deadlineMs : config.limits.deadlineMs;
  const shard = options.shard === undefined ? undefined : parseShard(options.shard);
  const settled = { ...given, shard, deadlineMs: options.deadlineMs ?? configured ?? DEADLINE_MS };
  desk.endAfter(settled.deadlineMs);
  const task = await withPull(settled, { options, desk, git });
  return { git, task, config, world: openWorld({ options, desk, git, config, task }) };
}

/** Git sets this for the hooks that see the index. */
export const isInHook = (desk: Desk): boolean => desk.env['GIT_INDEX_FILE'] !== undefined;

/** A diff on standard input needs no repository, and must not fail for want of one. */
const openRepository = (options: WorkOptions, desk: Desk): Promise<Git> | undefined =>
  options.selector?.kind === 'stdin'
    ? undefined
    : openGit({
        cwd: desk.cwd,
        env: desk.env,
        signal: desk.signal,
        expectsStaged: options.selector?.kind === 'staged' && options.paths.length === 0,
      });

interface Opening {
  readonly options: WorkOptions;
  readonly desk: Desk;
  readonly git: Git | undefined;
  readonly config: Config;
  readonly task: Task;
}

function openWorld({ options, desk, git, config, task }: Opening): World {
  const { deadlineMs, configBase } = task;
  const diary = new Diary();
  // One name for all that the run leaves behind: outcome, transcript, note.
  const run = nodeClock.runId();
  const clock = { ...nodeClock, runId: () => run };
  const rows = openProgress({
    isTerminal: desk.isWatched,
    isQuiet: options.isQuiet,
    say: desk.say,
  });
  const world = {
    git,
    files: nodeFiles,
    clock,
    diary,
    syntax: syntaxParsers,
    globs: picomatchGlobs,
    progress: timedProgress(rows, diary, clock),
    answers: answersFor(git, options),
    stdin: desk.stdin,
    signal: desk.signal,
  };
  const findAgent = async (): Promise<FoundAgent> => {
    if (options.withoutModel) return { available: false, reason: '--no-model was given' };
    const find = await desk.loadModelFinder();
    const deadlineAt = nodeClock.now() + deadlineMs;
    const found = await find(options.model, { config, desk, deadlineAt, diary });
    if (!found.available) return found;
    const { model } = found;
    const open = await desk.loadReviewAgent();
    try {
      const wish = { model, deadlineAt, options, config, git, world, configBase, desk };
      return { available: true, agent: await open(wish) };
    } catch (thrown) {
      // A rule that cannot be read ends the run; a server started for it must not stay.
      await model.close();
      throw thrown;
    }
  };
  return { ...world, findAgent };
}

/** A dry run may know what was answered, but adds nothing to it. */
function answersFor(git: Git | undefined, { isDryRun }: WorkOptions): AnswerCache {
  if (git === undefined) return NO_ANSWERS;
  const answers = openAnswerCache(git.repository.commonDir);
  return isDryRun ? { ...NO_ANSWERS, get: key => answers.get(key) } : answers;
}

/** Where there is no repository there is no place to remember. */
const NO_ANSWERS: AnswerCache = {
  get: () => undefined,
  put: () => undefined,
  trim: () => undefined,
};
