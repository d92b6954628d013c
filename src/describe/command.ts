import { mustHaveNoWords, workOptions } from '../config/options.js';
import type { ParsedArguments } from '../core/task.js';

import { publishAnswer } from '../report/answer.js';
import { recorder } from '../review/agent.js';
import { calibrated, needModel } from '../review/model.js';
import { openWork } from '../review/work.js';
import { keepRun } from '../runs/save.js';
import type { CommandEnd, Session } from '../session.js';
import { describe as describeWork } from './describe.js';

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
    const outcome = await describeWork(asked, context, config);
    await keepRun(outcome, { opened, command: 'describe', parsed });
    return publishAnswer(outcome, options);
  } finally {
    await model.close();
  }
}
