import type { DiagnosticWish, FixTalk } from './agent/fix-diagnostic.js';
import type { Diagnostic } from './core/diagnostic.js';
import type { FoundModel, Model } from './core/model.js';
import type { ChangeSummary } from './core/outcome.js';
import { isTimeUp } from './core/time-up.js';
import { Bench } from './fix/bench.js';
import { type FirstLook, firstLook, lookNotices, nothingSeen } from './fix/first-look.js';
import { type ModelEnd, modelFixes, type Tried } from './fix/model-fixes.js';
import { ownFixes } from './fix/own-fixes.js';
import { startPace } from './fix/pace.js';
import { planCommits } from './fix/plan-commits.js';
import type { Scope } from './fix/scope.js';
import { settle, unsettled } from './fix/settle.js';
import { latestEnd, movedLine, stillWanted } from './fix/still-wanted.js';
import { takeSuggestions } from './fix/suggestions.js';
import type { Fixing } from './fix/try-edit.js';
import { unlessStopped } from './fix/unless-stopped.js';
import type { Craft, Press, Workshop } from './fix/workshop.js';
import { anchorDiagnostics } from './lint/anchor-diagnostics.js';
import { applyFix } from './lint/apply-fix.js';
import { compareDiagnostics } from './lint/compare.js';
import { fixOrder } from './lint/fix-order.js';
import { forbidEdit } from './lint/forbid-edit.js';
import { lineChanges } from './lint/line-changes.js';
import { lineMap } from './lint/line-map.js';
import { type FixOutcome, toFixOutcome } from './publish/to-fix-outcome.js';
import type { World } from './world.js';

/** A copy of the commit with everything in it, and what is to be done there. */
export interface FixJob {
  readonly run: string;
  readonly startedAt: number;
  readonly deadlineMs: number;
  readonly change: ChangeSummary;
  readonly scope: Scope;
  readonly shop: Workshop;
  readonly press: Press;
  readonly findModel: () => Promise<FoundModel>;
  /** One conversation with it. */
  readonly talk: (model: Model, wish: TalkWish) => Promise<FixTalk>;
  readonly commands: ReadonlyArray<readonly string[]>;
  readonly isSingleCommit: boolean;
  readonly isDryRun: boolean;
  readonly withoutModel: boolean;
  /** Filled on the way; each line once. */
  readonly notices: Set<string>;
}

export interface TalkWish extends Omit<DiagnosticWish, 'source'> {
  readonly deadlineMs: number;
  /** 1 for the first conversation about these diagnostics. */
  readonly round: number;
}

/** What the room of the linters knows, for the room that fixes. */
export const CRAFT: Craft = {
  compare: compareDiagnostics,
  order: fixOrder,
  forbid: forbidEdit,
  anchor: anchorDiagnostics,
  applyFix,
  lineChanges,
  lineMap,
};

/** `fix-lint` on one page: diagnostics in, verified commits on a branch out. */
export async function fixLint(
  job: FixJob,
  world: World,
): Promise<{ outcome: FixOutcome; diff: string }> {
  const { stage } = world.progress;
  const { notices } = job;
  const say = (notice: string): void => void notices.add(notice);
  const bench = new Bench(CRAFT);
  const looking = { ...job, bench, craft: CRAFT };
  const look = await stage('Running the linters', () =>
    unlessStopped(world.signal, () => firstLook(looking, say), nothingSeen(job.scope)),
  );
  const shop = { ...job.shop, linters: look.linters };
  const fixing: Fixing = { shop, bench, craft: CRAFT };
  const endsAt = latestEnd(job, world.clock.now());
  const hasTime = (): boolean => !world.signal.aborted && world.clock.now() < endsAt;
  const more = { ...fixing, wanted: () => stillWanted(job.scope, bench), hasTime };
  let model: FoundModel = { available: false, reason: 'there was nothing to ask' };
  let talks = NO_TALKS;
  let isSettled = false;
  const work = async (): Promise<ModelEnd> => {
    await stage("Taking the linters' own fixes", async () => {
      for (const linter of shop.linters) await ownFixes(linter, { ...more, say });
    });
    await stage('Taking suggestions', ({ tell }) => takeSuggestions({ ...more, tell }));
    if (more.wanted().length > 0) model = await job.findModel();
    const done = await stage('Asking the model', async ({ tell }) => {
      if (!model.available) return DONE;
      const talking = talkWith(job, { world, model, endsAt });
      const pace = () => startPace(world.clock.now, endsAt);
      talks = talking.counts;
      return modelFixes({ ...more, tell, pace, converse: talking.converse });
    });
    const settling = { ...fixing, before: look.before, commands: job.commands, say };
    await stage('Verifying', () => settle(settling));
    isSettled = true;
    return done;
  };
  const end = await unlessStopped(world.signal, work, reason => ({ untried: 1, reason }));
  if (!isSettled && bench.edited().length > 0) say(unsettled(job.commands.length > 0));
  const written = await stage('Writing the branch', () => write(job, bench));
  const outcome = conclude({ job, look, fixing, model, talks, end, branch: written.branch }, world);
  return { outcome, diff: written.diff };
}

const DONE: ModelEnd = { untried: 0, reason: undefined };
const NO_TALKS = { protocol: '', repairs: 0, refusals: 0 };

/** Endings that another draw may change. */
const BY_CHANCE = new Set<string>(['refused', 'blocked', 'bad-replies', 'length', 'server-failed']);

interface Talking {
  readonly world: World;
  readonly model: Extract<FoundModel, { available: true }>;
  readonly endsAt: number;
}

function talkWith(job: FixJob, { world, model, endsAt }: Talking) {
  const counts = { ...NO_TALKS };
  const converse = async (
    diagnostics: readonly Diagnostic[],
    tryEdit: (after: string) => Promise<string | undefined>,
    round: number,
  ): Promise<Tried> => {
    const text = (await job.shop.read(diagnostics[0]?.path ?? '')) ?? '';
    const deadlineMs = endsAt - world.clock.now();
    const wish = { diagnostics, text, tryEdit, deadlineMs, round };
    const { talk, isKept, rejections } = await job.talk(model.model, wish);
    counts.protocol = talk.protocol;
    counts.refusals += talk.counts.refusals;
    counts.repairs += Object.values(talk.counts.repairs).reduce((sum, each) => sum + each, 0);
    const tries = `after ${rejections.length} tries: ${rejections.at(-1) ?? ''}`;
    const reason = rejections.length > 0 ? tries : `no edit was proposed: ${talk.end.message}`;
    const isUnheard = rejections.length === 0 && BY_CHANCE.has(talk.end.reason);
    return { isKept, reason, isOver: talk.end.reason === 'model-gone', isUnheard };
  };
  return { converse, counts };
}

async function write(
  job: FixJob,
  bench: Bench,
): Promise<{ branch: FixOutcome['branch']; diff: string }> {
  const commits = planCommits(bench, job.isSingleCommit);
  const { tip, count } = await job.press.build(commits);
  if (count === 0) return { branch: undefined, diff: '' };
  if (job.isDryRun) return { branch: undefined, diff: await job.press.diff(tip) };
  const { branch: name, notices } = await job.press.bring(tip);
  for (const notice of notices) job.notices.add(notice);
  const bundle = await job.press.bundle(tip, name);
  return { branch: { name, commit: tip, base: job.shop.commit, bundle }, diff: '' };
}

interface Concluding {
  readonly job: FixJob;
  readonly look: FirstLook;
  readonly fixing: Fixing;
  readonly model: FoundModel;
  readonly talks: typeof NO_TALKS;
  readonly end: ModelEnd;
  readonly branch: FixOutcome['branch'];
}

function conclude(all: Concluding, world: World): FixOutcome {
  const { job, look, fixing, model, talks, end, branch } = all;
  const { bench, craft } = fixing;
  const { fixed, introduced } = craft.compare(look.before, bench.all(), movedLine(bench));
  const gone = new Set(fixed);
  const { own, rest } = look;
  const remaining = own.filter(each => !gone.has(each));
  if (end.reason !== undefined) job.notices.add(`not everything was tried: ${end.reason}`);
  for (const notice of lookNotices(look, job.scope)) job.notices.add(notice);
  const isUnasked = remaining.length > 0 && !model.available && !job.withoutModel;
  return toFixOutcome(
    {
      ...job,
      records: bench.records,
      branch,
      before: [...own, ...rest.unconfirmed],
      remaining: [...remaining, ...rest.unconfirmed],
      introduced: introduced.length,
      lineOf: (path, line) => bench.file(path)?.base.split('\n')[line - 1]?.replace(/\r$/, ''),
      model,
      talks,
      notices: [...job.notices],
      isOutOfTime: isTimeUp(world.signal) || end.reason === 'the deadline was near',
      isComplete: end.untried === 0 && look.isWhole && !isUnasked,
    },
    world.clock,
  );
}
