import { hasUncommitted } from '../adapters/commit/git-commit-uncommitted.js';
import { userSpot } from '../adapters/git/git.js';
import { gitSource } from '../adapters/git/git-source.js';
import { temporaryFolder } from '../adapters/linter/linter-environment.js';
import { openPress } from '../adapters/linter/linter-press.js';
import { openWorkshop } from '../adapters/linter/linter-workshop.js';
import { nodeFiles } from '../adapters/node-files.js';
import { startRun } from '../adapters/records/run-records.js';
import { sweepRuns } from '../adapters/records/run-records-sweep.js';
import { openScratch, type ScratchRepository } from '../adapters/scratch/scratch.js';
import { scratchSource } from '../adapters/scratch/scratch-source.js';
import type { Source } from '../agent/tools/source.js';
import type { Config } from '../config.js';
import { OWN_NAME } from '../core/commit-plan.js';
import { BotError, isBotError } from '../core/failure.js';
import type { FoundModel } from '../core/model.js';
import { isTimeUp } from '../core/time-up.js';
import { refuseFork } from '../fix/refuse-fork.js';
import { isPathInScope } from '../fix/scope.js';
import { type FixJob, fixLint as fix } from '../fix-lint.js';
import type { UserLinter } from '../lint/linter-spec.js';
import type { Parsed } from '../trigger/parse-argv.js';
import { mustHaveNoWords, type WorkOptions, workOptions } from '../trigger/work-options.js';
import type { Git } from '../world.js';
import { type CommandEnd, type Desk, type Opened, openWork } from './desk.js';
import { fixReport } from './fix-lint-report.js';
import { type FixAsked, fixAsked } from './fix-lint-scope.js';
import { fixTalk } from './fix-lint-talk.js';
import { keepRun } from './keep-run.js';
import { openModelFor } from './open-model.js';

/** The parts of the configuration that only this command reads. */
interface FixSettings {
  readonly lint?: readonly UserLinter[];
  readonly verify?: { readonly commands: ReadonlyArray<readonly string[]> };
  readonly branch?: { readonly prefix: string; readonly protect: readonly string[] };
}

/** `fix-lint`: works in a copy of the commit; the user's checkout is neither read nor touched. */
export async function fixLint(parsed: Parsed, desk: Desk): Promise<CommandEnd> {
  mustHaveNoWords(parsed);
  await refuseForkEvent(desk);
  const options = workOptions(parsed);
  const opened = await openWork(options, desk);
  const { git, world } = opened;
  if (git === undefined) throw new BotError('bug', 'fix-lint has no repository');
  const startedAt = world.clock.now();
  const run = world.clock.runId();
  const asked = await fixAsked(parsed, opened);
  await sweepRuns(git.repository.commonDir, world.clock.now());
  const record = await startRun(git.repository.commonDir, run);
  let scratch: ScratchRepository | undefined;
  let model: FoundModel | undefined;
  try {
    const { repository } = git;
    const { env, signal } = desk;
    const announce = record.addScratch;
    const temp = temporaryFolder();
    scratch = await openScratch({ repository, env, signal, commit: asked.commit, temp, announce });
    const job = await openJob({
      run,
      startedAt,
      asked,
      scratch,
      git,
      options,
      opened,
      desk,
      parsed,
      keep: found => {
        model = found;
        return found;
      },
    });
    const { outcome, diff } = await fix(job, world);
    await keepRun(outcome, { opened, command: 'fix-lint', parsed });
    return fixReport(outcome, { diff, options, desk, isDryRun: job.isDryRun });
  } catch (thrown) {
    throw isTimeUp(desk.signal) && !isBotError(thrown) ? tooLate(thrown) : thrown;
  } finally {
    if (model?.available) await model.model.close();
    await scratch?.remove();
    await record.end();
  }
}

const tooLate = (cause: unknown): BotError =>
  new BotError('usage', 'the time was up before the commit was copied and looked at', {
    hint: 'Give it more: --deadline 10m',
    cause,
  });

async function refuseForkEvent({ env }: Desk): Promise<void> {
  const path = env['GITHUB_EVENT_PATH'];
  const text = path === undefined || path === '' ? undefined : await nodeFiles.read(path);
  if (text !== undefined) refuseFork(text);
}

interface Opening {
  readonly run: string;
  readonly startedAt: number;
  readonly asked: FixAsked;
  readonly scratch: ScratchRepository;
  readonly git: Git;
  readonly options: WorkOptions;
  readonly opened: Opened;
  readonly desk: Desk;
  readonly parsed: Parsed;
  /** Remembers the model that was found, so that it is closed whatever happens. */
  readonly keep: (found: FoundModel) => FoundModel;
}

async function openJob(opening: Opening): Promise<FixJob> {
  const { run, startedAt, asked, scratch, git, options, opened, desk, parsed } = opening;
  const { config, world, task } = opened;
  const settings: Config & FixSettings = config;
  const notices = new Set([...asked.notices, ...scratch.remarks]);
  const { top } = git.repository;
  if (top !== undefined && (await hasUncommitted({ ...userSpot(desk), cwd: top }))) {
    notices.add('there are uncommitted changes; they were neither read nor touched');
  }
  const shop = await openWorkshop({
    scratch,
    env: desk.env,
    globs: world.globs,
    signal: desk.signal,
    entries: settings.lint ?? [],
    protect: settings.branch?.protect ?? [],
    isInTask: path => isPathInScope(path, asked.scope),
    say: notice => void notices.add(notice),
  });
  const press = pressFor(opening, settings, Math.floor(startedAt / 1000));
  const deadlineAt = startedAt + task.deadlineMs;
  const { diary } = world;
  return {
    run,
    startedAt,
    deadlineMs: task.deadlineMs,
    change: asked.change,
    scope: asked.scope,
    shop,
    press,
    findModel: async () =>
      options.withoutModel
        ? { available: false, reason: '--no-model was given' }
        : opening.keep(await openModelFor(options.model, { config, desk, deadlineAt, diary })),
    talk: fixTalk({
      ...opening,
      commonDir: git.repository.commonDir,
      source: sourceFor(opening),
    }),
    commands: settings.verify?.commands ?? [],
    isSingleCommit: parsed.switches.has('single-commit'),
    isDryRun: parsed.switches.has('dry-run'),
    withoutModel: options.withoutModel,
    notices,
  };
}

function pressFor(opening: Opening, settings: FixSettings, at: number): FixJob['press'] {
  const { run, asked, scratch, git, options, desk } = opening;
  const prefix = settings.branch?.prefix ?? 'apfel-bot';
  return openPress({
    scratch,
    repository: git.repository,
    env: desk.env,
    // What was verified is brought home even when the run itself was stopped.
    signal: new AbortController().signal,
    author: { ...OWN_NAME, at },
    run,
    branch: `${prefix}/fix-lint-${asked.commit.slice(0, 12)}`,
    out: options.out,
  });
}

function sourceFor({ scratch, git, desk }: Opening): Source {
  const spot = { ...userSpot(desk), cwd: git.repository.top ?? desk.cwd };
  return scratchSource(scratch, gitSource({ git, spot, at: scratch.commit, base: undefined }));
}
