import type { ProtocolName } from '../agent/protocol.js';
import type { Entry } from '../agent/transcript.js';
import { type Survey, survey } from '../checks/survey.js';
import type { Config } from '../config/config.js';
import { BotError } from '../core/bot-error.js';
import { HunkMap, type LedgerItem } from '../core/ledger.js';
import type { DescriptionOutcome } from '../core/outcome.js';
import type { Task } from '../core/task.js';
import { gather, gatherStdin } from '../diff/gather.js';
import { selectFiles } from '../diff/select-files.js';
import type { Model } from '../model/model.js';
import type { Clock } from '../platform/clock.js';
import { wordsKey } from '../review/cache.js';
import type { Chunk } from '../review/chunk.js';
import { chunkCapacity, riskOf } from '../review/plan.js';
import { type Piece, packChunks, splitHunk } from '../review/split.js';
import type { World } from '../review/work.js';
import { auditHunks } from '../runs/run-log.js';
import { concludeDescription } from './conclude.js';
import { type DescribeSetup, describe as describeChange } from './summarise.js';
import type { ChangedFile } from './words.js';

export interface Describing {
  readonly task: Task;
  readonly model: Model;
  readonly protocol: ProtocolName | 'auto';
  readonly measured: Pick<DescribeSetup, 'preferred' | 'tokenScale'>;
  readonly run: string;
  readonly onEntry: (entry: Entry) => void;
}

/** `describe` on one page: the change, its bites, what the model says of them, and what is true of it. */
export async function describe(
  { task, model, protocol, measured, run, onEntry }: Describing,
  world: World,
  config: Config,
): Promise<DescriptionOutcome> {
  const startedAt = world.clock.now();
  const { stage } = world.progress;
  const seen = await stage('Reading the change', () => look(task, world, config));
  const capacity = chunkCapacity(model.facts.contextWindow, measured.tokenScale);
  const chunks = await chunksOf(seen, capacity, world.clock);
  const files = filesIn(seen);
  const deadlineMs = Math.max(1, task.deadlineMs - (world.clock.now() - startedAt));
  const draft = await stage('Asking the model', () =>
    describeChange(
      { chunks, files, capacity },
      {
        model,
        protocol,
        ...measured,
        memory: memoryOf(world, model),
        limits: { ...config.limits, deadlineMs },
        clock: world.clock,
        signal: world.signal,
        onEntry,
      },
    ),
  );
  world.answers.trim();
  const change = { ...seen.change, repository: task.repository, pull: task.pull };
  const { hunks, isCut, notices } = seen;
  const outcome = concludeDescription(
    {
      run,
      startedAt,
      deadlineMs: task.deadlineMs,
      change,
      hunks,
      files,
      isCut,
      notices,
      draft,
      model,
    },
    world.clock,
  );
  world.runLog.setHunks(() => auditHunks(hunks, [], describedStates(hunks, outcome)));
  return outcome;
}

/** The ledger names what was left out; the rest was described. */
function describedStates(hunks: Survey['hunks'], { ledger }: DescriptionOutcome): LedgerItem[] {
  const left = new HunkMap<LedgerItem>();
  for (const item of ledger.items) left.set(item.path, item.hunk, item);
  return hunks.map(
    ({ path, number: hunk }) =>
      left.get(path, hunk) ?? { path, hunk, state: 'reviewed', reason: '' },
  );
}

/** The same words to the same model have the same answer. */
const memoryOf = ({ answers }: World, { facts }: Model): NonNullable<DescribeSetup['memory']> => ({
  recall: ({ system, opening }) => answers.get(wordsKey([system, opening], facts.name))?.said,
  keep: ({ system, opening }, said) =>
    answers.put(wordsKey([system, opening], facts.name), { findings: [], said }),
});

async function look(task: Task, world: World, config: Config): Promise<Survey> {
  const change =
    task.selector.kind === 'stdin'
      ? gatherStdin(world.stdin, task.paths)
      : await gather(task, repository(world));
  return survey(change, world, {
    config,
    keepsText: true,
    measure: undefined,
    select: attributeFiles =>
      selectFiles({ attributeFiles, ignore: config.review.ignore }, world.globs),
  });
}

function repository({ git }: World): NonNullable<World['git']> {
  if (git === undefined) throw new BotError('bug', 'no repository was opened');
  return git;
}

/** As in a review, but what is removed is part of the story too. */
async function chunksOf({ kept }: Survey, capacity: number, clock: Clock): Promise<Chunk[]> {
  const pieces: Piece[] = [];
  for (const hunk of kept) {
    const risk = riskOf(hunk, new Map());
    for (const measured of splitHunk(hunk, capacity)) {
      await clock.yieldToEventLoop();
      pieces.push({ ...measured, risk });
    }
  }
  return packChunks(pieces, capacity, clock);
}

/** Every file of the change, renamed and skipped ones included, with its counts. */
function filesIn({ hunks, ignores }: Survey): ChangedFile[] {
  const files = new Map<string, ChangedFile>();
  for (const path of ignores.keys()) files.set(path, { path, added: 0, removed: 0 });
  for (const { path, added, removed } of hunks) {
    const file = files.get(path);
    files.set(path, {
      path,
      added: (file?.added ?? 0) + added,
      removed: (file?.removed ?? 0) + removed,
    });
  }
  return [...files.values()];
}
