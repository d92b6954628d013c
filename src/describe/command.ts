import type { Entry } from '../agent/transcript.js';
import { mustHaveNoWords, type WorkOptions, workOptions } from '../config/options.js';
import type { DescriptionOutcome } from '../core/outcome.js';
import type { Parsed } from '../core/task.js';
import { nodeFiles } from '../platform/files.js';
import { descriptionJson, descriptionMarkdown, descriptionText } from '../report/answer.js';
import { entryLine } from '../report/transcript-lines.js';
import { calibrated, needModel } from '../review/model.js';
import { type Opened, openWork } from '../review/work.js';
import { keepRun } from '../runs/save.js';
import { openTranscripts } from '../runs/transcripts.js';
import type { CommandEnd, Session } from '../session.js';
import { describe as describeWork } from './describe.js';

/** `describe`: needs a model; says what a change does. */
export async function describe(parsed: Parsed, session: Session): Promise<CommandEnd> {
  mustHaveNoWords(parsed);
  const options = workOptions(parsed);
  const opened = await openWork(options, session);
  const { task, config, world } = opened;
  const deadlineAt = world.clock.now() + task.deadlineMs;
  const { runLog } = world;
  const model = await needModel('describe', options, { config, session, deadlineAt, runLog });
  try {
    const run = world.clock.runId();
    const protocol = options.model.protocol ?? config.model.protocol;
    const onEntry = recorder(run, opened, { options, session });
    const measured = await calibrated(model, session);
    const asked = { task, model, protocol, measured, run, onEntry };
    const outcome = await describeWork(asked, world, config);
    await keepRun(outcome, { opened, command: 'describe', parsed });
    if (options.out !== undefined) await nodeFiles.write(options.out, descriptionJson(outcome));
    const ending = options.isStrict && !outcome.complete ? 'incomplete' : 'done';
    return { text: render(outcome, options), ending };
  } finally {
    await model.close();
  }
}

/** Everything that is said goes to the transcript; with --verbose also to the screen. */
function recorder(
  run: string,
  { git }: Opened,
  { options, session }: { options: WorkOptions; session: Session },
): (entry: Entry) => void {
  const record =
    git && !options.isDryRun
      ? openTranscripts(git.repository.commonDir).open(run, 'describe')
      : undefined;
  return entry => {
    record?.(entry);
    if (options.isVerbose) session.say(entryLine(entry));
  };
}

function render(outcome: DescriptionOutcome, { format }: WorkOptions): string {
  if (format === 'json') return descriptionJson(outcome);
  return format === 'markdown' ? descriptionMarkdown(outcome) : descriptionText(outcome);
}
