import type { Survey } from '../checks/survey.js';
import { rejectPositionals, workOptions } from '../config/options.js';
import { count } from '../core/count.js';
import { isComplete, ledgerOf } from '../core/ledger.js';
import type { ChangeSummary, DescriptionOutcome } from '../core/outcome.js';
import type { ParsedArguments } from '../core/task.js';
import type { Model } from '../model/model.js';
import { reveal } from '../platform/safe-text.js';
import { publishAnswer } from '../report/answer.js';
import { concludeRun, hitLimits } from '../report/conclude.js';
import { recorder } from '../review/agent.js';
import { wordsKey } from '../review/cache.js';
import { hunkStates } from '../review/conclude.js';
import { calibrated, needModel, spentAndLeft } from '../review/model.js';
import { chunkCapacity, plan } from '../review/plan.js';
import { gatherChange, surveyChange } from '../review/review.js';
import { type Opened, openWork, type ReviewContext } from '../review/work.js';
import { auditHunks } from '../runs/run-log.js';
import { keepRun } from '../runs/save.js';
import type { CommandEnd, Session } from '../session.js';
import { type DescribeDraft, type DescribeSetup, describe as summarise } from './summarise.js';
import type { ChangedFile } from './words.js';

/** `describe`: needs a model; describes what a change does. */
export async function describe(
  parsed: ParsedArguments,
  session: Session,
  /** Titles of earlier changes, whose language and style the new one follows. */
  titles: readonly string[] = [],
): Promise<CommandEnd> {
  rejectPositionals(parsed, 'paths');
  const options = workOptions(parsed);
  const opened = await openWork(options, session);
  const { task, config, context } = opened;
  const deadlineAt = context.clock.now() + task.deadlineMs;
  const { runLog } = context;
  const model = await needModel('describe', options, { config, session, deadlineAt, runLog });
  try {
    const setup = {
      model,
      protocol: options.model.protocol ?? config.model.protocol,
      ...(await calibrated(model, session)),
      onEntry: recorder('describe', { ...opened, options, session }),
    };
    const outcome = await describeChange(opened, setup, titles);
    await keepRun(outcome, { opened, command: 'describe', parsed });
    return publishAnswer(outcome, options);
  } finally {
    await model.close();
  }
}

/** All of `describe`: reads the change, asks about its chunks, and keeps what is true. */
async function describeChange(
  { task, context, config }: Opened,
  setup: Omit<DescribeSetup, 'memory' | 'limits' | 'clock' | 'signal'>,
  titles: readonly string[],
): Promise<DescriptionOutcome> {
  const { model } = setup;
  const { clock, signal } = context;
  const startedAt = clock.now();
  const { stage } = context.progress;
  const seen = await stage('Reading the change', async () =>
    surveyChange(await gatherChange(task, context), context, {
      config,
      keepsText: true,
      measure: undefined,
    }),
  );
  const capacity = chunkCapacity(model.facts.contextWindow, setup.tokenScale);
  const work = await plan(seen, { capacity, lookUp: () => undefined, mixesFiles: true, clock });
  const { chunks } = work;
  const files = filesIn(seen);
  const deadlineAt = startedAt + task.deadlineMs;
  const deadlineMs = Math.max(1, deadlineAt - clock.now());
  const limits = { ...config.limits, deadlineMs };
  const memory = memoryOf(context, model);
  const draft = await stage('Describing the change', row => {
    row.update(() => spentAndLeft(model, deadlineAt, clock));
    return summarise(
      { chunks, files, capacity, titles },
      { ...setup, memory, limits, clock, signal },
    );
  });
  context.answers.trim();
  const states = hunkStates(work, draft.parts, true);
  context.runLog.setHunks(() => auditHunks(seen.hunks, work.items, states));
  const ledger = ledgerOf(states);
  const change = { ...work.change, repository: task.repository, pull: task.pull };
  return concludeRun(
    {
      task: 'describe',
      run: clock.runId(),
      startedAt,
      model,
      conversations: draft,
      deadline: { ms: task.deadlineMs, isHit: work.isCut || ledger.outOfTime > 0 },
      limits: hitLimits(draft.limits, config.limits),
      notices: [
        ...work.notices,
        ...(work.isCut ? ["the change wasn't read to its end"] : []),
        ...draft.notices,
      ],
      complete: isComplete(ledger, false),
    },
    { change, description: { title: draft.title, body: bodyOf(draft, files, change) }, ledger },
    clock,
  );
}

/** The same question to the same model has the same answer. */
const memoryOf = (
  { answers }: ReviewContext,
  { facts }: Model,
): NonNullable<DescribeSetup['memory']> => ({
  recall: ({ system, opening }) => answers.get(wordsKey([system, opening], facts.name))?.said,
  keep: ({ system, opening }, said) =>
    answers.put(wordsKey([system, opening], facts.name), { findings: [], said }),
});

/** Every file of the change, including renamed and skipped ones, with its counts. */
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

/** More files than this are only counted. */
const MAX_LISTED = 30;

/** What the model wrote, then what code knows: the files with their counts. */
function bodyOf(
  { text }: DescribeDraft,
  files: readonly ChangedFile[],
  change: ChangeSummary,
): string {
  const rows = files
    .slice(0, MAX_LISTED)
    .map(file => `- ${reveal(file.path)} (+${file.added} -${file.removed})`);
  const rest = files.length - rows.length;
  const head = `${count(change.files, 'file')} changed, +${change.added} -${change.removed}:`;
  const list =
    rows.length === 0 ? [] : [[head, ...rows, ...(rest > 0 ? [`- and ${rest} more`] : [])]];
  return [...text, ...list.map(lines => lines.join('\n'))].join('\n\n');
}
