import { count } from '../core/count.js';
import { isTimeUp } from '../core/deadline.js';
import { countingKey, type Diagnostic } from '../core/diagnostic.js';
import type { ChangeSummary, FixOutcome, UsedProtocol } from '../core/outcome.js';
import { compareDiagnostics } from '../lint/compare.js';
import type { Linter, LintSandbox } from '../lint/sandbox.js';
import type { FoundModel, Model } from '../model/model.js';
import { concludeFix } from '../report/fix-outcome.js';
import type { ReviewContext } from '../review/work.js';
import type { CommitWriter } from './commit-writer.js';
import { type EditRecord, EditSession } from './edit-session.js';
import { Formatters } from './formatters.js';
import { type InitialLint, initialLint, lintNotices, nothingLinted } from './initial-lint.js';
import {
  type DiagnosticRequest,
  type EarlierRounds,
  type FixAnswer,
  type FixAttempt,
  MAX_TRIES,
  type ModelEnd,
  modelFixes,
} from './model-fixes.js';
import { ownFixes } from './own-fixes.js';
import { planCommits } from './plan-commits.js';
import type { Scope } from './scope.js';
import { takeSuggestions } from './suggestions.js';
import type { Fixing } from './try-edit.js';
import {
  latestEnd,
  lintCommit,
  movedLine,
  notVerifiedTogether,
  stillWanted,
  verifyTogether,
} from './verify-together.js';

/** What to fix, and everything that is needed for it. */
export interface FixJob {
  readonly run: string;
  readonly startedAt: number;
  readonly deadlineMs: number;
  readonly change: ChangeSummary;
  readonly scope: Scope;
  readonly sandbox: LintSandbox;
  readonly commitWriter: CommitWriter;
  readonly findModel: () => Promise<FoundModel>;
  /** Ends the model's server and the linters' processes. */
  readonly close: () => Promise<void>;
  /** One conversation with the model. */
  readonly conversation: (model: Model, options: ConversationOptions) => Promise<FixAnswer>;
  readonly commands: ReadonlyArray<readonly string[]>;
  readonly isSingleCommit: boolean;
  readonly isDryRun: boolean;
  readonly withoutModel: boolean;
  /** Filled during the run; each line once. */
  readonly notices: Set<string>;
}

interface ConversationOptions extends DiagnosticRequest {
  readonly deadlineMs: number;
}

export const STAGES = [
  'Running the linters',
  "Taking the linters' own fixes",
  'Taking suggestions',
  'Asking the model',
  'Verifying',
  'Writing the branch',
];

/** `fix-lint` on one page: diagnostics in, verified commits on a branch out. */
export async function fixLint(
  job: FixJob,
  context: ReviewContext,
): Promise<{ outcome: FixOutcome; diff: string }> {
  const { stage } = context.progress;
  const { notices } = job;
  const say = (notice: string): void => void notices.add(notice);
  const editSession = new EditSession();
  const initial = await stage('Running the linters', ({ part }) =>
    unlessStopped(
      context.signal,
      () => initialLint({ ...job, editSession, part }, say),
      reason => {
        say(`the linters did not finish: ${reason}`);
        return nothingLinted(job, reason);
      },
    ),
  );
  const { sandbox } = job;
  const isWholeScope = isWhole(job.scope);
  const formatters = new Formatters(sandbox, initial.linters, isWholeScope);
  const fixing: Fixing = { sandbox, linters: initial.linters, formatters, editSession };
  const endsAt = latestEnd(job, context.clock.now() - sandbox.lateMs);
  const hasTime = (): boolean => !context.signal.aborted && context.clock.now() < endsAt;
  const more = { ...fixing, wanted: () => stillWanted(job.scope, editSession), hasTime };
  const together = { ...fixing, before: initial.before, commands: job.commands, say };
  let model: FoundModel = { available: false, reason: 'there was nothing to ask' };
  let conversations = NO_CONVERSATIONS;
  let isVerified = false;
  let late: readonly Linter[] = [];
  const work = async (): Promise<ModelEnd> => {
    await stage("Taking the linters' own fixes", async () => {
      await formatters.prepare([...new Set(more.wanted().map(({ path }) => path))]);
      await ownFixes({ ...more, isWholeScope, say });
    });
    await stage('Taking suggestions', ({ update }) => takeSuggestions({ ...more, update }));
    const isCut = !hasTime();
    for (let round = 1; ; round += 1) {
      if (more.wanted().length > 0 && round === 1) model = await job.findModel();
      const done = await stage('Asking the model', async ({ update, part }) => {
        if (!model.available) return isCut ? cutShort(more.wanted().length) : DONE;
        const conversing = converseWith(job, { context, model, endsAt });
        const pace = () => startEstimate(context.clock.now, endsAt);
        conversations = conversing.counts;
        return modelFixes({ ...more, update, part, pace, converse: conversing.converse });
      });
      const kept = editSession.fixed;
      late = await stage('Verifying', () => verifyTogether(together));
      isVerified = late.length === 0;
      // What was dropped is tried once more, without the edits that were in its way.
      if (editSession.fixed === kept || round === MAX_ROUNDS || !hasTime()) return done;
    }
  };
  const end = await unlessStopped(context.signal, work, reason => ({ untried: 1, reason }));
  if (!isVerified && editSession.edited().length > 0)
    say(notVerifiedTogether(job.commands.length > 0));
  const lint = (commit: string): Promise<void> =>
    unlessStopped(
      context.signal,
      () => lintCommit(commit, together),
      () => say(notVerifiedTogether(false)),
    );
  const written = await stage('Writing the branch', () =>
    write(job, editSession, isVerified ? lint : async () => undefined),
  );
  const outcome = conclude(
    { job, initial, fixing, model, conversations, end, late, branch: written.branch },
    context,
  );
  return { outcome, diff: written.diff };
}

/** For linters so slow that there was no time for their own fixes. */
const cutShort = (untried: number): ModelEnd =>
  untried === 0 ? DONE : { untried, reason: 'the deadline was near' };

/** How often the model is asked about edits that the last check dropped. */
const MAX_ROUNDS = 2;

/** The files aren't narrowed down, so everything in them may change. */
const isWhole = ({ changed, rules, only, maxFixes }: Scope): boolean =>
  changed === undefined && rules.length === 0 && only === undefined && !Number.isFinite(maxFixes);

const DONE: ModelEnd = { untried: 0, reason: undefined };
const NO_CONVERSATIONS = { protocol: '' as UsedProtocol, repairs: 0, refusals: 0 };

/** Results that may differ with another seed. */
const BY_CHANCE = new Set<string>([
  'refused',
  'blocked',
  'unread',
  'unreadable',
  'not-done',
  'length',
  'server-failed',
]);

function converseWith(
  job: FixJob,
  {
    context,
    model,
    endsAt,
  }: {
    readonly context: ReviewContext;
    readonly model: Extract<FoundModel, { available: true }>;
    readonly endsAt: number;
  },
) {
  const counts = { ...NO_CONVERSATIONS };
  const converse = async (
    diagnostics: readonly Diagnostic[],
    tryEdit: (after: string) => Promise<string | undefined>,
    before: EarlierRounds,
  ): Promise<FixAttempt> => {
    const text = (await job.sandbox.read(diagnostics[0]?.path ?? '')) ?? '';
    const deadlineMs = endsAt - context.clock.now();
    const options = { diagnostics, text, tryEdit, deadlineMs, before };
    const answer = await job.conversation(model.model, options);
    const { isKept, end, requests } = answer;
    const rejections = [...before.rejections, ...answer.rejections];
    counts.protocol = answer.protocol;
    counts.refusals += answer.counts.refusals;
    counts.repairs += answer.counts.repairs;
    const reason = whyNotKept(rejections, requests, end.message);
    const mayDiffer = BY_CHANCE.has(end.reason) || answer.hasGivenUp;
    const isWorthRetrying = !isKept && rejections.length < MAX_TRIES && !answer.isLast && mayDiffer;
    const isTried = isKept || answer.rejections.length > 0 || answer.hasGivenUp;
    const hasServerFailed = end.reason === 'server-failed' || end.reason === 'rejected';
    const isOver = end.reason === 'model-gone';
    const ended = { isKept, reason, isTried, isOver, hasServerFailed };
    return { ...ended, isWorthRetrying, rejections, requests };
  };
  return { converse, counts };
}

/** A try is an edit that was proposed and rejected; other replies are only requests. */
function whyNotKept(rejections: readonly string[], requests: number, end: string): string {
  const asked = count(requests, 'request');
  if (rejections.length === 0) return requests === 0 ? end : `no usable edit in ${asked}: ${end}`;
  const tries = count(rejections.length, 'try', 'tries');
  const times = requests === rejections.length ? tries : `${tries} in ${asked}`;
  return `after ${times}: ${[...new Set(rejections)].join('; then: ')}`;
}

async function write(
  job: FixJob,
  editSession: EditSession,
  lint: (commit: string) => Promise<void>,
): Promise<{ branch: FixOutcome['branch']; diff: string }> {
  const commits = planCommits(editSession, job.isSingleCommit);
  const { tip, count } = await job.commitWriter.build(commits);
  if (count === 0) {
    const earlier = job.isDryRun ? [] : await job.commitWriter.earlierFixes();
    for (const notice of earlier) job.notices.add(notice);
    return { branch: undefined, diff: '' };
  }
  await lint(tip);
  if (job.isDryRun) return { branch: undefined, diff: await job.commitWriter.diff(tip) };
  const { branch: name, notices } = await job.commitWriter.bring(tip);
  for (const notice of notices) job.notices.add(notice);
  const bundle = await job.commitWriter.bundle(tip, name);
  return { branch: { name, commit: tip, base: job.sandbox.commit, bundle }, diff: '' };
}

interface Concluding {
  readonly job: FixJob;
  readonly initial: InitialLint;
  readonly fixing: Fixing;
  readonly model: FoundModel;
  readonly conversations: typeof NO_CONVERSATIONS;
  readonly end: ModelEnd;
  /** Linters that didn't finish the last check. */
  readonly late: readonly Linter[];
  readonly branch: FixOutcome['branch'];
}

function conclude(all: Concluding, context: ReviewContext): FixOutcome {
  const { job, initial, fixing, model, conversations, end, late, branch } = all;
  const { editSession } = fixing;
  const { fixed, introduced } = compareDiagnostics(
    initial.before,
    editSession.all(),
    movedLine(editSession),
  );
  const gone = new Set(fixed);
  const { own, rest } = initial;
  const remaining = own.filter(each => !gone.has(each));
  const also = withoutEdit(own, gone, editSession.records);
  if (also.length > 0) job.notices.add(alsoGone(also));
  if (end.reason !== undefined) job.notices.add(`not everything was tried: ${end.reason}`);
  for (const notice of lintNotices(initial, job.scope)) job.notices.add(notice);
  const isByModel = editSession.records.some(each => each.status === 'kept' && each.by === 'model');
  if (isByModel && job.commands.length === 0) job.notices.add(UNTESTED);
  const isUnasked = remaining.length > 0 && !model.available && !job.withoutModel;
  return concludeFix(
    {
      ...job,
      records: editSession.records,
      branch,
      linters: initial.runs.map((each, at) => {
        const linter = job.sandbox.linters[at];
        const isLate = each.finished && linter !== undefined && late.includes(linter);
        return isLate ? { ...each, finished: false, reason: NOT_CHECKED_AGAIN } : each;
      }),
      before: [...own, ...rest.unconfirmed],
      remaining: [...remaining, ...rest.unconfirmed],
      introduced: introduced.length,
      whyLeft: whyLeft(all),
      lineOf: (path, line) =>
        editSession.file(path)?.base.split('\n')[line - 1]?.replace(/\r$/, ''),
      model,
      conversations,
      notices: [...job.notices],
      isOutOfTime: isTimeUp(context.signal) || end.reason === 'the deadline was near',
      isComplete: end.untried === 0 && late.length === 0 && initial.isWhole && !isUnasked,
    },
    context.clock,
  );
}

/** Fixed diagnostics for which no edit is listed: an edit for another one fixed them as well. */
function withoutEdit(
  own: readonly Diagnostic[],
  gone: ReadonlySet<Diagnostic>,
  records: readonly EditRecord[],
): Diagnostic[] {
  const kept = records.filter(({ status }) => status === 'kept');
  const keys = kept.map(({ diagnostic }) => countingKey(diagnostic));
  return own.filter(each => {
    if (!gone.has(each)) return false;
    const at = keys.indexOf(countingKey(each));
    if (at !== -1) keys.splice(at, 1);
    return at === -1;
  });
}

function alsoGone(diagnostics: readonly Diagnostic[]): string {
  const [first] = diagnostics;
  const example = `${first?.path}:${first?.line ?? 1} ${first?.rule ?? first?.tool}`;
  const such = diagnostics.length === 1 ? example : `for example ${example}`;
  return `${count(diagnostics.length, 'more diagnostic')} went away with edits for others (${such})`;
}

/** Why a diagnostic of the commit is still there: the last rejection, or why nothing was tried. */
function whyLeft({ job, initial, fixing, model, end }: Concluding): (each: Diagnostic) => string {
  const { records, fixed } = fixing.editSession;
  const unconfirmed = new Set(initial.rest.unconfirmed);
  const isOfRule = (record: EditRecord, { path, tool, rule }: Diagnostic): boolean =>
    record.status === 'rejected' &&
    record.path === path &&
    record.diagnostic.tool === tool &&
    record.diagnostic.rule === rule;
  return diagnostic => {
    const { path, line } = diagnostic;
    const rejected = records.findLast(each => each.line === line && isOfRule(each, diagnostic));
    const isAboutMode = fixing.linters.some(each => each.isAboutMode(diagnostic));
    if (rejected?.by !== 'linter' && isAboutMode) return MODE_ONLY;
    if (rejected?.reason !== undefined) return rejected.reason;
    if (unconfirmed.has(diagnostic)) return UNCONFIRMED;
    const forbidden = initial.forbidden.get(path);
    if (forbidden !== undefined) return `the file may not be edited: ${forbidden}`;
    if (fixed >= job.scope.maxFixes) return `--max-fixes ${job.scope.maxFixes} was reached`;
    if (end.reason !== undefined) return `it was not tried: ${end.reason}`;
    if (line === undefined) return 'the linter names no line';
    if (!model.available) return 'the linter has no single fix for it, and no model was asked';
    return 'no edit was found that fixes it';
  };
}

const UNCONFIRMED =
  'no linter here reports it, so no edit can be checked; if its linter is missing, name it under lint in .apfel-bot.json';

const MODE_ONLY =
  "the linter's own fix changes the mode of the file, which is never committed; git update-index --chmod sets it";

const NOT_CHECKED_AGAIN = 'there was not enough time to check everything again';

const UNTESTED = `no test has run on the model's edits; to run some, set verify.commands in .apfel-bot.json`;

/** After the deadline or Ctrl-C, what was verified so far is kept. */
async function unlessStopped<Value>(
  signal: AbortSignal,
  work: () => Promise<Value>,
  otherwise: (reason: string) => Value,
): Promise<Value> {
  try {
    return await work();
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
    return otherwise(isTimeUp(signal) ? 'the deadline was reached' : 'the run was stopped');
  }
}

/** Measures the speed of similar steps. */
export interface TimeEstimate {
  step(): void;
  /** The expected time for this many steps, as text; empty while it would be a guess. */
  left(steps: number): string[];
}

/** The first steps are slower than the later ones. */
const MIN_STEPS = 3;

/** `now` and `endsAt` in milliseconds; nothing continues after `endsAt`. */
export function startEstimate(now: () => number, endsAt: number): TimeEstimate {
  const startedAt = now();
  let done = 0;
  return {
    step: () => {
      done += 1;
    },
    left: steps => {
      if (done < MIN_STEPS || steps === 0) return [];
      const expected = ((now() - startedAt) / done) * steps;
      const max = Math.max(0, endsAt - now());
      return expected <= max
        ? [`about ${durationText(expected)} to go`]
        : [`the deadline is in ${durationText(max)}, before the last of them`];
    },
  };
}

/** Seconds don't matter when it takes minutes. */
function durationText(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}
