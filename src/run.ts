import { survey } from './checks/survey.js';
import type { Config } from './config.js';
import { answerKey, toAnswer } from './core/answer-key.js';
import type { BitePart } from './core/bite.js';
import { auditHunks } from './core/diary.js';
import { BotError } from './core/failure.js';
import type { Outcome } from './core/outcome.js';
import type { FoundAgent, PartResult } from './core/review-draft.js';
import type { Survey } from './core/survey.js';
import type { Task } from './core/task.js';
import { unlessTimeUp } from './core/time-up.js';
import { estimateTokens } from './core/tokens.js';
import { type ChangeSet, gather, gatherStdin, unread } from './gather/gather.js';
import { selectFiles } from './gather/select-files.js';
import { biteTokens } from './plan/bite-tokens.js';
import { type PlanWish, plan, type WorkPlan } from './plan/plan.js';
import { takeShard } from './plan/take-shard.js';
import { conclude, hunkFates } from './publish/conclude.js';
import { type SuggestWorld, suggest } from './verify/suggest.js';
import { verify } from './verify/verify.js';
import type { World } from './world.js';

/** Suggestions are tried where a command has said how. */
type ReviewWorld = World & Pick<SuggestWorld, 'openProofRoom'>;

/** The whole program. Each line is a stage; each stage turns one noun into the next. */
export async function run(task: Task, world: ReviewWorld, config: Config): Promise<Outcome> {
  const startedAt = world.clock.now();
  const { stage } = world.progress;
  const change = await stage('Asking git for the change', () => gatherFor(task, world));
  const found = await stage('Looking for the model', () => findAgent(world));
  const wish = { config, keepsText: found.available, measure: undefined };
  const whole = await stage('Checking the change', () => look(change, world, wish));
  const { survey: seen, elsewhere } = takeShard(whole, task.shard);
  const work = await plan(seen, planWish(config, world, found));
  const draft = found.available
    ? await stage('Asking the model', ({ tell }) =>
        found.agent.review(work.bites, { tell, settled: parts => remember(parts, world, found) }),
      )
    : undefined;
  if (work.bites.length > 0) world.answers.trim();
  const parts = [...work.cached, ...(draft?.parts ?? [])];
  const claims = [...seen.claims, ...parts.flatMap(part => part.claims)];
  const drafted = { claims, rejected: draft?.rejected ?? [], ignores: seen.ignores };
  const held = await verify(drafted, config, world);
  const leftMs = task.deadlineMs - (world.clock.now() - startedAt);
  const better = await suggest({ ...held, ...work, parts, found, leftMs }, world);
  const verdict = { ...held, findings: better.findings };
  if (found.available) await found.agent.close();
  const fates = hunkFates({ work, parts, found });
  world.diary.setHunks(() => auditHunks(seen.hunks, work.items, fates));
  const notices = [...work.notices, ...(draft?.notices ?? []), ...better.notices];
  const told = { ...work, notices };
  const bounds = config.limits;
  const all = { task, startedAt, work: told, fates, draft, bounds, found, verdict, elsewhere };
  return conclude(all, world.clock);
}

/** The first half only: what would be done. */
export async function preview(task: Task, world: World, config: Config): Promise<WorkPlan> {
  const change = await gatherFor(task, world);
  const seen = await look(change, world, { config, keepsText: true, measure: estimateTokens });
  return plan(seen, planWish(config, world, { available: false, reason: '' }));
}

async function gatherFor(task: Task, world: World): Promise<ChangeSet> {
  if (task.selector.kind === 'stdin') return gatherStdin(world.stdin, task.paths);
  const { git, signal } = world;
  if (git === undefined) throw new BotError('bug', 'no repository was opened');
  return unlessTimeUp(
    signal,
    () => gather(task, git),
    () => unread(signal),
  );
}

const findAgent = ({ signal, findAgent: find }: World): Promise<FoundAgent> =>
  unlessTimeUp(signal, find, () => ({
    available: false,
    reason: 'the time was up before one was found',
  }));

type LookWish = Pick<Parameters<typeof survey>[2], 'config' | 'keepsText' | 'measure'>;

const look = (change: ChangeSet, world: World, wish: LookWish): Promise<Survey> =>
  survey(change, world, {
    ...wish,
    select: attributeFiles =>
      selectFiles({ attributeFiles, ignore: wish.config.review.ignore }, world.globs),
  });

/** What was answered before is looked up by what would be asked now. */
function planWish(config: Config, world: World, found: FoundAgent): PlanWish {
  const { clock } = world;
  if (!found.available) {
    return { capacity: biteTokens(config.model.contextWindow), lookUp: () => undefined, clock };
  }
  return {
    clock,
    capacity: biteTokens(found.agent.facts.contextWindow, found.agent.tokenScale),
    lookUp: part => world.answers.get(keyOf(part, found)),
  };
}

type AvailableAgent = Extract<FoundAgent, { available: true }>;

/** Only complete answers are worth keeping. */
function remember(parts: readonly PartResult[], world: World, found: AvailableAgent): void {
  for (const { part, state, claims } of parts) {
    if (state === 'reviewed') world.answers.put(keyOf(part, found), toAnswer(part, claims));
  }
}

const keyOf = (part: BitePart, { agent }: AvailableAgent): string =>
  answerKey(part, { question: agent.questionsFor(part), model: agent.facts.name });
