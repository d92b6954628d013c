import { describe as describeChange } from './agent/describe.js';
import type { DescribeSetup } from './agent/describe-talks.js';
import type { ChangedFile } from './agent/describe-words.js';
import type { ProtocolName } from './agent/protocol.js';
import type { Entry } from './agent/transcript.js';
import { survey } from './checks/survey.js';
import type { Config } from './config.js';
import { wordsKey } from './core/answer-key.js';
import type { Bite } from './core/bite.js';
import type { DescriptionOutcome } from './core/description.js';
import { auditHunks } from './core/diary.js';
import { BotError } from './core/failure.js';
import { HunkMap } from './core/hunk-map.js';
import type { LedgerItem } from './core/ledger.js';
import type { Model } from './core/model.js';
import type { Survey } from './core/survey.js';
import type { Task } from './core/task.js';
import { gather, gatherStdin } from './gather/gather.js';
import { selectFiles } from './gather/select-files.js';
import { biteTokens } from './plan/bite-tokens.js';
import { type Piece, packBites } from './plan/pack-bites.js';
import { riskOf } from './plan/risk.js';
import { splitHunk } from './plan/split-hunk.js';
import { concludeDescription } from './publish/conclude-description.js';
import type { Clock, World } from './world.js';

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
  const capacity = biteTokens(model.facts.contextWindow, measured.tokenScale);
  const bites = await bitesOf(seen, capacity, world.clock);
  const files = filesIn(seen);
  const deadlineMs = Math.max(1, task.deadlineMs - (world.clock.now() - startedAt));
  const draft = await stage('Asking the model', () =>
    describeChange(
      { bites, files, capacity },
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
  world.diary.setHunks(() => auditHunks(hunks, [], describedFates(hunks, outcome)));
  return outcome;
}

/** The ledger names what was left out; the rest was described. */
function describedFates(hunks: Survey['hunks'], { ledger }: DescriptionOutcome): LedgerItem[] {
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
async function bitesOf({ kept }: Survey, capacity: number, clock: Clock): Promise<Bite[]> {
  const pieces: Piece[] = [];
  for (const hunk of kept) {
    const risk = riskOf(hunk, new Map());
    for (const measured of splitHunk(hunk, capacity)) {
      await clock.breathe();
      pieces.push({ ...measured, risk });
    }
  }
  return packBites(pieces, capacity, clock);
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
