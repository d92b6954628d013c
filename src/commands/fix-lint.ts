import { askGit } from '../adapters/commit/git-commit-ask.js';
import { userSpot } from '../adapters/git/git.js';
import { gitSource } from '../adapters/git/git-source.js';
import { temporaryFolder } from '../adapters/linter/linter-environment.js';
import { openPress } from '../adapters/linter/linter-press.js';
import { openWorkshop } from '../adapters/linter/linter-workshop.js';
import { nodeFiles } from '../adapters/node-files.js';
import { startRun } from '../adapters/records/run-records.js';
import { sweepRuns } from '../adapters/records/run-records-sweep.js';
import { openTranscripts } from '../adapters/records/transcripts.js';
import { openScratch, type ScratchRepository } from '../adapters/scratch/scratch.js';
import type { Source } from '../agent/tools/source.js';
import type { Config } from '../config.js';
import { BotError, isBotError } from '../core/failure.js';
import { isTimeUp } from '../core/time-up.js';
import { refuseFork } from '../fix/refuse-fork.js';
import { isPathInScope } from '../fix/scope.js';
import { type FixJob, fixLint as fix } from '../fix-lint.js';
import type { UserLinter } from '../lint/linter-spec.js';
import { entryLine } from '../publish/entry-text.js';
import type { Parsed } from '../trigger/parse-argv.js';
import { mustHaveNoWords, type WorkOptions, workOptions } from '../trigger/work-options.js';
import type { Git } from '../world.js';
import { type CommandEnd, type Desk, type Opened, openWork } from './desk.js';
import { fixReport } from './fix-lint-report.js';
import { type FixAsked, fixAsked } from './fix-lint-scope.js';
import { calibrated, openModelFor } from './open-model.js';

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
  const { git, config, world } = opened;
  if (git === undefined) throw new BotError('bug', 'fix-lint has no repository');
  const startedAt = world.clock.now();
  const run = world.clock.runId();
  const asked = await fixAsked(parsed, opened);
  await sweepRuns(git.repository.commonDir, world.clock.now());
  const record = await startRun(git.repository.commonDir, run);
  let scratch: ScratchRepository | undefined;
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
    });
    const { outcome, diff } = await fix(job, world, config);
    return fixReport(outcome, { diff, options, desk, isDryRun: job.isDryRun });
  } catch (thrown) {
    throw isTimeUp(desk.signal) && !isBotError(thrown) ? tooLate(thrown) : thrown;
  } finally {
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
}

async function openJob(opening: Opening): Promise<FixJob> {
  const { run, startedAt, asked, scratch, git, options, opened, desk, parsed } = opening;
  const { config, world, task } = opened;
  const settings: Config & FixSettings = config;
  const notices = new Set([...asked.notices, ...scratch.remarks]);
  if (await hasUncommitted(git, desk)) {
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
    names: asked.tools,
    say: notice => void notices.add(notice),
  });
  const press = pressFor(opening, settings, Math.floor(startedAt / 1000));
  const deadlineAt = startedAt + task.deadlineMs;
  const record = openTranscripts(git.repository.commonDir).open(run, 'fix-lint');
  return {
    run,
    startedAt,
    deadlineMs: task.deadlineMs,
    change: asked.change,
    scope: asked.scope,
    shop,
    press,
    source: scratchSource(opening),
    findModel: async () =>
      options.withoutModel
        ? { available: false, reason: '--no-model was given' }
        : openModelFor(options.model, { config, desk, deadlineAt }),
    preferredProtocol: async model => (await calibrated(model, desk)).preferred,
    setup: {
      protocol: options.model.protocol ?? config.model.protocol,
      onEntry: entry => {
        record(entry);
        if (options.isVerbose) desk.say(entryLine(entry));
      },
    },
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
    author: { ...AUTHOR, at },
    run,
    branch: `${prefix}/fix-lint-${asked.commit.slice(0, 12)}`,
    out: options.out,
  });
}

/** Fixed, so that a later run knows its own commits. */
const AUTHOR = { name: 'apfel-bot', email: 'apfel-bot@localhost' };

async function hasUncommitted({ repository }: Git, desk: Desk): Promise<boolean> {
  if (repository.top === undefined) return false;
  const spot = { ...userSpot(desk), cwd: repository.top };
  const asked = ['status', '--porcelain', '-z', '--untracked-files=no', '--ignore-submodules=all'];
  return (await askGit(spot, asked)).length > 0;
}

/** The commit's files as they are in the copy now, edits included. */
function scratchSource({ scratch, git, desk }: Opening): Source {
  const spot = { ...userSpot(desk), cwd: git.repository.top ?? desk.cwd };
  const source = gitSource({ git, spot, at: scratch.commit, base: undefined });
  return {
    ...source,
    read: async path => {
      const read = await source.read(path);
      if (read.kind !== 'file') return read;
      const bytes = await scratch.readFile(path);
      return bytes === undefined ? { kind: 'absent' } : { kind: 'file', bytes };
    },
  };
}
