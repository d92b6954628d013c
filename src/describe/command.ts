import type { Entry } from '../agent/question.js';
import type { Survey } from '../checks/survey.js';
import type { Config } from '../config/config.js';
import { mustHaveNoWords, workOptions } from '../config/options.js';
import { count } from '../core/count.js';
import { isComplete } from '../core/ledger.js';
import type { ChangeSummary, DescriptionOutcome } from '../core/outcome.js';
import type { ParsedArguments, Task } from '../core/task.js';
import type { ProtocolName } from '../model/calibration.js';
import type { Model } from '../model/model.js';
import { reveal } from '../platform/safe-text.js';
import { publishAnswer } from '../report/answer.js';
import { concludeRun, hitLimits } from '../report/conclude.js';
import { recorder } from '../review/agent.js';
import { wordsKey } from '../review/cache.js';
import { hunkStates, ledgerOf } from '../review/conclude.js';
import { calibrated, needModel, spentAndLeft } from '../review/model.js';
import { chunkCapacity, plan } from '../review/plan.js';
import { gatherChange, surveyChange } from '../review/review.js';
import { openWork, type ReviewContext } from '../review/work.js';
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
  mustHaveNoWords(parsed);
  const options = workOptions(parsed);
  const opened = await openWork(options, session);
  const { task, config, context } = opened;
  const deadlineAt = context.clock.now() + task.deadlineMs;
  const { runLog } = context;
  const model = await needModel('describe', options, { config, session, deadlineAt, runLog });
  try {
    const run = context.clock.runId();
    const protocol = options.model.protocol ?? config.model.protocol;
    const onEntry = recorder('describe', { ...opened, options, session });
    const measured = await calibrated(model, session);
    const asked = { task, model, protocol, measured, run, onEntry, titles };
    const outcome = await describeChange(asked, context, config);
    await keepRun(outcome, { opened, command: 'describe', parsed });
    return publishAnswer(outcome, options);
  } finally {
    await model.close();
  }
}

/** All of `describe`: reads the change, asks about its chunks, and keeps what is true. */
async function describeChange(
  options: {
    readonly task: Task;
    readonly model: Model;
    readonly protocol: ProtocolName | 'auto';
    readonly measured: Pick<DescribeSetup, 'preferred' | 'tokenScale'>;
    readonly run: string;
    readonly onEntry: (entry: Entry) => void;
    readonly titles: readonly string[];
  },
  context: ReviewContext,
  config: Config,
): Promise<DescriptionOutcome> {
  const { task, model, protocol, measured, run, onEntry, titles } = options;
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
  const capacity = chunkCapacity(model.facts.contextWindow, measured.tokenScale);
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
      { model, protocol, ...measured, memory, limits, clock, signal, onEntry },
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
      run,
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
