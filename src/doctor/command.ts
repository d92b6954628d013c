import { knownRules } from '../checks/rules.js';
import { mustHaveNoWords, workOptions } from '../config/options.js';
import type { Parsed } from '../core/task.js';
import type { CommandEnd, Session } from '../session.js';
import { doctor as diagnose, doctorJson, doctorText } from './doctor.js';
import { gatherFacts } from './gather.js';

/** Everything it looks at has a short limit of its own; together they stay far below this. */
const LONGEST_MS = 60_000;

export async function doctor(parsed: Parsed, session: Session): Promise<CommandEnd> {
  mustHaveNoWords(parsed);
  const options = workOptions(parsed);
  session.endAfter(options.deadlineMs ?? LONGEST_MS);
  const facts = await gatherFacts({
    cwd: session.cwd,
    environment: session.env,
    signal: session.signal,
    configFile: options.config,
    baseUrl: options.model.baseUrl,
    modelName: options.model.name,
    allowRemote: options.model.allowRemote,
    knownRules: knownRules(),
  });
  const report = diagnose(facts);
  const { color, columns } = session;
  const text =
    options.format === 'json' ? doctorJson(report) : doctorText(report, { color, columns });
  return { text, ending: report.ending };
}
