import { nodeFiles } from '../adapters/node-files.js';
import { openTranscripts } from '../adapters/records/transcripts.js';
import type { Entry } from '../agent/transcript.js';
import type { DescriptionOutcome } from '../core/description.js';
import { describe as describeWork } from '../describe.js';
import { entryLine } from '../publish/entry-text.js';
import {
  descriptionJson,
  descriptionMarkdown,
  descriptionText,
} from '../publish/to-description.js';
import type { Parsed } from '../trigger/parse-argv.js';
import { mustHaveNoWords, type WorkOptions, workOptions } from '../trigger/work-options.js';
import { type CommandEnd, type Desk, type Opened, openWork } from './desk.js';
import { keepRun } from './keep-run.js';
import { needModel } from './need-model.js';
import { calibrated } from './open-model.js';

/** `describe`: needs a model; says what a change does. */
export async function describe(parsed: Parsed, desk: Desk): Promise<CommandEnd> {
  mustHaveNoWords(parsed);
  const options = workOptions(parsed);
  const opened = await openWork(options, desk);
  const { task, config, world } = opened;
  const deadlineAt = world.clock.now() + task.deadlineMs;
  const { diary } = world;
  const model = await needModel('describe', options, { config, desk, deadlineAt, diary });
  try {
    const run = world.clock.runId();
    const protocol = options.model.protocol ?? config.model.protocol;
    const onEntry = recorder(run, opened, { options, desk });
    const measured = await calibrated(model, desk);
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
  { options, desk }: { options: WorkOptions; desk: Desk },
): (entry: Entry) => void {
  const record =
    git && !options.isDryRun
      ? openTranscripts(git.repository.commonDir).open(run, 'describe')
      : undefined;
  return entry => {
    record?.(entry);
    if (options.isVerbose) desk.say(entryLine(entry));
  };
}

function render(outcome: DescriptionOutcome, { format }: WorkOptions): string {
  if (format === 'json') return descriptionJson(outcome);
  return format === 'markdown' ? descriptionMarkdown(outcome) : descriptionText(outcome);
}
