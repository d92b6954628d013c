import { type HunkText, type Survey, survey } from '../checks/survey.js';
import type { Config } from '../config/config.js';
import { BotError } from '../core/bot-error.js';
import { count } from '../core/count.js';
import { unlessTimeUp } from '../core/deadline.js';
import { NO_MODEL_WANTED, type Outcome } from '../core/outcome.js';
import type { Task } from '../core/task.js';
import { type ChangeSet, gather, gatherStdin, unreadChange } from '../diff/gather.js';
import { selectFiles } from '../diff/select-files.js';
import { estimateTokens } from '../model/tokens.js';
import { STATE_WORDS } from '../report/summary-line.js';
import { auditHunks } from '../runs/run-log.js';
import { redact } from '../secrets/redact.js';
import type { FoundAgent } from './agent.js';
import { answerKey, toAnswer } from './cache.js';
import {
  type ChunkPart,
  type ModelIdentity,
  type PartResult,
  type ReviewedChange,
  shownText,
} from './chunk.js';
import { conclude, hunkStates } from './conclude.js';
import {
  chunkCapacity,
  hasQuestion,
  isAnswered,
  type PlanOptions,
  plan,
  type WorkPlan,
} from './plan.js';
import { takeShard } from './shard.js';
import { type SuggestContext, suggest } from './suggest.js';
import { verify } from './verify.js';
import type { ReviewContext } from './work.js';

/** Suggestions are tried only if the command provides a sandbox. */
type ContextWithSandbox = ReviewContext & Pick<SuggestContext, 'openSuggestionSandbox'>;

const STAGES = [
  'Asking git for the change',
  'Checking the change',
  'Looking for the model',
  'Asking the model',
  'Asking for suggestions',
];

export const reviewChange = (
  task: Task,
  context: ContextWithSandbox,
  config: Config,
): Promise<Outcome> => context.progress.list(STAGES, () => reviewInStages(task, context, config));

/** The whole review. Each line is a stage; each stage turns one noun into the next. */
async function reviewInStages(
  task: Task,
  context: ContextWithSandbox,
  config: Config,
): Promise<Outcome> {
  const startedAt = context.clock.now();
  await context.rules();
  const { stage } = context.progress;
  const change = await stage('Asking git for the change', () => gatherUntilTimeUp(task, context));
  const search = new AgentSearch(task, context, config);
  const options = {
    config,
    keepsText: !task.withoutModel,
    measure: undefined,
    onKept: (kept: readonly HunkText[]) => search.begin(kept),
  };
  const whole = await stage('Checking the change', () =>
    search.closedOnFailure(surveyChange(change, context, options)),
  );
  const found = await stage('Looking for the model', () => search.found());
  const { survey: seen, elsewhere } = task.shard
    ? takeShard(whole, task.shard)
    : { survey: whole, elsewhere: [] };
  const work = await plan(found.available ? seen : { ...seen, kept: [] }, {
    ...planOptions(config, context, found.available ? found.agent : undefined),
    files: await search.files,
  });
  const draft = found.available
    ? await stage('Asking the model', async ({ update, part }) =>
        found.agent.review(work.chunks, await changeFacts(change, context), {
          update,
          settled: parts => {
            remember(parts, context, found.agent);
            for (const each of parts) part(partLine(each));
          },
        }),
      )
    : undefined;
  if (work.chunks.length > 0) context.answers.trim();
  const parts = [...work.cached, ...(draft?.parts ?? [])];
  const candidates = [...seen.candidates, ...parts.flatMap(part => part.candidates)];
  const drafted = { candidates, rejected: draft?.rejected ?? [], ignores: seen.ignores };
  const verdict = await verify(drafted, config, context);
  const leftMs = task.deadlineMs - (context.clock.now() - startedAt);
  const suggested = await suggest({ ...verdict, ...work, parts, found, leftMs }, context);
  if (found.available) await found.agent.close();
  const states = hunkStates(work, parts, found.available || search.isNeedless);
  context.runLog.setHunks(() => auditHunks(seen.hunks, work.items, states));
  const { rejected } = verdict;
  const { findings } = suggested;
  const notices = [
    ...work.notices,
    ...leftOutNotices(parts),
    ...(draft?.notices ?? []),
    ...suggested.notices,
  ];
  const bounds = config.limits;
  const all = { task, startedAt, work, notices, states, draft, bounds, found, elsewhere };
  return conclude({ ...all, findings, rejected }, context.clock);
}

/** What was left out, in this run or in the one that a cached answer is from. */
function leftOutNotices(parts: readonly PartResult[]): string[] {
  const paths = new Map<string, Set<string>>();
  for (const { part, leftOut = [] } of parts) {
    for (const text of leftOut) paths.set(text, (paths.get(text) ?? new Set()).add(part.path));
  }
  return [...paths].map(([text, [first, ...others]]) =>
    others.length === 0
      ? `${first}: ${text}`
      : `${first} and ${count(others.length, 'other file')}: ${text}`,
  );
}

function partLine({ part, state, candidates }: PartResult): string {
  const found = candidates.length === 0 ? 'nothing found' : count(candidates.length, 'problem');
  const result = state === 'reviewed' ? found : STATE_WORDS[state];
  return `${part.path}, hunk ${part.hunk}: ${result}`;
}

/** The first half of a review: what would be done. */
export async function preview(
  task: Task,
  context: ReviewContext,
  config: Config,
): Promise<WorkPlan> {
  await context.rules();
  const change = await gatherUntilTimeUp(task, context);
  const options = { config, keepsText: true, measure: estimateTokens };
  const seen = await surveyChange(change, context, options);
  return plan(seen, planOptions(config, context, undefined));
}

/** Of larger files, only the lines in git's diff are shown. */
const MAX_FILE_BYTES = 512 * 1024;

/** The current version of the changed files by blob, for the lines around hunks. */
async function newFiles(
  kept: readonly HunkText[],
  { git, signal }: ReviewContext,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const files = new Map<string, readonly string[]>();
  const ids = new Set(kept.flatMap(({ blob }) => blob ?? []));
  if (git === undefined || ids.size === 0) return files;
  await unlessTimeUp(
    signal,
    async () => {
      const requests = [...ids].map(id => ({ id, keep: MAX_FILE_BYTES }));
      for await (const { id, size, bytes } of git.blobs(requests)) {
        if (size <= MAX_FILE_BYTES) files.set(id, Buffer.from(bytes).toString('utf8').split('\n'));
      }
    },
    () => undefined,
  );
  return files;
}

/** What a question shows besides the lines, and where definitions are looked up. */
async function changeFacts(
  { base, head }: ChangeSet,
  { git }: ReviewContext,
): Promise<ReviewedChange> {
  if (git === undefined || head === 'stdin') return { subject: undefined, source: undefined };
  const { gitSource } = await import('../git/source.js');
  const subject = head === 'index' ? undefined : await git.subject(base, head);
  return {
    subject: subject && redact(shownText(subject).slice(0, MAX_SUBJECT)),
    source: gitSource({ git, context: git.context, at: head, base: base ?? undefined }),
  };
}

const MAX_SUBJECT = 120;

const gatherUntilTimeUp = (task: Task, context: ReviewContext): Promise<ChangeSet> =>
  unlessTimeUp(
    context.signal,
    () => gatherChange(task, context),
    () => unreadChange(context.signal),
  );

export async function gatherChange(
  task: Task,
  { git, stdin }: Pick<ReviewContext, 'git' | 'stdin'>,
): Promise<ChangeSet> {
  if (task.selector.kind === 'stdin') return gatherStdin(stdin, task.paths);
  if (git === undefined) throw new BotError('bug', 'no repository was opened');
  return gather(task, git);
}

/**
 * Looks for the model while the checks run, as soon as there is something to ask. A server takes
 * seconds to start, so it isn't started if the whole change is skipped or cached.
 */
class AgentSearch {
  files: Promise<ReadonlyMap<string, readonly string[]>> | undefined;
  #found: Promise<FoundAgent> | undefined;

  constructor(
    readonly task: Task,
    readonly context: ReviewContext,
    readonly config: Config,
  ) {}

  /** Nothing is left to ask, whether there is a model or not. */
  get isNeedless(): boolean {
    return this.#found === undefined && !this.task.withoutModel;
  }

  begin(kept: readonly HunkText[]): void {
    if (this.#found !== undefined || !hasQuestion(kept)) return;
    const { context, config } = this;
    const files = newFiles(kept, context);
    this.files = files;
    const find = () =>
      context.findAgent(async model =>
        isAnswered(kept, {
          ...planOptions(config, context, model),
          files: await files,
        }),
      );
    this.#found = unlessTimeUp(context.signal, find, () => ({
      available: false,
      reason: 'time ran out before one was found',
    }));
    // Both are awaited after the checks; until then a failure must not count as unhandled.
    this.#found.catch(() => undefined);
    files.catch(() => undefined);
  }

  async found(): Promise<FoundAgent> {
    const reason = this.isNeedless ? 'this change has nothing for a model' : NO_MODEL_WANTED;
    return this.#found ?? { available: false, reason };
  }

  /** If the checks fail, a server that was started in the meantime is stopped. */
  async closedOnFailure<Value>(checks: Promise<Value>): Promise<Value> {
    try {
      return await checks;
    } catch (thrown) {
      const found = await this.#found?.catch(() => undefined);
      if (found?.available) await found.agent.close();
      throw thrown;
    }
  }
}

export const surveyChange = (
  change: ChangeSet,
  context: ReviewContext,
  options: Omit<Parameters<typeof survey>[2], 'select'>,
): Promise<Survey> =>
  survey(change, context, {
    ...options,
    select: attributeFiles => selectFiles({ attributeFiles, ignore: options.config.review.ignore }),
  });

/** Cached answers are looked up by what would be asked now. */
function planOptions(
  config: Config,
  context: ReviewContext,
  model: ModelIdentity | undefined,
): PlanOptions {
  const { clock } = context;
  if (model === undefined) {
    return { capacity: chunkCapacity(config.model.contextWindow), lookUp: () => undefined, clock };
  }
  return {
    clock,
    capacity: chunkCapacity(model.facts.contextWindow, model.tokenScale),
    lookUp: part => context.answers.get(keyOf(part, model)),
  };
}

/** Caches what was fully reviewed, including the second look. */
function remember(
  parts: readonly PartResult[],
  context: ReviewContext,
  model: ModelIdentity,
): void {
  for (const each of parts) {
    const isFinal = each.state === 'reviewed' && !each.isUnconfirmed;
    const answer = isFinal ? toAnswer(each) : undefined;
    if (answer !== undefined) context.answers.put(keyOf(each.part, model), answer);
  }
}

const keyOf = (part: ChunkPart, { questionsFor, facts }: ModelIdentity): string =>
  answerKey(part, { question: questionsFor(part), model: facts.name });
