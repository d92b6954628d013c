import { relative } from 'node:path';
import { knownRules } from '../checks/rules.js';
import type { Config } from '../config/config.js';
import { findConfig } from '../config/find.js';
import { rejectPositionals, type WorkOptions, workOptions } from '../config/options.js';
import { BotError, isBotError } from '../core/bot-error.js';
import { isTimeUp } from '../core/deadline.js';
import { type FixOutcome, NO_MODEL_WANTED } from '../core/outcome.js';
import type { ParsedArguments } from '../core/task.js';
import type { Git } from '../git/git.js';
import { openScratch, type ScratchRepository } from '../git/scratch.js';
import { startRun, sweepRuns } from '../git/sweep.js';
import { hasUncommitted } from '../git/work-tree.js';
import { temporaryFolder } from '../lint/run.js';
import { openLintSandbox } from '../lint/sandbox.js';
import type { FoundModel } from '../model/model.js';
import { nodeClock } from '../platform/clock.js';
import { readText } from '../platform/files.js';
import { ownPlace } from '../platform/own-files.js';
import { colouredDiff, fixMarkdown, fixText } from '../report/fix.js';

import { writeReport } from '../report/report.js';
import { openModelFor } from '../review/model.js';
import { type Opened, openWork } from '../review/work.js';
import { askedText, keepRun } from '../runs/save.js';
import type { CommandEnd, Session } from '../session.js';
import { CommitWriter } from './commit-writer.js';
import { type FixJob, fixLint as fix, STAGES } from './fix-lint.js';
import { fixConversation } from './model-fixes.js';
import { planText } from './plan-text.js';
import { refuseFork, refuseForkElsewhere } from './refuse-fork.js';
import { type FixScopeRequest, fixAsked, isPathInScope } from './scope.js';

/** `fix-lint`: works in a copy of the commit; the user's checkout is neither read nor touched. */
export async function fixLint(parsed: ParsedArguments, session: Session): Promise<CommandEnd> {
  rejectPositionals(parsed);
  await refuseForkEvent(session);
  // The diff goes to stdout, so the outcome may still go to a file.
  const options = { ...workOptions(parsed), out: parsed.values.get('out') };
  const opened = await openWork(options, session);
  const { git, context } = opened;
  if (git === undefined) throw new BotError('bug', 'fix-lint needs a repository');
  const startedAt = context.clock.now();
  const run = context.clock.runId();
  const asked = await fixAsked(parsed, opened);
  await sweepRuns(git.repository.commonDir, context.clock.now());
  const record = await startRun(git.repository.commonDir, run);
  let scratch: ScratchRepository | undefined;
  let job: FixJob | undefined;
  try {
    const { repository } = git;
    const { env, signal } = session;
    const announce = record.addScratch;
    const temp = temporaryFolder();
    scratch = await openScratch({ repository, env, signal, commit: asked.commit, temp, announce });
    const opening = { run, startedAt, asked, scratch, git, options, opened, session, parsed };
    const ready = await openJob(opening);
    job = ready;
    if (parsed.switches.has('plan'))
      return { text: await planText(ready.sandbox, options.format), ending: 'done' };
    const { outcome, diff } = await context.progress.list(STAGES, () => fix(ready, context));
    await keepRun(outcome, { opened, command: 'fix-lint', parsed });
    const again = pushable(
      parsed,
      relative(session.cwd, ownPlace(git.repository.commonDir, 'fix.json')),
    );
    return fixReport(outcome, { diff, options, session, again, isDryRun: ready.isDryRun });
  } catch (thrown) {
    throw isTimeUp(session.signal) && !isBotError(thrown) ? tooLate(thrown) : thrown;
  } finally {
    await job?.close();
    await scratch?.remove();
    await record.end();
  }
}

/** The same command with its outcome in a file, which `push` takes. */
const pushable = (parsed: ParsedArguments, out: string): Reporting['again'] => ({
  out,
  command: askedText({
    command: 'fix-lint',
    parsed: { ...parsed, values: new Map([...parsed.values, ['out', out]]) },
  }),
});

const tooLate = (cause: unknown): BotError =>
  new BotError('usage', 'the deadline passed before the commit was copied and linted', {
    hint: 'Give it more: --deadline 10m',
    cause,
  });

async function refuseForkEvent({ env }: Session): Promise<void> {
  refuseForkElsewhere(env);
  const path = env['GITHUB_EVENT_PATH'];
  const text = path === undefined || path === '' ? undefined : await readText(path);
  // A workflow always has an event; without a readable one, the origin of the change is unknown.
  if (text !== undefined || env['GITHUB_ACTIONS'] === 'true') refuseFork(text ?? '{}');
}

interface Opening {
  readonly run: string;
  readonly startedAt: number;
  readonly asked: FixScopeRequest;
  readonly scratch: ScratchRepository;
  readonly git: Git;
  readonly options: WorkOptions;
  readonly opened: Opened;
  readonly session: Session;
  readonly parsed: ParsedArguments;
}

async function openJob(opening: Opening): Promise<FixJob> {
  const { run, startedAt, asked, scratch, git, options, opened, session, parsed } = opening;
  const { config, context, task } = opened;
  const { lint, verify } = await programsAt(opening);
  const notices = new Set([...asked.notices, ...scratch.remarks]);
  const { top } = git.repository;
  if (top !== undefined && (await hasUncommitted(git.context))) {
    notices.add('there are uncommitted changes; they were neither read nor touched');
  }
  const deadlineAt = startedAt + task.deadlineMs;
  const sandbox = await openLintSandbox({
    scratch,
    env: session.env,
    signal: session.signal,
    entries: lint,
    protect: config.branch.protect,
    isInTask: path => isPathInScope(path, asked.scope),
    timing: { now: context.clock.now, deadlineAt },
  });
  for (const each of sandbox.unread) notices.add(`${each} (see fix-lint --plan)`);
  const commitWriter = new CommitWriter({
    scratch,
    repository: git.repository,
    env: session.env,
    // Verified commits are saved even when the run itself was stopped.
    signal: new AbortController().signal,
    at: Math.floor(startedAt / 1000),
    run,
    branch: `${config.branch.prefix}/fix-lint-${asked.commit.slice(0, 12)}`,
    out: options.out,
  });
  const { runLog } = context;
  let model: FoundModel = { available: false, reason: NO_MODEL_WANTED };
  return {
    run,
    startedAt,
    deadlineMs: task.deadlineMs,
    change: asked.change,
    scope: asked.scope,
    sandbox,
    commitWriter,
    findModel: async () => {
      if (!options.withoutModel)
        model = await openModelFor(options.model, { config, session, deadlineAt, runLog });
      return model;
    },
    close: async () => {
      if (model.available) await model.model.close();
      sandbox.close();
    },
    conversation: fixConversation(options, opened, session),
    commands: verify.commands,
    isSingleCommit: parsed.switches.has('single-commit'),
    isDryRun: parsed.switches.has('dry-run'),
    withoutModel: options.withoutModel,
    notices,
  };
}

/**
 * On a pull request of the same repository, what starts a program comes from the commit that is
 * linted, as its package.json scripts and linter configuration do; the rest comes from the base.
 */
async function programsAt({
  asked,
  git,
  options,
  opened,
}: Opening): Promise<Pick<Config, 'lint' | 'verify'>> {
  if (options.config !== undefined || opened.task.configBase === undefined) return opened.config;
  return findConfig({ file: undefined, base: asked.commit, git, knownRules: knownRules() });
}

interface Reporting {
  readonly diff: string;
  readonly options: WorkOptions;
  readonly session: Session;
  readonly again: { readonly out: string; readonly command: string };
  readonly isDryRun: boolean;
}

/** What to print, and how to end: any remaining diagnostic gives exit 1. */
async function fixReport(outcome: FixOutcome, reporting: Reporting): Promise<CommandEnd> {
  const { diff, options, session, again, isDryRun } = reporting;
  const { color, columns, version } = session;
  const isPlain = options.format === 'text' || options.format === 'markdown';
  const request = {
    ...options,
    failOn: options.failOn === 'never' ? ('never' as const) : ('info' as const),
    color,
    columns,
    version,
  };
  const published = await writeReport(outcome, request, nodeClock);
  const { text, failure } = published;
  // A linter that didn't finish may hide anything, but remaining diagnostics are worse.
  const isUnfinished = outcome.linters.some(({ finished }) => !finished);
  const ending = published.ending === 'done' && isUnfinished ? 'incomplete' : published.ending;
  if (!isPlain) return { text, ending, failure };
  const report =
    options.format === 'text'
      ? fixText(outcome, { out: options.out, again, color: color && !isDryRun })
      : fixMarkdown(outcome, { out: options.out, again });
  if (!isDryRun) return { text: report, ending, failure };
  // The diff goes to stdout, so that it can be piped; the report goes to stderr.
  session.printError(report.trimEnd());
  return { text: color ? colouredDiff(diff) : diff, ending, failure };
}
